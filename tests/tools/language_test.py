"""Words that this project no longer uses, in code, docs, help and messages. CONTRIBUTING.md, "Language", says what to write instead."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ITSELF = {"tests/tools/language_test.py", "CONTRIBUTING.md", "CHANGELOG.md"}  # these name the words
KEPT = re.compile(r"^tests/(model/old|fuzz/seeds)/|\.(svg|png|taut|parquet|arrow|feather|gz|ubj|json|lock)$")  # data, not language

# Pattern -> what to write instead. Underscores are word boundaries too, so names of variables are looked at.
BANNED = {
    r"(?<!power )(?<!power_)\blaws?\b": "distribution",
    r"\bin words\b": "describe, or as text",
    r"\bdoors?\b": "interface",
    r"\bmend(s|ed|ing)?\b": "correct, fix, recalibrate",
    r"\bheated\b": "apply the temperature",
    r"\blets? (it |them |all )?rest\b": "evict, unmap",
    r"\bso many\b": "n, or at most max_n",
    r"\bchose nothing\b": "calibration rows",
    r"\b(rows|those) that may choose\b": "rows for model selection",
    r"\bfor want of\b": "without, fall back to",
    r"\bstory\b": "history, or the thing itself",
}
# In code only: "rooms" is a column of real tables.
BANNED_IN_CODE = {r"\b[Rr]ooms?\b": "module", r"\b(most|least)_[a-z]\w*": "max_, min_"}
# Keys of model files and of JSON, which stay, and names that are deprecated.
ALLOWED = ("least_half_width", "least_s", "least_rows", "law_points", "least_calibration_rows", '"mended"', "`mended/")


def spoken(text):
    """The text with underscores and camel case as words."""
    return re.sub(r"([a-z])([A-Z])", r"\1 \2", text).replace("_", " ").lower()


def hits(patterns, text):
    """Every use of a banned word, as "LINE: 'WORD': say INSTEAD"."""
    for pattern, instead in patterns.items():
        for hit in re.finditer(pattern, text):
            yield f"{text.count(chr(10), 0, hit.start()) + 1}: '{hit.group(0)}': say {instead}"


class Language(unittest.TestCase):
    def files(self):
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
        if not listed:
            self.skipTest("not a git checkout")
        return [name for name in listed if name not in ITSELF and not KEPT.search(name) and (ROOT / name).is_file()]

    def test_no_file_uses_a_banned_word(self):
        found, read = [], 0
        for name in self.files():
            try:
                text = (ROOT / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            read += 1
            for name_that_stays in ALLOWED:
                text = text.replace(name_that_stays, "")
            found += [f"{name}:{hit}" for hit in hits(BANNED, spoken(text))]
            if name.endswith((".cpp", ".hpp", ".h", ".cmake", "CMakeLists.txt")) and not name.startswith("tests/"):
                found += [f"{name}:{hit}" for hit in hits(BANNED_IN_CODE, text)]
        self.assertGreater(read, 500)
        self.assertEqual(found, [], f"{len(found)} lines\n" + "\n".join(found[:100]))

    def test_the_patterns_find_what_they_are_for(self):
        for text in ("the law of a row", "RowLaw", "time_in_words", "we mend it", "MendedLogits", "so many rows", "let_rest", "rows that chose nothing"):
            self.assertTrue(list(hits(BANNED, spoken(text))), text)
        for text in ("a power law", "lawn", "recommended", "restart", "most rows"):
            self.assertFalse(list(hits(BANNED, spoken(text))), text)


if __name__ == "__main__":
    unittest.main(verbosity=0)
