"""look: each of the nasty tables is read as one would wish."""
import json
import unittest

import nasty_tables
from harness import TautTest, main


class NastyTables(TautTest):
    def look(self, case):
        path = self.write("t.csv", case.content)
        if case.error:
            self.fails(1, "look", path, *case.options, says=case.error)
            return
        found = json.loads(self.taut("look", path, "--json", *case.options).stdout)
        self.assertEqual(found["rows"], case.rows)
        columns = {column["name"]: column for column in found["columns"]}
        for name, expected in case.columns.items():
            self.assertIn(name, columns)
            for key, wanted in expected.items():
                if key == "says":
                    for word in wanted:
                        self.assertIn(word, columns[name]["words"])
                else:
                    self.assertEqual(columns[name].get(key), wanted, f"{name}: {key}: {columns[name]}")
        for kind in getattr(case, "left_out", ()):
            self.assertIn(kind, [column["kind"] for column in columns.values() if column["use"] == "left out"])


def named(case):
    return "test_" + "".join(c if c.isalnum() else "_" for c in case.name)


for number, case in enumerate(nasty_tables.CASES):
    setattr(NastyTables, f"{named(case)}_{number}", lambda self, case=case: self.look(case))


class Collection(unittest.TestCase):
    def test_there_are_enough(self):
        self.assertGreaterEqual(len(nasty_tables.CASES), 60)


if __name__ == "__main__":
    main()
