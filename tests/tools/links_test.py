"""Links between pages lead to files that exist, and to headings that are there; pages that the site lists exist. No network, no packages."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "packaging").rglob("*.md")]
MADE = {"reference-python.md", "reference-cpp.md", "contributing.md", "changelog.md", "index.md"}  # by tools/build-site


def prose(page):
    """Without code, which may look like anything."""
    return re.sub(r"(?ms)^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"))


def anchors(page):
    """Of all headings, as GitHub and the site make them."""
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    found = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        found.add(re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-"))
    return found


class Links(unittest.TestCase):
    def test_every_link_leads_to_a_file_and_a_heading(self):
        checked = 0
        for page in PAGES:
            for link, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", prose(page)):
                target = page.parent / link if link else page
                with self.subTest(page=page.relative_to(ROOT).as_posix(), link=link, anchor=anchor):
                    self.assertTrue(target.exists(), "there is no such file")
                    if anchor and target.suffix == ".md":
                        self.assertIn(anchor, anchors(target))
                checked += 1
        self.assertGreater(checked, 50)

    def test_every_page_of_the_site_exists(self):
        listed = re.findall(r"([\w/-]+\.md)$", (ROOT / "site" / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertGreater(len(listed), 20)
        for name in listed:
            self.assertTrue(name in MADE or (ROOT / "docs" / name).exists(), f"site/mkdocs.yml lists {name}")

    def test_every_picture_of_a_tutorial_is_drawn_by_a_tool(self):
        tool = (ROOT / "tools" / "draw-tutorials").read_text(encoding="utf-8")
        for page in (ROOT / "docs" / "tutorials").glob("*.md"):
            for picture in re.findall(r"!\[[^\]]*\]\(([\w-]+)\.svg\)", page.read_text(encoding="utf-8")):
                self.assertIn(f'"{picture}"', tool)


if __name__ == "__main__":
    unittest.main(verbosity=0)
