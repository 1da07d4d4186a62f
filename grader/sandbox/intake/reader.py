"""Reads frames out of a stream of bytes (`frames.py` has the format).

Outside the room a hostile program may have written them: `Reader` trusts no length and no name,
and checks the whole table of tensors under `FrameLimits` before it waits for their bytes.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.inside.frames import (
    HEADER,
    STORED,
    TABLE_LENGTH,
    Frame,
    FrameError,
    FrameLimits,
    unfit,
)

NOTHING = np.empty(0, np.uint8)
# what safetensors keeps beside the tensors under this name is no tensor
METADATA = "__metadata__"
COLUMNS = {"dtype", "shape", "data_offsets"}


@dataclass(frozen=True, slots=True)
class Stored:
    """Where the bytes of a tensor lie, counted from the end of the table."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    begin: int
    end: int


Table = dict[str, Stored]
# reads a frame whose bytes have come; may raise `FrameError`
Unread = Callable[[], Frame]


class FrameTooLarge(FrameError):
    """A frame claims more bytes than allowed: of its "text", or of its "tensors"."""

    def __init__(self, part: str, size: int, limit: int) -> None:
        super().__init__(f"a frame with {size} bytes of {part}; at most {limit} are allowed")
        self.part, self.size, self.limit = part, size, limit


class Reader:
    """Frames out of a stream of bytes, each checked against the limits as early as its bytes allow.

    Raises `FrameTooLarge` before it holds more than the limits of one frame, and `FrameError` for a
    table of tensors that breaks them, before it waits for the tensors themselves. These are put
    where they stay, so a frame is held once.
    """

    def __init__(self, limits: FrameLimits) -> None:
        self.limits = limits
        self._head = bytearray()  # lengths, meta and table of a frame that has begun
        self._meta: dict[str, Any] = {}
        self._table: Table | None = None  # once the head is whole
        self._body, self._filled = NOTHING, 0  # the bytes of the tensors

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take in `data` and yield each frame that is now whole."""
        rest = memoryview(data)
        while rest or self._head:
            if self._table is None:
                self._head += rest
                size = self._begin()
                if self._table is None:
                    return
                rest = memoryview(bytes(self._head[size:]))
                self._head.clear()
            end = min(self._filled + len(rest), len(self._body))
            taken = end - self._filled
            if taken:
                self._body[self._filled : end] = np.frombuffer(rest, np.uint8, taken)
            self._filled = end
            if end < len(self._body):
                return
            frame = self._meta, read_tensors(self._body, self._table)
            self._head += rest[taken:]
            self._table, self._body, self._filled, rest = None, NOTHING, 0, memoryview(b"")
            yield frame

    def _begin(self) -> int:
        """Read the lengths, the meta and the table, once they are whole.

        Returns how many bytes they have together.
        """
        if len(self._head) < HEADER.size:
            return 0
        meta_bytes, blob_bytes = read_lengths(self._head, self.limits)
        start, stop = self._table_place(meta_bytes, blob_bytes)
        if len(self._head) < stop:
            return 0
        self._meta = read_meta(bytes(self._head[HEADER.size : HEADER.size + meta_bytes]))
        size = HEADER.size + meta_bytes + blob_bytes - stop
        table = bytes(self._head[start:stop])
        self._table = read_table(table, size, self.limits) if blob_bytes else {}
        self._body = np.empty(size, np.uint8)  # takes memory only as it is filled
        return stop

    def _table_place(self, meta_bytes: int, blob_bytes: int) -> tuple[int, int]:
        """Where the table begins and ends; until its length has come, it ends where it begins."""
        end = HEADER.size + meta_bytes
        if not blob_bytes:
            return end, end
        start = end + TABLE_LENGTH.size
        if blob_bytes < TABLE_LENGTH.size:
            raise self._table_too_long(blob_bytes)
        if len(self._head) < start:
            return start, start
        length: int = TABLE_LENGTH.unpack_from(self._head, end)[0]
        if length > min(self.limits.header_bytes, blob_bytes - TABLE_LENGTH.size):
            raise self._table_too_long(length)
        return start, start + length

    def _table_too_long(self, length: int) -> FrameError:
        return FrameError(
            f"the table of tensors has {length} bytes; at most {self.limits.header_bytes} are taken"
        )

    @property
    def begun(self) -> bool:
        """Have bytes of a frame come, and not all of them?"""
        return bool(self._head) or self._table is not None

    @property
    def pending(self) -> int:
        """Bytes of a frame that has begun and not ended."""
        return len(self._head) + self._filled


def read_lengths(head: bytes | bytearray, limits: FrameLimits) -> tuple[int, int]:
    """Returns how many bytes of meta and of tensors a frame claims.

    Raises `FrameTooLarge` for more than allowed.
    """
    meta_bytes, blob_bytes = HEADER.unpack_from(head)
    if meta_bytes > limits.meta_bytes:
        raise FrameTooLarge("text", meta_bytes, limits.meta_bytes)
    if blob_bytes > limits.blob_bytes:
        raise FrameTooLarge("tensors", blob_bytes, limits.blob_bytes)
    return meta_bytes, blob_bytes


def is_whole(data: bytes, limits: FrameLimits) -> bool:
    """Are these bytes one frame, no more and no less? Raises `FrameTooLarge`."""
    return len(data) >= HEADER.size and len(data) == HEADER.size + sum(read_lengths(data, limits))


def read_whole(data: bytes, limits: FrameLimits) -> Frame:
    """The frame that these bytes are. Raises `FrameError`."""
    (frame,) = Reader(limits).feed(data)
    return frame


def read_meta(text: bytes) -> dict[str, Any]:
    """Returns the JSON object of a frame. Raises `FrameError` for anything else."""
    try:
        meta = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"not a frame: {type(error).__name__}") from None
    if type(meta) is not dict:
        raise FrameError("not a frame: meta is not an object")
    return meta


def read_table(text: bytes, size: int, limits: FrameLimits | None = None) -> Table:
    """The table of tensors whose bytes are `size` in all.

    Raises `FrameError` where they do not lie one after another and fill it.
    """
    try:
        rows = TABLE_DECODER.decode(text.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise FrameError(
            f"not a frame: {error if isinstance(error, FrameError) else type(error).__name__}"
        ) from None
    if type(rows) is not dict:
        raise FrameError("not a frame: the table of tensors is not an object")
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
    table = dict(pairs)
    if len(table) < len(pairs):
        raise FrameError("a name comes twice in the table of tensors")
    return table


# `json.loads` would make one for each frame
TABLE_DECODER = json.JSONDecoder(object_pairs_hook=_without_duplicates)


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
    if not name.isascii() and any("\ud800" <= char <= "\udfff" for char in name):
        raise FrameError(f"the name of a tensor is not text: {name!a:.60}")
    if name == METADATA or type(row) is not dict or row.keys() != COLUMNS:
        raise FrameError(f"tensor {name!r:.60} has no dtype, shape and offsets")
    shape, offsets, dtype = row["shape"], row["data_offsets"], row["dtype"]
    if not _counts(shape) or not _counts(offsets) or len(offsets) != 2:
        raise FrameError(f"tensor {name!r:.60} has a shape or offsets that are not counts")
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
