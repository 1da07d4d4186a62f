"""The wire between judge and room: length-capped frames of JSON and tensors. No pickle, no object dtype, nothing executed.

A frame is two little-endian lengths (4 bytes of meta, 8 bytes of blob), the meta as a JSON object, and the tensors as one safetensors
blob (https://huggingface.co/docs/safetensors), whose parser checks offsets against shapes. This file lies in the room too, where it
writes; outside it reads what a hostile program may have written, so `Reader` trusts no length and no name, and reads the table of
tensors under `FrameLimits` before the parser sees it (docs/design/intake.md).
"""

import json
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

HEADER = struct.Struct("<IQ")
TABLE_LENGTH = struct.Struct("<Q")  # a safetensors blob begins with the length of its table of tensors
META_BYTES = 1 << 16
RANK = 16  # axes of a tensor
EMPTY_ELEMENTS = 1 << 20  # the other axes of a tensor without entries, multiplied: such a tensor takes no bytes on the wire
DTYPES = frozenset(["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"])
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


def decode(text: bytes, blob: bytes) -> Frame:
    """The two halves of a frame. Raises `FrameError` on anything that is not exactly that."""
    try:
        meta = json.loads(text)
        tensors = load(blob) if blob else {}
    except (ValueError, RecursionError, KeyError, TypeError, SafetensorError, OverflowError, MemoryError) as error:
        raise FrameError(f"not a frame: {type(error).__name__}") from None
    if type(meta) is not dict:
        raise FrameError("not a frame: meta is no object")
    for name, tensor in tensors.items():
        if tensor.dtype not in NAMES:
            raise FrameError(f"tensor {name!r:.60} has dtype {tensor.dtype}")
    return meta, tensors


def check_table(table: bytes, limits: FrameLimits) -> None:
    """Check the table of a safetensors blob before anything is decoded. Raises `FrameError`.

    Only counts, names and shapes are looked at: whether offsets, shapes and bytes agree is for the parser.
    """
    try:
        tensors = json.loads(table, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"not a frame: {error if isinstance(error, FrameError) else type(error).__name__}") from None
    if type(tensors) is not dict:
        raise FrameError("not a frame: the table of tensors is no object")
    if len(tensors) > limits.tensors:
        raise FrameError(f"{len(tensors)} tensors; at most {limits.tensors} are taken")
    for name, entry in tensors.items():
        if len(name) > limits.name_chars:
            raise FrameError(f"a tensor's name has {len(name)} characters; at most {limits.name_chars} are taken")
        if limits.names is not None and name not in limits.names:
            raise FrameError(f"tensor {name!r} was not asked for")
        shape = entry.get("shape") if type(entry) is dict else None
        if type(shape) is not list or not all(type(n) is int and n >= 0 for n in shape):
            raise FrameError(f"tensor {name!r} has no shape")
        if wrong := unfit(shape):
            raise FrameError(f"tensor {name!r} is {wrong}")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise FrameError("a name comes twice in the table of tensors")
    return found


class Reader:
    """Frames out of a stream of bytes, each checked against the limits as early as its bytes allow.

    Raises `FrameTooLarge` before it holds more than the limits of one frame, and `FrameError` for a table of tensors that breaks
    them, before it waits for the tensors themselves.
    """

    def __init__(self, limits: FrameLimits) -> None:
        self.limits = limits
        self._buffer = bytearray()
        self._checked = False  # the table of the frame that has begun

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
            if blob_len and not self._checked:
                self._checked = self._check_table(start, end)
            if len(self._buffer) < end:
                return
            with memoryview(self._buffer) as view:
                text, blob = bytes(view[HEADER.size : start]), bytes(view[start:end])
            del self._buffer[:end]  # freed before the tensors are decoded, which copies them once more
            self._checked = False
            yield decode(text, blob)

    def _check_table(self, start: int, end: int) -> bool:
        """Check the table of tensors of the frame in the buffer; False while it is not whole."""
        if start + TABLE_LENGTH.size > end:
            raise FrameError("not a frame: the tensors have no table")
        if len(self._buffer) < start + TABLE_LENGTH.size:
            return False
        (length,) = TABLE_LENGTH.unpack_from(self._buffer, start)
        stop = start + TABLE_LENGTH.size + length
        if length > self.limits.header_bytes or stop > end:
            raise FrameError(f"the table of tensors has {length} bytes; at most {self.limits.header_bytes} are taken")
        if len(self._buffer) < stop:
            return False
        check_table(bytes(self._buffer[start + TABLE_LENGTH.size : stop]), self.limits)
        return True

    @property
    def pending(self) -> int:
        """Bytes of a frame that has begun and not ended."""
        return len(self._buffer)
