"""The wire between judge and room: length-capped frames of JSON and tensors. No pickle, no object
dtype, nothing executed.

A frame is two little-endian lengths (4 bytes of meta, 8 bytes of blob), the meta as a JSON object,
and the tensors as one safetensors blob (https://huggingface.co/docs/safetensors): a table of names,
dtypes, shapes and offsets, and their bytes. In the room this file writes; outside, `reader.py`
reads with it what a hostile program may have written, so it trusts no length and no name. Why it is
read here and not by the library: docs/design/intake.md.
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
from safetensors.numpy import save

HEADER = struct.Struct("<IQ")
# a safetensors blob begins with the length of its table of tensors
TABLE_LENGTH = struct.Struct("<Q")
META_BYTES = 1 << 16
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
# a look-up; `dtype.name` costs a hundred times as much
NAMES = {np.dtype(name): name for name in DTYPES}
# what safetensors keeps beside the tensors under this name is no tensor
METADATA = "__metadata__"
COLUMNS = {"dtype", "shape", "data_offsets"}

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


def encode(meta: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> bytes:
    """One frame as bytes. Tensors must have a dtype of `DTYPES`."""
    text = json.dumps(meta, separators=(",", ":")).encode()
    blob = (
        save({name: np.ascontiguousarray(t).reshape(t.shape) for name, t in tensors.items()})
        if tensors
        else b""
    )
    return HEADER.pack(len(text), len(blob)) + text + blob


@dataclass(frozen=True, slots=True)
class Stored:
    """Where the bytes of a tensor lie, counted from the end of the table."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    begin: int
    end: int


Table = dict[str, Stored]


def decode(text: bytes, blob: bytes) -> Frame:
    """The two halves of a frame, of any size.

    Raises `FrameError` on anything that is not exactly that.
    """
    if not blob:
        return read_meta(text), {}
    if len(blob) < TABLE_LENGTH.size:
        raise FrameError("not a frame: the tensors have no table")
    (length,) = TABLE_LENGTH.unpack_from(blob)
    start = TABLE_LENGTH.size + length
    if start > len(blob):
        raise FrameError("not a frame: the table of tensors is cut off")
    table = read_table(blob[TABLE_LENGTH.size : start], len(blob) - start)
    return read_meta(text), read_tensors(np.frombuffer(blob, np.uint8)[start:].copy(), table)


def read_meta(text: bytes) -> dict[str, Any]:
    """Returns the JSON object of a frame. Raises `FrameError` for anything else."""
    try:
        meta = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"not a frame: {type(error).__name__}") from None
    if type(meta) is not dict:
        raise FrameError("not a frame: meta is no object")
    return meta


def read_table(text: bytes, size: int, limits: FrameLimits | None = None) -> Table:
    """The table of tensors whose bytes are `size` in all.

    Raises `FrameError` where they do not lie one after another and fill it.
    """
    try:
        rows = json.loads(text, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise FrameError(
            f"not a frame: {error if isinstance(error, FrameError) else type(error).__name__}"
        ) from None
    if type(rows) is not dict:
        raise FrameError("not a frame: the table of tensors is no object")
    if limits is not None:
        _check_names(rows, limits)
    table = {name: _row(name, row) for name, row in rows.items()}
    at = 0
    for stored in sorted(table.values(), key=lambda stored: (stored.begin, stored.end)):
        if (
            stored.begin != at
            or stored.end - stored.begin != math.prod(stored.shape) * stored.dtype.itemsize
        ):
            raise FrameError("not a frame: shapes and bytes of the tensors do not fit together")
        at = stored.end
    if at != size:
        raise FrameError("not a frame: the tensors do not fill it")
    return table


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise FrameError("a name comes twice in the table of tensors")
    return found


def _check_names(rows: Mapping[str, Any], limits: FrameLimits) -> None:
    if len(rows) > limits.tensors:
        raise FrameError(f"{len(rows)} tensors; at most {limits.tensors} are taken")
    for name in rows:
        if len(name) > limits.name_chars:
            raise FrameError(
                f"a tensor's name has {len(name)} characters; at most {limits.name_chars} are taken"
            )
        if not limits.takes(name):
            raise FrameError(f"tensor {name!r} was not asked for")


def _row(name: str, row: Any) -> Stored:
    """One row of the table.

    Raises `FrameError` for anything but a dtype, a shape and two offsets of their types.
    """
    if any("\ud800" <= char <= "\udfff" for char in name):
        raise FrameError(f"the name of a tensor is no text: {name!a:.60}")
    if name == METADATA or type(row) is not dict or row.keys() != COLUMNS:
        raise FrameError(f"tensor {name!r:.60} has no dtype, shape and offsets")
    shape, offsets, dtype = row["shape"], row["data_offsets"], row["dtype"]
    if not _counts(shape) or not _counts(offsets) or len(offsets) != 2:
        raise FrameError(f"tensor {name!r:.60} has a shape or offsets that are no counts")
    if type(dtype) is not str or dtype not in STORED:
        raise FrameError(f"tensor {name!r:.60} has a dtype that is not taken")
    if wrong := unfit(shape):
        raise FrameError(f"tensor {name!r:.60} has a shape that is not taken: {wrong}")
    return Stored(STORED[dtype], tuple(shape), *offsets)


def _counts(numbers: Any) -> bool:
    return type(numbers) is list and all(type(n) is int and n >= 0 for n in numbers)


def read_tensors(data: np.ndarray, table: Table) -> dict[str, np.ndarray]:
    """The tensors where their bytes lie; a copy of one that begins at an odd place."""
    tensors = {}
    for name, stored in table.items():
        flat = data[stored.begin : stored.end].view(stored.dtype)
        flat = flat if flat.flags.aligned else flat.copy()
        if stored.dtype.kind == "b":
            # a byte of 2 would be neither True nor False to NumPy
            np.not_equal(flat.view(np.uint8), 0, out=flat)
        tensors[name] = flat.reshape(stored.shape)
    return tensors
