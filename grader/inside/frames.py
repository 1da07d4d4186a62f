"""The wire between judge and room: length-capped frames of JSON and tensors. No pickle, no object
dtype, nothing executed.

A frame is two little-endian lengths (4 bytes of meta, 8 bytes of blob), the meta as a JSON object,
and the tensors as one safetensors blob (https://huggingface.co/docs/safetensors): a table of names,
dtypes, shapes and offsets, and their bytes. Both sides write with this file, and the room reads
with it what the judge wrote. The judge reads with `sandbox/intake/reader.py` what a hostile program
may have written. Why this is done here and not by the library: docs/design/intake.md.
"""

import json
import math
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

HEADER = struct.Struct("<IQ")
# a safetensors blob begins with the length of its table of tensors
TABLE_LENGTH = struct.Struct("<Q")
META_BYTES = 1 << 16
LARGE_BYTES = 1 << 16  # a tensor so large is not copied to be sent
RANK = 16  # axes of a tensor
# the other axes of a tensor without entries, multiplied: such a tensor takes no bytes on the wire
EMPTY_ELEMENTS = 1 << 20
TOO_MANY_AXES, EMPTY_TOO_LARGE = "too_many_axes", "empty_too_large"
LEAF = re.compile(r"[.\[]")  # between the name of a result and a leaf of it
ABSENT = "absent:"  # before what is told in the place of a dtype when a tensor did not come
DTYPES = frozenset(
    [
        "float64",
        "float32",
        "float16",
        "int64",
        "int32",
        "int16",
        "int8",
        "uint64",
        "uint32",
        "uint16",
        "uint8",
        "bool",
    ]
)
STORED = {  # by the name that safetensors has for it
    **{f"F{bits}": np.dtype(f"float{bits}") for bits in (64, 32, 16)},
    **{
        f"{letter}{bits}": np.dtype(f"{kind}{bits}")
        for letter, kind in (("I", "int"), ("U", "uint"))
        for bits in (64, 32, 16, 8)
    },
    "BOOL": np.dtype("bool"),
}
CODES = {dtype: name for name, dtype in STORED.items()}
# a look-up; `dtype.name` costs a hundred times as much
NAMES = {np.dtype(name): name for name in DTYPES}

Frame = tuple[dict[str, Any], dict[str, np.ndarray]]


class FrameError(ValueError):
    """What arrived is not a frame."""


@dataclass(frozen=True, slots=True)
class FrameLimits:
    """What one frame may hold.

    Each use states its own; `names` None means that a tensor may have any name.
    """

    blob_bytes: int
    meta_bytes: int = META_BYTES
    header_bytes: int = 1 << 16  # the table of tensors, as JSON
    tensors: int = 64
    name_chars: int = 100
    names: frozenset[str] | None = None
    roots: frozenset[str] = frozenset()  # of results that come as leaves, such as `cache.k[2]`

    def due(self, meta: Mapping[str, Any]) -> tuple[str, ...]:
        """Returns the names of what is due, and of the leaves that a reply tells of."""
        told = meta.get("dtypes")
        names = tuple(self.names or ())
        if not self.roots or not isinstance(told, dict):
            return names
        short = (name for name in told if len(name) <= self.name_chars and self.takes(name))
        return (*names, *islice((name for name in short if name not in names), self.tensors))

    def takes(self, name: str) -> bool:
        """May a tensor have this name?"""
        if self.names is None or name in self.names:
            return True
        return bool(self.roots) and LEAF.split(name, maxsplit=1)[0] in self.roots


def unfit(shape: Sequence[int]) -> str:
    """Why no answer can have this shape, as a code; "" for any other shape.

    In the room and outside it is the same rule.
    """
    if len(shape) > RANK:
        return TOO_MANY_AXES
    if 0 in shape and math.prod(n or 1 for n in shape) > EMPTY_ELEMENTS:
        return EMPTY_TOO_LARGE
    return ""


ENCODER = json.JSONEncoder(separators=(",", ":"))  # `json.dumps` would make one for each frame


def encode(meta: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> bytes:
    """One frame as bytes. Tensors must have a dtype of `DTYPES`."""
    return b"".join(parts(meta, tensors))


def parts(meta: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> list[bytes | memoryview]:
    """One frame as the parts that it consists of: small ones in one, and each large tensor as it
    lies in memory. Tensors must have a dtype of `DTYPES`.
    """
    text = ENCODER.encode(meta).encode()
    table, blobs, size = _blob(tensors) if tensors else (b"", [], 0)
    small: list[bytes | memoryview] = [HEADER.pack(len(text), size), text, table]
    pieces: list[bytes | memoryview] = []
    for part in blobs:
        if len(part) < LARGE_BYTES:
            small.append(part)
        else:
            pieces += [b"".join(small), part]
            small = []
    return [*pieces, b"".join(small)]


def _blob(tensors: Mapping[str, np.ndarray]) -> tuple[bytes, list[bytes | memoryview], int]:
    """The table of tensors and their bytes, the widest first: each lies at a multiple of its width
    once the table has been filled up to one. And how many bytes all of that is.
    """
    rows, blobs, at = {}, list[bytes | memoryview](), 0
    for name, tensor in sorted(tensors.items(), key=_width, reverse=True):
        blobs.append(_bytes(tensor))
        end = at + len(blobs[-1])
        rows[name] = {
            "dtype": CODES[tensor.dtype],
            "shape": tensor.shape,
            "data_offsets": (at, end),
        }
        at = end
    table = ENCODER.encode(rows).encode()
    table += b" " * (-len(table) % TABLE_LENGTH.size)
    table = TABLE_LENGTH.pack(len(table)) + table
    return table, blobs, len(table) + at


def _bytes(tensor: np.ndarray) -> bytes | memoryview:
    """What a tensor holds. A large one is not copied where it lies in one piece."""
    if tensor.nbytes < LARGE_BYTES:
        return tensor.tobytes()
    return np.ascontiguousarray(tensor).reshape(-1).view(np.uint8).data


def _width(item: tuple[str, np.ndarray]) -> int:
    return item[1].itemsize


def decode(text: bytes | bytearray, blob: bytes | bytearray) -> Frame:
    """The two halves of a frame that the judge wrote: in the room nothing of it is doubted."""
    meta = json.loads(text)
    if not blob:
        return meta, {}
    start = TABLE_LENGTH.size + TABLE_LENGTH.unpack_from(blob)[0]
    data = np.frombuffer(blob, np.uint8)[start:].copy()
    tensors = {}
    for name, row in json.loads(blob[TABLE_LENGTH.size : start]).items():
        begin, end = row["data_offsets"]
        tensors[name] = data[begin:end].view(STORED[row["dtype"]]).reshape(row["shape"])
    return meta, tensors
