"""The wire between judge and room: length-capped frames of JSON and tensors. No pickle, no object dtype, nothing executed.

A frame is two little-endian lengths (4 bytes of meta, 8 bytes of blob), the meta as a JSON object, and the tensors as one safetensors
blob (https://huggingface.co/docs/safetensors): a table of names, dtypes, shapes and offsets, and their bytes. This file lies in the room
too, where it writes; outside it reads what a hostile program may have written, so `Reader` trusts no length and no name, and checks the
whole table under `FrameLimits` before it waits for the bytes. Why it is read here and not by the library: docs/design/intake.md.
"""

import json
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from safetensors.numpy import save

HEADER = struct.Struct("<IQ")
TABLE_LENGTH = struct.Struct("<Q")  # a safetensors blob begins with the length of its table of tensors
META_BYTES = 1 << 16
RANK = 16  # axes of a tensor
EMPTY_ELEMENTS = 1 << 20  # the other axes of a tensor without entries, multiplied: such a tensor takes no bytes on the wire
DTYPES = frozenset(["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"])
STORED = {  # by the name that safetensors has for it
    **{f"F{bits}": np.dtype(f"float{bits}") for bits in (64, 32, 16)},
    **{f"{letter}{bits}": np.dtype(f"{kind}{bits}") for letter, kind in (("I", "int"), ("U", "uint")) for bits in (64, 32, 16, 8)},
    "BOOL": np.dtype("bool"),
}
NAMES = {np.dtype(name): name for name in DTYPES}  # a look-up; `dtype.name` costs a hundred times as much

Frame = tuple[dict[str, Any], dict[str, np.ndarray]]


class FrameError(ValueError):
    """What arrived is not a frame."""


class FrameTooLarge(FrameError):
    """A frame claims more bytes than allowed."""


@dataclass(frozen=True, slots=True)
class FrameLimits:
    """What one frame may hold. Each use states its own; `names` None means that a tensor may have any name."""

    blob_bytes: int
    meta_bytes: int = META_BYTES
    header_bytes: int = 1 << 16  # the table of tensors, as JSON
    tensors: int = 64
    name_chars: int = 100
    names: frozenset[str] | None = None


def unfit(shape: Sequence[int]) -> str:
    """What is wrong with a shape that no answer can have; "" for any other. In the room and outside it is the same rule."""
    if len(shape) > RANK:
        return f"a tensor of more than {RANK} axes"
    if 0 in shape and math.prod(n or 1 for n in shape) > EMPTY_ELEMENTS:
        return "an empty tensor whose other axes are too large"
    return ""


def encode(meta: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> bytes:
    """One frame as bytes. Tensors must have a dtype of `DTYPES`."""
    text = json.dumps(meta, separators=(",", ":")).encode()
    blob = save({name: np.ascontiguousarray(t).reshape(t.shape) for name, t in tensors.items()}) if tensors else b""
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
    """The two halves of a frame, of any size. Raises `FrameError` on anything that is not exactly that."""
    if not blob:
        return _meta(text), {}
    if len(blob) < TABLE_LENGTH.size:
        raise FrameError("not a frame: the tensors have no table")
    (length,) = TABLE_LENGTH.unpack_from(blob)
    start = TABLE_LENGTH.size + length
    if start > len(blob):
        raise FrameError("not a frame: the table of tensors is cut off")
    table = read_table(blob[TABLE_LENGTH.size : start], len(blob) - start)
    return _meta(text), _tensors(memoryview(blob)[start:], table)


def _meta(text: bytes) -> dict[str, Any]:
    try:
        meta = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"not a frame: {type(error).__name__}") from None
    if type(meta) is not dict:
        raise FrameError("not a frame: meta is no object")
    return meta


def read_table(text: bytes, size: int, limits: FrameLimits | None = None) -> Table:
    """The table of tensors whose bytes are `size` in all. Raises `FrameError` where they do not lie one after another and fill it."""
    try:
        rows = json.loads(text, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"not a frame: {error if isinstance(error, FrameError) else type(error).__name__}") from None
    if type(rows) is not dict:
        raise FrameError("not a frame: the table of tensors is no object")
    if limits is not None:
        _check_names(rows, limits)
    table = {name: _row(name, row) for name, row in rows.items()}
    at = 0
    for stored in sorted(table.values(), key=lambda stored: (stored.begin, stored.end)):
        if stored.begin != at or stored.end - stored.begin != math.prod(stored.shape) * stored.dtype.itemsize:
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
            raise FrameError(f"a tensor's name has {len(name)} characters; at most {limits.name_chars} are taken")
        if limits.names is not None and name not in limits.names:
            raise FrameError(f"tensor {name!r} was not asked for")


def _row(name: str, row: Any) -> Stored:
    """One row of the table. Raises `FrameError` for anything but a dtype, a shape and two offsets of their types."""
    if type(row) is not dict or row.keys() != {"dtype", "shape", "data_offsets"}:
        raise FrameError(f"tensor {name!r:.60} has no dtype, shape and offsets")
    shape, offsets, dtype = row["shape"], row["data_offsets"], row["dtype"]
    if not _counts(shape) or not _counts(offsets) or len(offsets) != 2:
        raise FrameError(f"tensor {name!r:.60} has a shape or offsets that are no counts")
    if type(dtype) is not str or dtype not in STORED:
        raise FrameError(f"tensor {name!r:.60} has a dtype that is not taken")
    if wrong := unfit(shape):
        raise FrameError(f"tensor {name!r:.60} is {wrong}")
    return Stored(STORED[dtype], tuple(shape), *offsets)


def _counts(numbers: Any) -> bool:
    return type(numbers) is list and all(type(n) is int and n >= 0 for n in numbers)


def _tensors(data: memoryview, table: Table) -> dict[str, np.ndarray]:
    """Copy each tensor out, so that the bytes of the frame can be freed. NumPy does it without the interpreter's lock."""
    tensors = {}
    for name, stored in table.items():
        tensor = tensors[name] = np.empty(stored.shape, stored.dtype)
        flat = tensor.reshape(-1).view(np.uint8)
        flat[:] = np.frombuffer(data[stored.begin : stored.end], np.uint8) if flat.size else flat
        if stored.dtype.kind == "b":
            np.not_equal(flat, 0, out=flat.view(bool))  # a byte of 2 would be neither True nor False to NumPy
    return tensors


class Reader:
    """Frames out of a stream of bytes, each checked against the limits as early as its bytes allow.

    Raises `FrameTooLarge` before it holds more than the limits of one frame, and `FrameError` for a table of tensors that breaks
    them, before it waits for the tensors themselves.
    """

    def __init__(self, limits: FrameLimits) -> None:
        self.limits = limits
        self._buffer = bytearray()
        self._table: Table | None = None  # of the frame that has begun, once it is there

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take in `data` and yield each frame that is now whole."""
        self._buffer += data
        while len(self._buffer) >= HEADER.size:
            meta_len, blob_len = HEADER.unpack_from(self._buffer)
            if meta_len > self.limits.meta_bytes or blob_len > self.limits.blob_bytes:
                most = self.limits.meta_bytes + self.limits.blob_bytes
                raise FrameTooLarge(f"a frame of {meta_len + blob_len} bytes; at most {most} are allowed")
            start = HEADER.size + meta_len
            end = start + blob_len
            if blob_len and self._table is None:
                self._table = self._read_table(start, end)
            if len(self._buffer) < end:
                return
            table, self._table = self._table or {}, None
            with memoryview(self._buffer) as view:
                meta = _meta(bytes(view[HEADER.size : start]))
                tensors = _tensors(view[end - max((t.end for t in table.values()), default=0) : end], table)
            del self._buffer[:end]
            yield meta, tensors

    def _read_table(self, start: int, end: int) -> Table | None:
        """The table of tensors of the frame that has begun; None while it is not whole."""
        if start + TABLE_LENGTH.size > end:
            raise FrameError("not a frame: the tensors have no table")
        if len(self._buffer) < start + TABLE_LENGTH.size:
            return None
        (length,) = TABLE_LENGTH.unpack_from(self._buffer, start)
        stop = start + TABLE_LENGTH.size + length
        if length > self.limits.header_bytes or stop > end:
            raise FrameError(f"the table of tensors has {length} bytes; at most {self.limits.header_bytes} are taken")
        if len(self._buffer) < stop:
            return None
        return read_table(bytes(self._buffer[start + TABLE_LENGTH.size : stop]), end - stop, self.limits)

    @property
    def pending(self) -> int:
        """Bytes of a frame that has begun and not ended."""
        return len(self._buffer)
