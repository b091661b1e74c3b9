"""Realistic tables with the expected result of reading each. They are generated here, so that table and expectation are next to each other."""
import gzip
from dataclasses import dataclass, field

ROWS = 40


@dataclass
class Case:
    name: str
    content: bytes
    # Column → the expected entries of `taut look --json`; other entries are not compared.
    columns: dict = field(default_factory=dict)
    options: tuple = ()
    error: tuple = ()  # words of the error message, if the table is refused
    rows: int = ROWS
    code: int = 1  # exit code of the error
    left_out: tuple = ()  # kinds of columns that are left out, whatever their names
    warns: tuple | None = None  # words of a warning; (): there must be none; None: not compared


CASES = []


def case(name, content, columns=None, **more):
    CASES.append(Case(name, content.encode() if isinstance(content, str) else content, columns or {}, **more))


def table(names, column_cells, delimiter=",", quote=False, end="\n", rows=ROWS):
    """The cells of a column, each a function of the row's number."""
    cell = (lambda text: f'"{text}"') if quote else str
    lines = [delimiter.join(names)]
    lines += [delimiter.join(cell(of(row)) for of in column_cells) for row in range(rows)]
    return end.join(lines) + end


def y(row):
    return row * 0.5


def value(row):
    return 10 + row * 37 % 101


def with_odd(text, at=(6,)):
    return lambda row: text if row in at else value(row)


NUMBER = {"kind": "number", "use": "input"}
PLAIN = {**NUMBER, "words": "", "missing": 0}

# Missing words
for word in ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None", "none", "-", "?", " ? ", "  "):
    case(f"missing word {word!r}", table(["x", "y"], [with_odd(word), y]), {"x": {**NUMBER, "missing": 1}})
case("missing word of one's own", table(["x", "y"], [with_odd("-999x"), y]), {"x": {**NUMBER, "missing": 1, "words": ""}},
     options=("--na", "-999x"))
case("several missing words of one's own", table(["x", "y"], [lambda r: {3: "*", 4: "unknown"}.get(r, value(r)), y]),
     {"x": {**NUMBER, "missing": 2, "words": ""}}, options=("--na", "*,unknown"))
for word in ("None", "none", ".", "..", "*", "--", "\u2013", " . "):
    case(f"missing among numbers {word!r}", table(["x", "y"], [with_odd(word, (6, 7, 8, 9)), y]), {"x": {**NUMBER, "missing": 4, "words": ""}})
    case(f"missing among dates {word!r}", table(["d", "y"], [lambda r, word=word: word if r % 5 == 0 else f"2014-05-{1 + r % 28:02}", y]),
         {"d": {"kind": "date", "missing": 8}})
case("None among booleans", table(["b", "y"], [lambda r: ["yes", "no", "None", "yes"][r % 4], y]), {"b": {"kind": "boolean", "missing": 10}})
case("more None than numbers", table(["x", "y"], [lambda r: value(r) if r % 4 == 0 else "None", y]), {"x": {**NUMBER, "missing": 30}})
for word in ("None", "none", "NONE", "*", ".", "--"):
    case(f"a level {word!r}", table(["c", "y"], [lambda r, word=word: [word, "Some", "Marked", word][r % 4], y]),
         {"c": {"kind": "category", "categories": [word, "Some", "Marked"], "missing": 0, "says": [f"'{word}' in 20 of 40 cells is a value", f"--na '{word}'"]}})
case("None and nothing else but empty cells", table(["c", "y"], [lambda r: ["None", ""][r % 2], y]),
     {"c": {"kind": "category", "categories": ["None"], "missing": 20}})
case("None as a level, but --na", table(["c", "y"], [lambda r: ["None", "Some", "Marked", "none"][r % 4], y]),
     {"c": {"kind": "category", "categories": ["Some", "Marked"], "missing": 20}}, options=("--na", "None"))
case("NA beside None", table(["c", "y"], [lambda r: ["None", "Some", "NA", ""][r % 4], y]), {"c": {"categories": ["None", "Some"], "missing": 20}})
for words in (["None", "Some", "Marked"], ["none", "a", "b"], ["Yes", "No", "None"]):
    case(f"labels {words}", table(["x", "y"], [value, lambda r, words=words: words[r % 3]]),
         {"y": {"kind": "category", "use": "input", "missing": 0, "warnings": [], "different": 3, "says": ["class label", "ne' in 1", "is a class"]}},
         options=("--target", "y"))
case("labels with empty cells", table(["x", "y"], [value, lambda r: ["", "a", "b", "b"][r % 4]]), {"y": {"missing": 10, "categories": ["b", "a"]}},
     options=("--target", "y"))
case("missing words among categories", table(["c", "y"], [lambda r: ["red", "?", "blue"][r % 3], y]),
     {"c": {"kind": "category", "categories": ["red", "blue"], "missing": 13}})

# A few odd cells in a numeric column
case("one strange cell", table(["x", "y"], [with_odd("abc"), y]), {"x": {**NUMBER, "missing": 1, "says": ["'abc'", "line 8", "1 of 40"]}})
case("two strange cells", table(["x", "y"], [with_odd("abc", (6, 7)), y]), {"x": {**NUMBER, "missing": 2, "says": ["2 of 40", "'abc'"]}})
case("half the cells strange", table(["x", "y"], [lambda r: value(r) if r % 4 else "abc", y]),
     {"x": {"use": "unclear", "says": ["75 %", "--numeric", "--categorical"]}})
case("half the cells strange, but declared", table(["x", "y"], [lambda r: value(r) if r % 4 else "abc", y]),
     {"x": {**NUMBER, "missing": 10, "declared": True}}, options=("--numeric", "x"))
case("few different numbers and a word", table(["kids", "y"], [lambda r: ["0", "1", "2", "many"][r % 4], y]),
     {"kids": {"kind": "category", "different": 4}})
case("dates and a word that is none", table(["d", "y"], [lambda r: "later" if r % 6 == 5 else f"2/{1 + r % 28}/1901", y]),
     {"d": {"use": "unclear", "says": ["'later' (line 7)", "--date 'd'"]}})
case("dates and a word, the month unknown", table(["d", "y"], [lambda r: "n.d." if r % 6 == 5 else f"2/{1 + r % 9}/1901", y]),
     {"d": {"use": "unclear", "says": ["a date in 85 %", "'n.d.' (line 7)"]}})
case("both orders, and the bad cell", table(["d", "y"], [lambda r: f"{13 + r % 15}/5/2014" if r % 4 else f"5/{13 + r % 15}/2014", y]),
     {"d": {"use": "unclear", "says": ["'5/13/2014' (line 2)"]}})
case("a footnote mark", table(["x", "y"], [with_odd("17*"), y]), {"x": {**NUMBER, "missing": 1, "says": ["'17*'"]}})
case("Excel's errors", table(["x", "y"], [with_odd("#DIV/0!"), y]), {"x": {**NUMBER, "missing": 1, "says": ["#DIV/0!"]}})

# Ways to write numbers
case("dollars", table(["p", "y"], [lambda r: f"${value(r)}.50", y]), {"p": {**NUMBER, "lowest": 10.5, "format": "$1234.5"}})
case("dollars with thousands", table(["p", "y"], [lambda r: f"${1000 * value(r) + 5:,}.50", y], quote=True),
     {"p": {**NUMBER, "lowest": 10005.5, "format": "$1,234.5"}})
case("negative dollars", table(["p", "y"], [lambda r: f"-${value(r)}" if r % 2 else f"${value(r)}", y]), {"p": {**NUMBER, "lowest": -107}})
case("accountants' brackets", table(["p", "y"], [lambda r: f"({value(r)}.00)" if r % 2 else f"{value(r)}.00", y]),
     {"p": {**NUMBER, "lowest": -107}})
case("euros behind", table(["p", "y"], [lambda r: f"{value(r)},50 €", y], delimiter=";"), {"p": {**NUMBER, "lowest": 10.5}})
case("a currency's letters", table(["p", "y"], [lambda r: f"{value(r)} EUR", y]), {"p": {**NUMBER, "lowest": 10}})
case("two currencies are none", table(["p", "y"], [lambda r: f"{'$€'[r % 2]}{value(r)}", y]), {"p": {"use": "unclear"}})
case("percent", table(["p", "y"], [lambda r: f"{value(r)}.7%", y]), {"p": {**NUMBER, "lowest": 10.7, "format": "1234.5%"}})
case("percent after a blank", table(["p", "y"], [lambda r: f"{value(r)}.7 %", y]), {"p": {**NUMBER, "lowest": 10.7}})
case("thousands", table(["n", "y"], [lambda r: f"{6369617 + r:,}", y], quote=True), {"n": {**NUMBER, "lowest": 6369617}})
case("thousands below a million", table(["n", "y"], [lambda r: f"{5000 + value(r):,}", y], quote=True), {"n": {**NUMBER, "lowest": 5010}})
case("thousands in some cells", table(["n", "y"], [lambda r: f"{700 + 20 * r:,}", y], quote=True), {"n": {**NUMBER, "lowest": 700, "highest": 1480}})
case("India's thousands", table(["n", "y"], [lambda r: f"1,00,{100 + r}", y], quote=True), {"n": {**NUMBER, "lowest": 100100}})
case("Swiss thousands", table(["n", "y"], [lambda r: f"{1000 + value(r):,}".replace(",", "'"), y]), {"n": {**NUMBER, "lowest": 1010}})
case("blanks as thousands", table(["n", "y"], [lambda r: f"{100000 + value(r):,}".replace(",", " "), y]), {"n": {**NUMBER, "lowest": 100010}})
case("no-break blanks as thousands", table(["n", "y"], [lambda r: f"{100000 + value(r):,}".replace(",", "\u202f"), y]),
     {"n": {**NUMBER, "lowest": 100010}})
case("decimal comma, quoted", table(["x", "y"], [lambda r: f"{value(r)},5", y], quote=True), {"x": {**NUMBER, "lowest": 10.5}})
case("a European file", table(["x", "p", "y"], [lambda r: f"{value(r)},5", lambda r: f"1.{100 + r},25", lambda r: f"{r},5"], delimiter=";"),
     {"x": {**NUMBER, "lowest": 10.5}, "p": {**NUMBER, "lowest": 1100.25, "format": "1.234,5"}, "y": {**NUMBER, "lowest": 0.5}})
case("three decimals in a European file", table(["x", "y"], [lambda r: f"1,{100 + r}", lambda r: r], delimiter=";"), {"x": {**NUMBER, "lowest": 1.1}})
case("three decimals, told", table(["x", "y"], [lambda r: f"1,{100 + r}", lambda r: f"{r},5"], delimiter="|"),
     {"x": {**NUMBER, "lowest": 1.1}}, options=("--decimal", ","))
case("points as thousands, told", table(["x", "y"], [lambda r: f"1.{100 + r}", lambda r: f"{r},5"], delimiter=";"),
     {"x": {**NUMBER, "lowest": 1100}}, options=("--decimal", ","))
case("whole numbers beside thousands", table(["x", "y"], [lambda r: "981" if r % 2 else f"1,{100 + r}", y], delimiter=";"), {"x": {**NUMBER, "lowest": 981}})
case("points in a file with decimal commas", table(["q", "s", "y"], [lambda r: f"{r},25", lambda r: "909" if r % 2 else f"1.{100 + r}", lambda r: r], delimiter=";"),
     {"s": {"use": "unclear", "says": ["--decimal ,", "--decimal ."]}})
case("thousands in a file with decimal points", table(["q", "s", "y"], [lambda r: f"{r}.25", lambda r: f"4,{100 + r}", y], delimiter=";"),
     {"s": {**NUMBER, "lowest": 4100}})
case("fractions in a file with decimal commas", table(["q", "s", "y"], [lambda r: f"{r},25", lambda r: f"4,{100 + r}", lambda r: r], delimiter="\t"),
     {"s": {**NUMBER, "lowest": 4.1}})
case("percent and fractions mixed", table(["p", "y"], [lambda r: f"{value(r)}.5%" if r % 2 else f"0.{value(r)}", y]), {"p": {"use": "unclear"}})
case("exponents", table(["x", "y"], [lambda r: f"{r + 1}e-3", y]), {"x": {**PLAIN, "lowest": 0.001}})
case("a plus sign", table(["x", "y"], [lambda r: f"+{value(r)}", y]), {"x": {**PLAIN, "lowest": 10}})
case("blanks around numbers", table(["x", "y"], [lambda r: f"  {value(r)} ", y]), {"x": {**PLAIN, "lowest": 10}})
case("quoted numbers", table(["x", "y"], [value, y], quote=True), {"x": {**PLAIN, "lowest": 10}})
case("a real minus sign", table(["x", "y"], [lambda r: f"\u2212{value(r)}", y]), {"x": {**NUMBER, "lowest": -110, "missing": 0}})
case("infinity", table(["x", "y"], [with_odd("inf"), y]), {"x": NUMBER})

# Dates
DAYS = [f"{1 + r % 28:02}" for r in range(ROWS)]
DATE = {"kind": "date", "use": "input", "missing": 0}
case("ISO dates", table(["d", "y"], [lambda r: f"2014-05-{DAYS[r]}", y]), {"d": {**DATE, "says": ["2014-05-01 to 2014-05-28"]}})
case("ISO moments", table(["d", "y"], [lambda r: f"2014-05-{DAYS[r]}T13:{r:02}:07Z", y]), {"d": DATE})
case("moments with zones", table(["d", "y"], [lambda r: f"2014-05-{DAYS[r]} 01:00:00+02:00", y]), {"d": {**DATE, "says": ["2014-04-30 23:00"]}})
case("compact moments", table(["d", "y"], [lambda r: f"201405{DAYS[r]}T000000", y]), {"d": {**DATE, "says": ["2014-05-01"]}})
case("German dates", table(["d", "y"], [lambda r: f"{DAYS[r]}.05.2014", y]), {"d": {**DATE, "says": ["day before month"]}})
case("American dates", table(["d", "y"], [lambda r: f"5/{DAYS[r]}/2014", y]), {"d": {**DATE, "says": ["month before day"]}})
case("American dates with times", table(["d", "y"], [lambda r: f"05/{DAYS[r]}/14 1:{r:02} PM", y]), {"d": {**DATE, "says": ["2014-05-01 13:"]}})
case("dates that leave it open", table(["d", "y"], [lambda r: f"0{1 + r % 9}/05/2014", y]), {"d": {"use": "unclear", "says": ["d:dmy", "d:mdy"]}})
case("dates that leave it open, told", table(["d", "y"], [lambda r: f"0{1 + r % 9}/05/2014", y]),
     {"d": {**DATE, "says": ["2014-05-01 to 2014-05-09"]}}, options=("--date", "d:dmy"))
case("both orders of day and month", table(["d", "y"], [lambda r: f"{DAYS[r]}/05/2014" if r % 2 else f"05/{DAYS[r]}/2014", y]),
     {"d": {"use": "unclear"}})
case("month names", table(["d", "y"], [lambda r: f"{1 + r % 28}-May-2014", y]), {"d": DATE})
case("month names first", table(["d", "y"], [lambda r: f"May {1 + r % 28}, 2014", y], quote=True), {"d": DATE})
case("dates of mail", table(["d", "y"], [lambda r: f"Fri, {DAYS[r]} May 2014 13:00:00 GMT", y], quote=True), {"d": DATE})
case("months", table(["d", "y"], [lambda r: f"2014-{1 + r % 12:02}", y]), {"d": {**DATE, "says": ["2014-12-01"]}})
case("times of day", table(["d", "y"], [lambda r: f"{r % 24:02}:30", y]), {"d": DATE})
case("a date that is none", table(["d", "y"], [lambda r: "2014-02-30" if r == 5 else f"2014-05-{DAYS[r]}", y]),
     {"d": {"kind": "date", "missing": 1, "says": ["2014-02-30"]}})
case("dates as digits, told", table(["d", "y"], [lambda r: f"201405{DAYS[r]}", y]), {"d": {**DATE, "says": ["2014-05-28"]}}, options=("--date", "d"))
case("seconds since 1970, told", table(["d", "y"], [lambda r: 1400000000 + 86400 * r, y]), {"d": {**DATE, "says": ["2014-05-13"]}}, options=("--date", "d"))
case("milliseconds since 1970, told", table(["d", "y"], [lambda r: 1000 * (1400000000 + 86400 * r), y]), {"d": {**DATE, "says": ["2014-05-13"]}},
     options=("--date", "d"))

for form, first in ((lambda r: f"{1998 + r // 4} Q{1 + r % 4}", "1998-01-01 to 2007-10-01"), (lambda r: f"{2018 + r // 4}Q{1 + r % 4}", "2018-01-01"),
                    (lambda r: f"{1998 + r // 4}-Q{1 + r % 4}", "1998-01-01"), (lambda r: f"Q{1 + r % 4} {1998 + r // 4}", "1998-01-01"),
                    (lambda r: f"{1998 + r // 4}q{1 + r % 4}", "1998-01-01")):
    case(f"quarters {form(5)}", table(["d", "y"], [form, y]), {"d": {**DATE, "says": [first]}})
for form in (lambda r: f"1989 W{1 + r:02}", lambda r: f"1989-W{1 + r:02}", lambda r: f"1989W{1 + r:02}", lambda r: f"1989 W{1 + r}"):
    case(f"weeks {form(5)}", table(["d", "y"], [form, y]), {"d": {**DATE, "says": ["1989-01-02 to 1989-10-02"]}})
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
for form in (lambda r: f"{1994 + r // 12} {MONTHS[r % 12]}", lambda r: f"{MONTHS[r % 12]} {1994 + r // 12}", lambda r: f"{MONTHS[r % 12]}-{94 + r // 12}",
             lambda r: f"{1994 + r // 12}-{MONTHS[r % 12]}", lambda r: f"{1994 + r // 12}M{1 + r % 12:02}", lambda r: f"{MONTHS[r % 12]} '{94 + r // 12}"):
    case(f"months {form(5)}", table(["d", "y"], [form, y]), {"d": {**DATE, "says": ["1994-01-01 to 1997-04-01"]}})
case("a month and a day are no period", table(["d", "y"], [lambda r: f"{MONTHS[r % 12]} {10 + r % 4}", y]), {"d": {"kind": "category"}})
for some in (2, 5, 20):
    case(f"dates of mixed precision, one in {some}", table(["d", "y"], [lambda r, some=some: f"{2000 + r}-08-01" if r % some == 0 else f"{2000 + r}", y]),
         {"d": {**DATE, "says": ["a year alone"]}})
case("years, months and days", table(["d", "y"], [lambda r: f"{2000 + r}" + ["", "-08", "-08-01"][r % 3], y]), {"d": {**DATE, "says": ["2000-01-01 to 2039-01-01"]}})
case("years and numbers are no dates", table(["d", "y"], [lambda r: "2008-08" if r == 3 else f"{700 + 50 * r}", y]), {"d": {**NUMBER, "missing": 1}})
for name, cells in (("days", lambda r: 19750103 + r % 28), ("first days of months", lambda r: 19750101 + 100 * (r % 12)),
                    ("days, some missing", lambda r: "" if r % 7 == 0 else 20140500 + 1 + r % 28)):
    case(f"{name} in eight digits", table(["d", "y"], [cells, y]), {"d": {"kind": "date", "use": "input", "says": ["eight digits", "--numeric 'd'"]}})
for name, cells, options in (("one is no day", lambda r: 19750229 if r == 3 else 19750103 + r % 28, ()), ("too few", lambda r: 19750103 + r % 4, ()),
                             ("years", lambda r: 19500101 + 10000 * (r % 30), ()), ("told", lambda r: 19750103 + r % 28, ("--numeric", "d")),
                             ("far away", lambda r: 29750103 + r % 28, ())):
    case(f"eight digits that are no days: {name}", table(["d", "y"], [cells, y]), {"d": NUMBER}, options=options)
for name, cells, says in (("of births", lambda r: f"{1 + r % 28}.5.{30 + r % 60}", "1930-05-"), ("of months", lambda r: f"Oct-{(40 + r) % 100}", "1940-10-01 to 1979"),
                          ("with slashes", lambda r: f"5/{1 + r % 28}/{40 + r % 40}", "1940-05-")):
    case(f"short years {name}", table(["d", "y"], [cells, y]), {"d": {**DATE, "says": [says, "after 26 are in the last century"]}})
for cells, says in ((lambda r: f"{1 + r % 28}.5.{(90 + r) % 100 if r < 37 else 99:02}", "1990-05-01 to 2026-05-09"),
                    (lambda r: f"Oct-{70 + r % 30}", "1970-10-01 to 1999-10-01"), (lambda r: f"13.5.{r % 27:02}", "2000-05-13 to 2026-05-13")):
    case(f"short years of both centuries {cells(3)}", table(["d", "y"], [cells, y]), {"d": {**DATE, "says": [says]}})

# Durations
SECONDS = {**NUMBER, "missing": 0, "says": ["number of seconds"]}
for name, cells, lowest in (("of a mile", lambda r: f"3:{10 + r}.4", 190.4), ("beside seconds", lambda r: f"{20 + r}.12" if r < 30 else f"1:{r}.50", 20.12),
                            ("of minutes above 23", lambda r: f"{20 + r}:05", 1205), ("of hours above 23", lambda r: f"{20 + r}:05:00", 72300),
                            ("with decimal commas", lambda r: f'"3:{10 + r},4"', 190.4)):
    case(f"durations {name}", table(["t", "y"], [cells, y]), {"t": {**SECONDS, "lowest": lowest}})
case("durations, their values", table(["t", "y"], [lambda r: f"3:{10 + r}.4", y]), {"t": {**SECONDS, "lowest": 190.4, "highest": 229.4}})
case("durations with and without hours", table(["t", "y"], [lambda r: f"1:{10 + r}:33" if r % 2 else f"{12 + r}:10", y]), {"t": {**SECONDS, "lowest": 730, "highest": 6573}})
case("durations and None", table(["t", "y"], [lambda r: "None" if r % 9 == 0 else f"3:{10 + r}.4", y]), {"t": {**NUMBER, "missing": 5}})
for cells in (lambda r: f"{r % 24}:05", lambda r: f"{r % 24:02}:05:07", lambda r: f"{1 + r % 12}:30 PM"):
    case(f"times of day {cells(3)}", table(["d", "y"], [cells, y]), {"d": DATE})
case("one odd duration among numbers", table(["x", "y"], [with_odd("12:30"), y]), {"x": {**NUMBER, "missing": 1, "says": ["'12:30'"]}})
case("durations as the target", table(["x", "y"], [value, lambda r: f"3:{10 + r}.4"]), {"y": {"kind": "number", "missing": 0, "lowest": 190.4}}, options=("--target", "y"))

# Ranges
ORDERED = {"kind": "ordered category", "use": "input"}
for levels in (["0-4", "5-9", "10-14", "15+"], ["<5", "5-9", ">=10"], ["0.0-2.0", "2.0-4.0", "4.0-6.0"], ["18 to 24", "25 to 34", "65 and over"], ["0", "1", "2", "3+"],
               ["under 18", "18-24", "25-64", "65 or more"], ["$0 - $9,999", "$10,000 - $24,999", "$25,000+"], ["1\u20132", "3\u20134", "5 or more"],
               ["00-04", "05-09", "10-14"], ["<1 year", "1-2 years", "3+ years"], ["1999-2000", "2000-2001", "2001-2002"]):
    case(f"ranges {levels}", table(["c", "y"], [lambda r, levels=levels: levels[(r * 7 + 2) % len(levels)], y], quote=True),
         {"c": {**ORDERED, "categories": levels, "missing": 0, "says": ["order of their numbers", "--categorical 'c'"]}})
case("ranges and a stranger", table(["c", "y"], [lambda r: "unknown" if r == 3 else ["0-4", "5-9", "10+"][r % 3], y]),
     {"c": {**ORDERED, "categories": ["0-4", "5-9", "10+"], "says": ["1 cell with other values"]}})
case("ranges, told", table(["c", "y"], [lambda r: ["0-4", "5-9", "10+"][r % 3], y]), {"c": {"kind": "category", "declared": True}}, options=("--categorical", "c"))
for name, cells in (("scores", lambda r: ["3-1", "1-3", "0-2", "2-2"][r % 4]), ("overlapping scores", lambda r: ["0-1", "0-2", "1-2", "1-3"][r % 4]),
                    ("phones", lambda r: f"555-{1200 + r % 7}"), ("levels None and ranges", lambda r: ["None", "1-2", "3+"][r % 3])):
    case(f"no ranges: {name}", table(["c", "y"], [cells, y]), {"c": {"kind": "category"}})
case("no ranges: months", table(["c", "y"], [lambda r: f"2014-{1 + r % 12:02}", y]), {"c": {"kind": "date"}})
case("no ranges: negative numbers", table(["c", "y"], [lambda r: f"-{r % 9}", y]), {"c": {**NUMBER, "lowest": -8}})
case("no ranges: one odd cell", table(["x", "y"], [lambda r: "12+" if r == 6 else r % 90, y], rows=90), {"x": {**NUMBER, "missing": 1}}, rows=90)

# Booleans and categories
for no, yes in (("false", "true"), ("No", "Yes"), ("n", "y"), ("F", "T"), ("off", "on")):
    case(f"{no} and {yes}", table(["b", "y"], [lambda r, no=no, yes=yes: yes if r % 3 else no, y]),
         {"b": {"kind": "boolean", "use": "input", "lowest": 0, "highest": 1}})
case("spellings of true", table(["b", "y"], [lambda r: ["true", "True", "TRUE", "false", "FALSE"][r % 5], y]), {"b": {"kind": "boolean", "missing": 0}})
case("true, false and perhaps", table(["b", "y"], [lambda r: ["true", "True", "perhaps", "FALSE"][r % 4], y]),
     {"b": {"kind": "category", "categories": ["true", "perhaps", "false"]}})
case("categories", table(["c", "y"], [lambda r: ["red", "green", "blue"][r % 3], y]), {"c": {"kind": "category", "categories": ["red", "green", "blue"]}})
case("numbers that are categories, told", table(["zip", "y"], [lambda r: f"0{r % 4}001", y]),
     {"zip": {"kind": "category", "categories": ["00001", "01001", "02001", "03001"]}}, options=("--categorical", "zip"))
case("an order, told", table(["size", "y"], [lambda r: "SML"[r % 3], y]), {"size": {"kind": "ordered category", "categories": ["S", "M", "L"]}},
     options=("--ordered", "size:S<M<L"))
case("an order of other words", table(["size", "y"], [lambda r: "SML"[r % 3], y]), options=("--ordered", "size:s<m<l"), error=("--ordered", "'S'"), code=2)
case("categories with commas and quotes", table(["c", "y"], [lambda r: ['a, b', 'say ""hi""'][r % 2], y], quote=True),
     {"c": {"categories": ['a, b', 'say "hi"']}})
case("categories with line breaks", table(["c", "y"], [lambda r: ['a\nb', 'c'][r % 2], y], quote=True), {"c": {"categories": ['a\nb', 'c']}})

for left, right in (("", "  "), (" ", ""), ("\u00a0", " \u00a0"), ("\t", "")):
    case(f"blanks {left + 'a' + right!r} around categories", table(["c", "y"], [lambda r, a=left, b=right: [f"{a}red{b}", "red", "blue"][r % 3], y], quote=True),
         {"c": {"kind": "category", "categories": ["red", "blue"], "different": 2}})
case("blanks around labels", table(["x", "y"], [value, lambda r: [" yes", "yes ", "no"][r % 3]]), {"y": {"categories": ["yes", "no"], "different": 2}}, options=("--target", "y"))
for spellings, kept in ((["Male", "male", "Female"], ["Male", "Female"]), (["YES PLEASE", "Yes please", "no thanks"], ["YES PLEASE", "no thanks"]),
                        (["New York", "new york", "NEW YORK", "Rome"], ["New York", "Rome"])):
    case(f"spellings {spellings}", table(["c", "y"], [lambda r, s=spellings: s[0] if r % 7 == 0 else s[r % len(s)], y]),
         {"c": {"kind": "category", "categories": kept, "says": ["upper and lower case", "one value"]}})
for spellings in (["m", "M", "f", "F"], ["mW", "MW", "kW"], ["iPad", "IPAD", "Mac"]):
    case(f"spellings that may differ {spellings}", table(["c", "y"], [lambda r, s=spellings: s[r % len(s)], y]),
         {"c": {"kind": "category", "different": len(spellings), "says": ["differ only in case"]}})
case("spellings, told", table(["c", "y"], [lambda r: ["Male", "male", "Female"][r % 3], y]), {"c": {"categories": ["Male", "male", "Female"]}},
     options=("--categorical", "c"))

# Columns that are left out
OUT = {"use": "left out"}
case("row numbers without a name (pandas)", table(["", "x", "y"], [lambda r: r, value, y]), {"x": PLAIN}, left_out=("row number",))
for name, first in (("CASE_NO", 1), ("obs", 1), ("patnr", 1), ("Seq No", 0), ("rownames", 1)):
    case(f"row numbers named {name!r}", table([name, "x", "y"], [lambda r, first=first: first + r, value, y]), {name: OUT, "x": PLAIN})
for name, cells in (("rank", lambda r: 1 + r), ("obs", lambda r: 3 * r), ("patnr", lambda r: 1 + r // 2)):
    case(f"no row numbers: {name!r}", table([name, "x", "y"], [cells, value, y]), {name: {"kind": "number", "use": "input"}})
case("row numbers, told", table(["obs", "x", "y"], [lambda r: 1 + r, value, y]), {"obs": NUMBER}, options=("--numeric", "obs"))
case("ids in text", table(["key", "x", "y"], [lambda r: f"AB{r:04}X", value, y]), {"key": {**OUT, "kind": "id"}, "x": PLAIN})
case("ids in numbers", table(["customer_id", "y"], [lambda r: 7129300520 + 7919 * r % 10007, y]), {"customer_id": {**OUT, "kind": "id"}})
case("ids that are wanted", table(["customer_id", "y"], [lambda r: 7129300520 + 7919 * r % 10007, y]), {"customer_id": NUMBER},
     options=("--numeric", "customer_id"))
case("free text", table(["comment", "y"], [lambda r: f"customer {r} was happy with what we sent", y]), {"comment": {**OUT, "kind": "text"}})
case("one value", table(["c", "n", "y"], [lambda r: "EU", lambda r: 3, y]), {"c": {**OUT, "kind": "constant"}, "n": {**OUT, "kind": "constant"}})
case("no value", table(["e", "y"], [lambda r: "", y]), {"e": {**OUT, "kind": "empty", "missing": ROWS}})
case("numbers that all differ are no ids", table(["x", "y"], [lambda r: r * r, y]), {"x": PLAIN})

# Files
case("no line break at the end", table(["x", "y"], [value, y]).rstrip("\n"), {"x": PLAIN})
case("Windows line breaks", table(["x", "y"], [value, y], end="\r\n"), {"x": PLAIN, "y": PLAIN})
case("old Mac line breaks", table(["x", "y"], [value, y], end="\r"), {"x": PLAIN, "y": PLAIN})
case("blank lines", table(["x", "y"], [value, y], end="\n\n"), {"x": PLAIN})
case("a byte order mark", b"\xef\xbb\xbf" + table(["x", "y"], [value, y]).encode(), {"x": PLAIN})
case("tabs", table(["x", "y"], [value, y], delimiter="\t"), {"x": PLAIN})
case("pipes", table(["x", "y"], [value, y], delimiter="|"), {"x": PLAIN})
case("Excel's sep line", "sep=;\n" + table(["x", "y"], [value, y], delimiter=";"), {"x": PLAIN})
case("blanks after commas", table(["x", " y"], [value, lambda r: f" {y(r)}"]), {"y": PLAIN})
case("UTF-16", table(["größe", "y"], [value, y]).encode("utf-16"), {"größe": PLAIN})
case("UTF-16 big-endian", b"\xfe\xff" + table(["x", "y"], [value, y]).encode("utf-16-be"), {"x": PLAIN})
case("Latin-1", table(["größe", "ort", "y"], [value, lambda r: ["Köln", "Zürich"][r % 2], y]).encode("latin-1"),
     {"größe": PLAIN, "ort": {"categories": ["Köln", "Zürich"]}})
case("a trailing comma in every line", "x,y,\n" + "".join(f"{value(r)},{y(r)},\n" for r in range(ROWS)), {"x": PLAIN, "y": PLAIN})
case("a trailing comma in the lines, not in the header", "x,y\n" + "".join(f"{value(r)},{y(r)},\n" for r in range(ROWS)), {"x": PLAIN, "y": PLAIN})
case("a name twice, not used", table(["x", "a", "a", "y"], [value, value, y, y]), {"x": PLAIN, "y": PLAIN})
case("a name twice, used", table(["x", "y", "y"], [value, y, y]), error=("'y'", "2", "3"), options=("--target", "y"))
case("a line too long", "x,y\n1,2\n3,4,5\n6,7\n", error=("line 3", "3 fields"))
case("a line too short", "x,y\n1,2\n3\n6,7\n", error=("line 3", "1 field"))
case("an empty file", "", error=("empty",))
case("a header only", "x,y\n", error=("no row",))
case("an unclosed quote", 'x,y\n1,2\n"3,4\n5,6\n', error=("line 3", "quote"))
case("a zero byte", b"x,y\n1,2\n3,\x004\n", error=("line 3",))

# Headers: a first line that is a row, and --no-header
IRIS = "".join(f"{4 + r % 30 / 10},{3 + r % 7 / 10},{['setosa', 'virginica'][r % 2]}\n" for r in range(ROWS))
LIKE_DATA = "the first line looks like data"
case("no header: iris", IRIS, rows=ROWS - 1, warns=(LIKE_DATA, "'4.0', '3.0', 'setosa'", "--no-header"))
case("no header: texts", "".join(f"{'pe'[r % 2]},{'xbs'[r % 3]},{'ny'[r % 2]}\n" for r in range(ROWS)), rows=ROWS - 1, warns=(LIKE_DATA,))
case("no header: blanks", "".join(f"  {0.01 * r:.3f}   {r % 5}.0  {r % 3}\n" for r in range(ROWS)), rows=ROWS - 1, warns=(LIKE_DATA,))
case("no header: iris, told", IRIS, {"column1": {**PLAIN, "lowest": 4}, "column3": {"categories": ["setosa", "virginica"]}}, options=("--no-header",))
case("no header: blanks, told", "".join(f"  {0.01 * r:.3f}   {r % 5}.0  {r % 3}\n" for r in range(ROWS)), {"column2": {**PLAIN, "highest": 4}},
     options=("--no-header",))
case("no header: semicolons and decimal commas, told", "".join(f"{r},5;{r % 4}\n" for r in range(ROWS)), {"column1": {**NUMBER, "lowest": 0.5}},
     options=("--no-header",))
case("a header of years", table(["land", "2018", "2019"], [lambda r: "DE" if r % 2 else "FR", lambda r: 1900 + r, lambda r: 2000 + r]), {"2018": PLAIN}, warns=())
case("a header of numbers", table(["0", "1", "2", "3"], [lambda r: r % 4] * 4), {"3": PLAIN}, warns=())
case("a header with a number", table(["x", "90"], [value, y]), {"90": PLAIN}, warns=())

# Blanks as delimiter
case("blanks: one", table(["x", "c", "y"], [value, lambda r: "ab"[r % 2], y], delimiter=" "), {"x": PLAIN, "c": {"categories": ["a", "b"]}})
case("blanks: aligned columns", "".join(f"{x:>8}{c:>6}\n" for x, c in [("x", "y")] + [(value(r), y(r)) for r in range(ROWS)]), {"x": PLAIN, "y": PLAIN})
case("blanks: tabs and blanks mixed", "x \t y\n" + "".join(f"{value(r)}  \t{y(r)} \n" for r in range(ROWS)), {"x": PLAIN, "y": PLAIN})
case("blanks: write.table of R", '"x" "c"\n' + "".join(f'"{r}" {value(r)} "a {"bc"[r % 2]}"\n' for r in range(ROWS)),
     {"x": PLAIN, "c": {"categories": ["a b", "a c"]}}, left_out=("row number",))
case("blanks: Windows line breaks", table(["x", "y"], [value, y], delimiter="   ", end="\r\n"), {"x": PLAIN, "y": PLAIN})
case("blanks: a line too short", "x y\n" + "1 2\n" * 70 + "3\n", error=("line 72", "1 field"))
case("blanks: in texts of a single column", table(["full name"], [lambda r: ["John Smith", "Ada Lovelace"][r % 2]]), {"full name": {"kind": "category"}})
case("blanks: told", table(["x", "y"], [value, y], delimiter="  "), {"x": PLAIN}, options=("--delimiter", "blanks"))

# Comments
case("comments: before the header", "# by a program, in 2024, with commas\n#\n" + table(["x", "y"], [value, y]), {"x": PLAIN, "y": PLAIN})
case("comments: between rows", "# one\n" + table(["x", "y"], [lambda r: value(r) if r else "1", y]).replace("\n1,", '\n# "open, quote\n1,', 1),
     {"x": PLAIN, "y": PLAIN})
case("comments: after a byte order mark", b"\xef\xbb\xbf# one\r\n" + table(["x", "y"], [value, y], end="\r\n").encode(), {"x": PLAIN, "y": PLAIN})
case("comments: as many cells as the header", "# source, 2019, 2020\n" + table(["land", "2018", "2019"], [lambda r: "DE", value, y]), {"2018": PLAIN})
case("comments: a header that begins with a mark", "#" + table(["x", "y"], [value, y]), {"x": PLAIN, "y": PLAIN})
case("comments: a header in the last comment", "# a program\n# x y\n" + "".join(f"{value(r)} {y(r)}\n" for r in range(ROWS)), {"x": PLAIN, "y": PLAIN})
case("comments: marks are cells in other files", table(["c", "y"], [lambda r: f"#{r % 3}", y]), {"c": {"categories": ["#0", "#1", "#2"]}})
case("comments: a title is no comment", "Sales of 2024\n" + table(["x", "y"], [value, y]), error=("Sales of 2024", "tail -n +2"))

# Files of other programs
case("other: xlsx", b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0[Content_Types].xml", error=("Excel", "read_excel", "openpyxl"))
case("other: xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), error=("Excel", "xlrd"))
case("other: zip", b"PK\x03\x04\x14\0\0\0\x08\0houses.csv", error=("zip", "unzip -p"))
case("other: JSON", '[{"x": 1, "y": 2}, {"x": 3, "y": 4}]\n', error=("JSON", "read_json"))
case("other: JSON by columns", '{\n "x": [1, 2]\n}\n', error=("JSON", "read_json"))
case("other: JSON lines", '{"x": 1, "y": 2}\n{"x": 3, "y": 4}\n', error=("JSON lines", "lines=True"))
case("other: a page instead of a download", "<!DOCTYPE html>\n<html><head><title>404</title>", error=("HTML", "download"))
case("other: pickle", b"\x80\x04\x95\x1a\0\0\0\0\0\0\0", error=("pickle", "read_pickle", "trust"))
case("other: RData", gzip.compress(b"RDX3\nX\n\0\0\0\3\0\4\3\1"), error=("RData", "Rscript", "write.csv"))
case("other: rds", gzip.compress(b"X\n\0\0\0\3\0\4\3\1\0\3\5\0"), error=("rds", "readRDS"))
case("other: SQLite", b"SQLite format 3\0\x10\0\1\1\0@", error=("SQLite", "sqlite3"))
case("other: SAS", bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf", error=("SAS", "read_sas"))
case("other: Stata", "<stata_dta><header><release>118</release>", error=("Stata", "read_stata"))
case("other: SPSS", "$FL2@(#) SPSS DATA FILE - xxx\n", error=("SPSS", "read_spss"))
case("other: OpenDocument", b"PK\x03\x04\x14\0\0\x08\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet", error=("OpenDocument", "read_excel", "odfpy"))
case("other: xlsx of another program", b"PK\x03\x04\x14\0\0\0\x08\0docProps/app.xml", error=("Excel", "openpyxl"))
case("other: JSON after a byte order mark, compressed", gzip.compress(b"\xef\xbb\xbf\n [[1, 2], [3, 4]]"), error=("JSON", "read_json"))
case("other: a table of a page", '<TABLE border="1"><tr><td>1</td></tr></TABLE>', error=("HTML", "read_html"))
case("other: a page that is XML", '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml">', error=("HTML", "download"))
case("other: XML", '<?xml version="1.0"?>\n<rows><row x="1"/></rows>', error=("XML", "read_xml"))
for number, start in ((2, b"\x80\x02cpandas"), (5, b"\x80\x05\x95\x1a\0\0")):
    case(f"other: pickle, protocol {number}", start, error=("pickle", "trust"))
case("other: RData without compression", b"RDX2\nX\n\0\0\0\2", error=("RData", "write.csv"))
case("other: rds in ASCII", "A\n3\n262144\n197888\n", error=("rds", "readRDS"))
for name, start, command in (("bzip2", b"BZh91AY&SY\0", "bzip2 -dc"), ("xz", b"\xfd7zXZ\0\0", "xz -dc"), ("zstd", b"\x28\xb5\x2f\xfd\4", "zstd -dc")):
    case(f"other: {name}", start, error=(name, command))
case("other: brackets in a header are no JSON", table(["[x]", "{y}"], [value, y]), {"[x]": PLAIN, "{y}": PLAIN})
