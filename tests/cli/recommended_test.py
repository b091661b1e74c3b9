"""Every option that a message names exists, and so does every value that it names for an option."""
import ast
import re

from harness import ROOT, TautTest, main

FOLDERS = ["taut", "cli", "python", "c", "columnar", "experiments"]
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
# Options whose values are names; other values are columns, numbers, files.
NAMED = "predictor|transform|localizer|objective|controller|score|task|sides|target-scale|effort|tails|other-groups|local-in|decimal"
VALUE = re.compile(rf"(?<![\w-])--({NAMED})[ =]([a-z][a-z0-9+-]*)((?:, [a-z][a-z0-9+-]*)*(?:,? or [a-z][a-z0-9+-]*)?)")
NO_VALUE = {"and", "or", "is", "are", "takes", "says", "goes", "with", "names", "which", "the", "for", "without", "cannot", "needs", "to", "of", "in", "stays",
            "a", "reads", "asks", "instead", "where", "from", "given", "exclude", "names", "chooses", "by", "on", "must", "alone", "has", "at", "too"}


def pieces(text):
    """String literals of C++; adjacent literals are joined, as by the compiler."""
    text = COMMENT.sub(lambda found: found.group() if '"' in found.group() and found.group().count('"') % 2 else " ", text)
    result, end = [], None
    for found in LITERAL.finditer(text):
        if end is not None and not text[end:found.start()].strip():
            result[-1] += found.group(1)
        else:
            result.append(found.group(1))
        end = found.end()
    return result


def messages():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp"):
                for piece in pieces(path.read_text(encoding="utf-8")):
                    yield path.relative_to(ROOT), piece
            elif path.suffix == ".py":
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        yield path.relative_to(ROOT), node.value


class Recommended(TautTest):
    def setUp(self):
        super().setUp()
        commands = re.findall(r"^  ([a-z][a-z-]*)  ", self.taut("--help").stdout, re.M)
        self.assertGreater(len(commands), 12)
        self.help = {command: self.taut(command, "--help").stdout for command in commands}
        self.help[""] = self.taut("--help").stdout
        self.options = {name for text in self.help.values() for name in re.findall(r"^\s+(?:-\w, ?)?--([a-z][a-z0-9-]*)", text, re.M)}
        self.lists = self.taut("lists").stdout

    def test_every_option_that_is_named_exists(self):
        named = {}
        for path, piece in messages():
            for name in OPTION.findall(piece):
                named.setdefault(name, (path, piece))
        self.assertGreater(len(named), 60)
        self.assertIn("keep-together", self.options)
        for name, (path, piece) in sorted(named.items()):
            with self.subTest(option=name):
                self.assertIn(name, self.options, f"{path}: {piece}")

    def test_every_value_that_is_named_exists(self):
        """In the help of its option, or in a list."""
        found = 0
        for path, piece in messages():
            for option, first, more in VALUE.findall(piece):
                names = [first, *re.findall(r"[a-z][a-z0-9+-]*", more.replace(" or ", " "))]
                told = self.lists + "".join(part for text in self.help.values()
                                            for part in re.findall(rf"--{option} (?:(?!\n\s+(?:-\w, ?)?--).)*", text, re.S))
                for name in names:
                    if name in NO_VALUE:
                        continue
                    found += 1
                    with self.subTest(option=option, value=name):
                        self.assertRegex(told, rf"(?<![\w-]){re.escape(name)}(?![\w-])", f"{path}: {piece}")
        self.assertGreater(found, 10)


if __name__ == "__main__":
    main()
