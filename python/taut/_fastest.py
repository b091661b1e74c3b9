"""Wheels carry the compiled module more than once: for any processor, and in levels/ for better ones. This takes the best that serves here.

The environment variable TAUT_LEVEL names one instead ("plain": the one for any processor); tests and the unlucky need it.
"""
import importlib.util
import os
import pathlib
import platform
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader

# What an x86-64 processor must say about itself (/proc/cpuinfo), by the levels that compilers know.
V2 = {"cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2"}
V3 = V2 | {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
V4 = V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
LEVELS = {"x86-64-v4": V4, "x86-64-v3": V3, "x86-64-v2": V2}  # best first


def flags(cpuinfo="/proc/cpuinfo"):
    """What all processors can do; nothing where that is not told."""
    try:
        with open(cpuinfo, encoding="ascii", errors="replace") as file:
            told = [set(line.partition(":")[2].split()) for line in file if line.startswith("flags")]
    except OSError:
        return set()
    return set.intersection(*told) if told else set()


def loadable(folder, version):
    """The module of each level in `folder` that a Python of this version loads. Every Python takes .abi3.so for its own; ours begin with 3.12."""
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
    """Puts the best module in the place of taut._core. Without levels (a build of one's own) nothing happens."""
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
    sys.modules[package]._core = module  # as importing it the usual way would
