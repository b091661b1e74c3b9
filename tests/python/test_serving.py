"""docs/serving.md: every command and every line of code runs, in order; the service answers; the C program prints what Taut predicts."""
import json
import os
import pathlib
import re
import subprocess
import threading
import urllib.error
import urllib.request

import pytest
from conftest import ROOT

PROGRAM = pathlib.Path(os.environ.get("TAUT", ROOT / "build" / "taut")).resolve()
PAGE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """What the page leaves: its folder, the names of its Python code, and what each shell block printed. Blocks with a compiler are left out."""
    folder = tmp_path_factory.mktemp("serving")
    (folder / "bin").mkdir()
    (folder / "bin" / "taut").symlink_to(PROGRAM)
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    names, printed, before = {"__name__": "serving"}, [], os.getcwd()
    os.chdir(folder)
    try:
        for language, code in re.findall(r"(?ms)^```(sh|python)\n(.*?)^```$", PAGE):
            if language == "python":
                if "onnxruntime" in code:
                    pytest.importorskip("onnxruntime")
                exec(compile(code, "serving.md", "exec"), names)
            elif not code.startswith("cc "):
                done = subprocess.run(["sh", "-e", "-c", code], env=environment, capture_output=True, text=True, check=False)
                assert done.returncode == 0, f"{code}\n{done.stderr}"
                printed.append(done.stdout)
    finally:
        os.chdir(before)
    yield folder, names, printed
    names["server"].server_close()


def test_the_command_line_answers_every_row(served):
    folder, names, printed = served
    lines = (folder / "intervals.csv").read_text().splitlines()
    assert lines[0] == "prediction,lower_0.9,upper_0.9" and len(lines) == 4  # a missing cell too
    f, lower, upper = map(float, lines[1].split(","))
    assert (f, lower, upper) == (names["y_pred"][0], *names["intervals"][0, :, 0])  # the same bits as in Python
    assert printed[1].startswith("district,prediction,lower_0.9,upper_0.9,lower_0.95,upper_0.95\nnorth,")


def test_the_service_answers_rows_and_refuses_others(served):
    _, names, _ = served
    server = names["server"]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    names["Service"].log_message = lambda *_: None
    thread.start()

    def ask(content):
        request = urllib.request.Request(f"http://127.0.0.1:{server.server_address[1]}", data=content)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as wrong:
            return wrong.code, json.load(wrong)

    try:
        code, answer = ask(json.dumps([{"district": "north", "area": 80}]).encode())
        assert code == 200 and answer["prediction"] == [names["y_pred"][0]]
        assert [answer["lower"], answer["upper"]] == [[end] for end in names["intervals"][0, :, 0]]
        assert ask(b"no json")[0] == 400
        code, answer = ask(b'[{"district": "north"}]')
        assert code == 400 and "area" in answer["error"]
    finally:
        server.shutdown()
        thread.join()


@pytest.mark.slow
def test_the_c_program_prints_what_taut_predicts(served):
    folder, names, _ = served
    (code,) = re.findall(r"(?ms)^```c\n(.*?)^```$", PAGE)
    codes = {text: code for name, categories in names["model"].model_.columns if name == "district" for code, text in enumerate(categories)}
    (folder / "serve.c").write_text(code.replace("{80, 0}", f"{{80, {codes['north']}}}"))
    (build,) = [block for block in re.findall(r"(?ms)^```sh\n(.*?)^```$", PAGE) if block.startswith("cc ")]
    done = subprocess.run(["sh", "-e", "-c", build], cwd=folder, capture_output=True, text=True, check=True)
    f, (lower, upper) = names["y_pred"][0], names["intervals"][0, :, 0]
    assert done.stdout == "%.6g, between %.6g and %.6g\n" % (f, lower, upper)
