"""tools/get-data: what it writes, what it refuses and what it leaves behind, with a server on this machine instead of the public ones."""
import contextlib
import gzip
import http.server
import io
import os
import pathlib
import re
import sys
import tarfile
import tempfile
import threading
import types
import unittest
from dataclasses import replace
from importlib.machinery import SourceFileLoader

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("TAUT_DATA") or ROOT.parent / "shared" / "data")
tool = types.ModuleType("get_data")  # get-data is a program without the suffix .py
sys.modules["get_data"] = tool
SourceFileLoader("get_data", str(ROOT / "tools" / "get-data")).exec_module(tool)

TABLE = b"when,a,y\n2011-01-01 00:00:00,1.5,10\n2011-01-01 01:00:00,-2,20\n"
OTHER_NOTATION = b'\xef\xbb\xbf"when","a","y"\r\n2011-01-01 00:00:00, 1.50,10.0\r\n2011-01-01 01:00:00,-2.000000,2e1\r\n'
SMALL = tool.DataSet(about="two rows", address="", page="https://example.org/page", licence="CC0 1.0", cite="nobody",
                     columns=("when", "a", "y"), rows=2, table=tool.sha256(TABLE))


class Server(http.server.ThreadingHTTPServer):
    """Answers with the bytes of `pages`; a page of None breaks off within the answer."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.pages, self.asked = {}, []


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        content = self.server.pages.get(self.path, b"")
        self.send_response(200 if self.path in self.server.pages else 404)
        self.send_header("Content-Length", str(len(TABLE) if content is None else len(content)))
        self.end_headers()
        self.wfile.write(TABLE[:20] if content is None else content)

    def log_message(self, *_):
        pass


class GetData(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        holder = tempfile.TemporaryDirectory(prefix="taut-get-data-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name) / "data"

    def at(self, page):
        return f"http://127.0.0.1:{self.server.server_address[1]}{page}"

    def run_tool(self, *words, sets=None):
        """The exit code and everything that was printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                code = tool.main([*words, "--to", str(self.folder)], sets or {"small": replace(SMALL, address=self.at("/small.csv"))})
            except SystemExit as ended:
                code = ended.code
        return code, printed.getvalue()

    def refused(self, says, *words, sets=None):
        code, printed = self.run_tool(*words, sets=sets)
        self.assertEqual(code, 1, printed)
        for text in says:
            self.assertIn(text, printed)
        self.assertFalse(self.folder.exists(), "something was left behind")
        return printed

    def written(self):
        self.assertEqual(sorted(os.listdir(self.folder)), ["small.csv.gz"])
        return gzip.decompress((self.folder / "small.csv.gz").read_bytes())

    def test_a_table_in_any_notation_becomes_the_same_bytes(self):
        files = set()
        for content in (TABLE, OTHER_NOTATION, gzip.compress(TABLE)):
            self.server.pages["/small.csv"] = content
            code, printed = self.run_tool()
            self.assertEqual(code, 0, printed)
            self.assertIn(f"export TAUT_DATA={self.folder}", printed)
            self.assertIn("CC0 1.0", printed)
            self.assertEqual(self.written(), TABLE)
            files.add((self.folder / "small.csv.gz").read_bytes())
            (self.folder / "small.csv.gz").unlink()
        self.assertEqual(len(files), 1)

    def test_a_file_that_is_there_is_not_fetched_again(self):
        self.server.pages["/small.csv"] = TABLE
        self.run_tool()
        code, printed = self.run_tool()
        self.assertEqual((code, self.server.asked), (0, ["/small.csv"]))
        self.assertIn("already there", printed)

    def test_a_file_of_the_user_is_never_replaced(self):
        self.server.pages["/small.csv"] = TABLE
        self.folder.mkdir()
        for content in (b"mine", gzip.compress(b"x,y\n1,2\n"), gzip.compress(TABLE.replace(b"20", b"21")), gzip.compress(TABLE)[:-9], b""):
            (self.folder / "small.csv.gz").write_bytes(content)
            code, printed = self.run_tool()
            self.assertEqual(code, 1)
            self.assertIn("exists and is something else", printed)
            self.assertIn("Move it away", printed)
            self.assertEqual((self.folder / "small.csv.gz").read_bytes(), content)

    def test_an_archive_without_a_header_and_a_column_to_drop(self):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            body = TABLE.partition(b"\n")[2]
            entry = tarfile.TarInfo("folder/rows.data")
            entry.size = len(body)
            archive.addfile(entry, io.BytesIO(body))
        self.server.pages = {"/a.tgz": packed.getvalue(), "/b.csv": TABLE}
        archived = replace(SMALL, address=self.at("/a.tgz"), member="folder/rows.data", header=False)
        dropped = replace(SMALL, address=self.at("/b.csv"), columns=("a", "y"), drop=("when",), table=None, source=tool.sha256(TABLE))
        code, printed = self.run_tool(sets={"archived": archived, "dropped": dropped})
        self.assertEqual(code, 0, printed)
        self.assertEqual(gzip.decompress((self.folder / "archived.csv.gz").read_bytes()), TABLE)
        self.assertEqual(gzip.decompress((self.folder / "dropped.csv.gz").read_bytes()), b"a,y\n1.5,10\n-2,20\n")
        self.assertEqual(self.run_tool(sets={"archived": archived, "dropped": dropped})[1].count("already there"), 2)
        self.refused_in_new_folder(["no file other.data"], {"small": replace(archived, member="other.data")})

    def refused_in_new_folder(self, says, sets):
        self.folder = self.folder.parent / "new"
        self.refused(says, sets=sets)

    def test_wrong_tables_are_refused_and_nothing_is_left(self):
        for content, says in [
            (TABLE.replace(b"20\n", b"21\n"), ["the values are not", tool.sha256(TABLE)]),
            (TABLE.replace(b"a,y", b"y,a"), ["when,y,a", "when,a,y"]),
            (TABLE + b"2011,1,1\n", ["3 rows instead of 2"]),
            (TABLE + b"2011,1\n", ["row 3 has 2 cells instead of 3"]),
            (b"", ["the columns are ''"]),
            (b"\n<!DOCTYPE html><html>Log in</html>", ["web page", "proxy"]),
            (gzip.compress(TABLE)[:-9], ["damaged"]),
            (b"\xff\xfe\x00", ["damaged or of another kind"]),
            (None, ["broke off after 20 of"]),
        ]:
            with self.subTest(says=says):
                self.server.pages["/small.csv"] = content
                self.refused([*says, "--from small=FILE", SMALL.page])
        self.server.pages["/small.csv"] = TABLE  # and the next run works
        self.assertEqual(self.run_tool()[0], 0)

    def test_a_wrong_checksum_of_the_source_is_refused_where_only_that_is_known(self):
        self.server.pages["/small.csv"] = OTHER_NOTATION
        sets = {"small": replace(SMALL, address=self.at("/small.csv"), source=tool.sha256(TABLE), table=None)}
        self.refused([tool.sha256(OTHER_NOTATION), tool.sha256(TABLE)], sets=sets)

    def test_without_a_network_it_says_what_to_do(self):
        nobody = replace(SMALL, address="http://127.0.0.1:1/small.csv")
        printed = self.refused(["cannot reach http://127.0.0.1:1/small.csv", "refused", "another machine", "By hand"], sets={"small": nobody})
        self.assertNotIn("Traceback", printed)
        self.refused(["cannot reach http://none.invalid/x"], sets={"small": replace(SMALL, address="http://none.invalid/x")})
        self.refused(["answered 404"])

    def test_one_failure_does_not_hold_up_the_others(self):
        self.server.pages["/good.csv"] = TABLE
        code, printed = self.run_tool(sets={"bad": replace(SMALL, address=self.at("/none")), "good": replace(SMALL, address=self.at("/good.csv"))})
        self.assertEqual(code, 1)
        self.assertIn("1 of 2 data sets are missing", printed)
        self.assertEqual(os.listdir(self.folder), ["good.csv.gz"])

    def test_a_file_by_hand(self):
        mine = self.folder.parent / "mine.csv"
        mine.write_bytes(OTHER_NOTATION)
        self.refused(["cannot read", "No such file"], "--from", "small=none.csv")
        for origin in (mine, mine.as_uri()):
            code, printed = self.run_tool("small", "--from", f"small={origin}")
            self.assertEqual(code, 0, printed)
            self.assertEqual(self.written(), TABLE)
            (self.folder / "small.csv.gz").unlink()
        self.assertEqual(self.server.asked, [])

    def test_usage(self):
        for words in (["smal"], ["--from", "smal=x"]):
            code, printed = self.run_tool(*words)
            self.assertEqual(code, 2)
            self.assertIn("there is no data set 'smal'; there are: small", printed)
        code, printed = self.run_tool("--list", sets=tool.SETS)
        self.assertEqual(code, 0)
        for wanted in tool.SETS.values():
            for text in (wanted.address, wanted.licence, wanted.cite):
                self.assertIn(text, printed)

    def test_a_folder_that_cannot_be_written(self):
        self.server.pages["/small.csv"] = TABLE
        self.folder.write_text("a file")
        code, printed = self.run_tool()
        self.assertEqual(code, 1)
        self.assertIn("cannot write into", printed)
        self.assertIn("--to", printed)

    def test_every_data_set_of_the_tutorials_is_listed(self):
        used = {}
        for page in (ROOT / "docs" / "tutorials").glob("*.md"):
            for one, other in re.findall(r"\$TAUT_DATA/(\w+)\.csv\.gz|TAUT_DATA\"\] \+ \"/(\w+)\.csv\.gz", page.read_text(encoding="utf-8")):
                used[one or other] = page.name
        self.assertEqual(set(used), set(tool.SETS))
        for wanted in tool.SETS.values():
            self.assertTrue(wanted.address.startswith("https://"))
            self.assertTrue(wanted.source or wanted.table, "one checksum at least")

    def test_the_checksums_are_those_of_the_tables_that_the_tutorials_were_run_on(self):
        there = [name for name in tool.SETS if (DATA / f"{name}.csv.gz").is_file()]
        if not there:
            self.skipTest(f"no data sets in {DATA}")
        for name in there:
            self.assertTrue(tool.present(DATA / f"{name}.csv.gz", tool.SETS[name]), name)


if __name__ == "__main__":
    unittest.main(verbosity=0)
