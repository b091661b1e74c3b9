"""Chooses the compiled module. Wheels contain a module for any processor, and in levels/ modules for newer ones; the best that runs here is used.

The environment variable TAUT_LEVEL selects one instead ("plain": the module for any processor), for tests and as a workaround.
"""
import importlib.util
import os
import pathlib
import platform
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader

# The flags in /proc/cpuinfo that an x86-64 processor needs for each microarchitecture level.
V2 = {"cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2"}
V3 = V2 | {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
V4 = V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
LEVELS = {"x86-64-v4": V4, "x86-64-v3": V3, "x86-64-v2": V2}  # best first


def flags(cpuinfo="/proc/cpuinfo"):
    """The flags that all processors have; empty if they are not known."""
    try:
        with open(cpuinfo, encoding="ascii", errors="replace") as file:
            found = [set(line.partition(":")[2].split()) for line in file if line.startswith("flags")]
    except OSError:
        return set()
    return set.intersection(*found) if found else set()


def loadable(folder, version):
    """The module of each level in `folder` that a Python of this version loads. Every Python accepts .abi3.so, but ours need 3.12."""
    suffixes = [suffix for suffix in EXTENSION_SUFFIXES if "abi3" not in suffix or version[:2] >= (3, 12)]
    found = {level: [file for file in (folder / level / f"_core{suffix}" for suffix in suffixes) if file.is_file()] for level in LEVELS}
    return {level: files[0] for level, files in found.items() if files}


def best(folder, have, version=sys.version_info):
    """The file of the best level in `folder` that a processor with these flags can run, or None."""
    wanted = os.environ.get("TAUT_LEVEL", "")
    modules = loadable(folder, version)
    for level, file in modules.items():
        if level == wanted if wanted else LEVELS[level] <= have:
            return file
    if wanted not in ("", "plain"):
        raise ImportError(f"TAUT_LEVEL: this package has no module for '{wanted}'; there are: {', '.join(['plain', *modules])}")
    return None


def prefer_fastest(package="taut"):
    """Loads the best module as taut._core. Does nothing if there is no folder levels/, as in a build from source."""
    folder = pathlib.Path(__file__).parent / "levels"
    name = f"{package}._core"
    if name in sys.modules or not folder.is_dir() or platform.machine() not in ("x86_64", "AMD64"):
        return
    file = best(folder, flags())
    if file is None:
        return
    loader = ExtensionFileLoader(name, str(file))
    spec = importlib.util.spec_from_file_location(name, file, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    sys.modules[package]._core = module  # as a normal import does
