#!/usr/bin/env python3
"""Reads a Taut model file with nothing but the standard library: an example for docs/model-file.md.

    python3 docs/read_model.py MODEL.taut     lists every entry: name, type, shape, first values
"""
import struct
import sys

TYPES = ["number", "integer", "text", "texts", "bytes", "int32s", "int64s", "floats", "doubles", "float matrix", "matrix"]
LETTERS = {"bytes": "B", "int32s": "i", "int64s": "q", "floats": "f", "doubles": "d", "float matrix": "f", "matrix": "d"}


def crc64(data):
    crc = 2**64 - 1
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xC96C5795D7870F42 if crc & 1 else 0)
    return crc ^ 2**64 - 1


def entries(path):
    """(name, type, value) of every entry; a matrix is a list of rows."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, length = struct.unpack_from("<8sIQ", data)
    assert magic == b"\x89TAUT\r\n\n", "not a model file"
    assert version == 2, f"format version {version}"
    assert len(data) == 20 + length + 8, "cut short, or too long"
    assert crc64(data[:-8]) == struct.unpack("<Q", data[-8:])[0], "damaged"
    at = 20

    def take(layout):
        nonlocal at
        values = struct.unpack_from("<" + layout, data, at)
        at += struct.calcsize("<" + layout)
        return values

    def text():
        return take(f"{take('Q')[0]}s")[0].decode()

    def value(kind):
        if kind == "number" or kind == "integer":
            return take("d" if kind == "number" else "q")[0]
        if kind == "text":
            return text()
        if kind == "texts":
            return [text() for _ in range(take("Q")[0])]
        if kind.endswith("matrix"):
            rows, columns = take("QQ")
            return [list(take(f"{columns}{LETTERS[kind]}")) for _ in range(rows)]
        return list(take(f"{take('Q')[0]}{LETTERS[kind]}"))

    for _ in range(take("Q")[0]):
        name, kind = text(), TYPES[take("B")[0]]
        yield name, kind, value(kind)
    assert at == len(data) - 8, "bytes are left over"


if __name__ == "__main__":
    for name, kind, value in entries(sys.argv[1]):
        count = f"[{len(value)}]" if isinstance(value, list) else ""
        shown = repr(value[:4])[:-1] + ", ...]" if count and len(value) > 4 else repr(value)
        print(f"{name:48} {kind + count:16} {shown[:100]}")
