"""Kernels for processors with wide vectors must not define functions that other files share. The linker keeps one copy of such a
function for the whole program, and that copy must run on every processor (cmake/dispatch.cmake)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
OBJECTS = pathlib.Path(os.environ["TAUT_OBJECTS"])


def main():
    objects = [path for path in OBJECTS.glob("CMakeFiles/taut_*.dir/taut/*/kernels_avx*.cpp.o")]
    if not objects or shutil.which("nm") is None:
        print("SKIPPED: found no kernel objects, or nm is missing", file=sys.stderr)
        return SKIPPED
    names = {path.parent.name for path in objects}
    assert names == {"algebra", "network", "trees"}, f"kernels of {sorted(names)}"
    for path in objects:
        level = re.search(r"kernels_(\w+)\.cpp", path.name)[1]
        lines = subprocess.run(["nm", "-C", path], check=True, capture_output=True, text=True).stdout.splitlines()
        symbols = [match.groups() for line in lines if (match := re.match(r"[0-9a-f]+ ([A-Za-z]) (.*)", line))]
        assert any(level in name for _, name in symbols), f"{path.name} has no kernels"
        shared = [name for kind, name in symbols if kind in "WVu" and f"Eigen_{level}::" not in name and "DW.ref." not in name]
        assert not shared, f"{path.name} defines functions that other files may share: {shared}"
    print(f"{len(objects)} objects define nothing that other files share")
    return 0


if __name__ == "__main__":
    sys.exit(main())
