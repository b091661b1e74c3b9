"""Changes entries of model files and writes them again with a correct checksum, as an attacker would."""
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
sys.path.insert(0, str(ROOT / "tests" / "cli"))
from read_model import LETTERS, TYPES, entries  # noqa: E402

MARK = b"\x89TAUT\r\n\n"
TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = (byte >> 1) ^ (0xC96C5795D7870F42 if byte & 1 else 0)
    TABLE.append(byte)


def crc64(data):
    crc = 2**64 - 1
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ (crc >> 8)
    return crc ^ 2**64 - 1


def frame(payload):
    head = MARK + struct.pack("<IQ", 2, len(payload))
    return head + payload + struct.pack("<Q", crc64(head + payload))


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value_bytes(kind, value):
    if isinstance(value, bytes):
        return value  # written unchanged, even if it is wrong
    if kind in ("number", "integer"):
        return struct.pack("<d" if kind == "number" else "<q", value)
    if kind == "text":
        return text(value)
    if kind == "texts":
        return struct.pack("<Q", len(value)) + b"".join(map(text, value))
    if kind.endswith("matrix"):
        columns = len(value[0]) if value else 0
        cells = [cell for row in value for cell in row]
        return struct.pack(f"<QQ{len(cells)}{LETTERS[kind]}", len(value), columns, *cells)
    return struct.pack(f"<Q{len(value)}{LETTERS[kind]}", len(value), *value)


class File(dict):
    """name -> (type, value); a value of type bytes is written unchanged."""

    @classmethod
    def read(cls, path):
        return cls({name: (kind, value) for name, kind, value in entries(path)})

    def but(self, **changes):
        """A copy with other values; `predictor__member0__weights=...` changes the entry predictor/member0/weights."""
        copy = File(self)
        for name, value in changes.items():
            name = name.replace("__", "/")
            copy[name] = (copy[name][0], value)
        return copy

    def bytes(self):
        parts = [text(name) + bytes([TYPES.index(kind)]) + value_bytes(kind, value) for name, (kind, value) in sorted(self.items())]
        return frame(struct.pack("<Q", len(parts)) + b"".join(parts))
