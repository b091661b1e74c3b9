"""Runs the code of the tutorials and compares the shown output with the output of the program, without numbers. Part of `make site-test`.

    TAUT=build/taut TAUT_DATA=FOLDER PYTHONPATH=build/python python tests/site/tutorials_test.py [NAME ...]

Exit code 77, with a line for each skipped page, if data, a package that a page imports, or a command of this build is missing.
"""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "tutorials"
PROGRAM = pathlib.Path(os.environ.get("TAUT", ROOT / "build" / "taut")).resolve()
LEFT_OUT = 77


def form(line):
    """A line without parts that may differ between machines and versions: numbers, alignment, and selected candidates."""
    line = re.sub(r", (one scale for both sides|a scale for each side|no scale)|\bkept$", "", line.strip())
    line = re.sub(r"transformation \w+ by", "transformation by", line)
    return " ".join(re.sub(r"-?\d[\d.,]*(e[-+]?\d+)?", "#", line).split())


def missing(text):
    """Why this page cannot be run here, or None."""
    for name in sorted(set(re.findall(r"\$TAUT_DATA/([\w.]+)|TAUT_DATA\"\] \+ \"/([\w.]+)", text))):
        file = "".join(name)
        if not (pathlib.Path(os.environ.get("TAUT_DATA", "")) / file).is_file() or not os.environ.get("TAUT_DATA"):
            return f"there is no {file} in $TAUT_DATA; tools/get-data downloads it"
    for module in re.findall(r"(?m)^(?:import|from) (\w+)", "".join(re.findall(r"(?ms)^```python\n(.*?)^```$", text))):
        if importlib.util.find_spec(module) is None:
            return f"the package {module} is not installed"
    known = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    for command in sorted(set(re.findall(r"(?m)^taut (\w+) ", "".join(re.findall(r"(?ms)^```sh\n(.*?)^```$", text))))):
        if not re.search(rf"(?m)^  {command} ", known):
            return f"this build has no command {command}"
    fit = subprocess.run([PROGRAM, "fit", "--help"], capture_output=True, text=True, check=True).stdout
    for option in sorted(set(re.findall(r" (--[\w-]+)", "".join(re.findall(r"(?m)^taut fit .*$", text))))):
        if f" {option}" not in fit:
            return f"this build's fit has no option {option}"
    return None


def run(name, text, folder):
    (folder / "bin").mkdir()
    (folder / "bin" / "taut").symlink_to(PROGRAM)
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "LC_ALL": "C"}
    names, printed = {"__name__": name}, set()
    os.chdir(folder)
    ran = 0
    for language, code in re.findall(r"(?ms)^```(sh|python|text)\n(.*?)^```$", text):
        if language == "python":
            exec(compile(code, f"{name}.md", "exec"), names)
            ran += 1
        elif language == "sh":
            done = subprocess.run(["sh", "-e", "-c", code], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=600, check=False)
            assert done.returncode == 0, f"{name}.md:\n{code}\n{done.stdout}"
            printed = {form(line) for line in done.stdout.splitlines()}
            ran += 1
        else:
            for line in code.splitlines():
                assert line.strip() == "..." or form(line) in printed, f"{name}.md shows what is not printed: {line}"
    assert ran > 3, f"{name}.md has {ran} blocks"


def main():
    left_out = []
    for name in sys.argv[1:] or sorted(page.stem for page in PAGES.glob("*.md") if page.stem != "index"):
        text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
        reason = missing(text)
        if reason:
            left_out.append(name)
            print(f"SKIPPED {name}: {reason}", flush=True)
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="taut-tutorial-") as folder:
            run(name, text, pathlib.Path(folder))
            os.chdir(ROOT)
        print(f"ok      {name}: {time.monotonic() - began:.1f} s", flush=True)
    return LEFT_OUT if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
