"""The wire between judge and room: length-capped frames of JSON and tensors. No pickle, no object dtype, nothing executed.

A frame is two little-endian lengths (4 bytes of meta, 8 bytes of blob), the meta as a JSON object, and the tensors as one safetensors
blob (https://huggingface.co/docs/safetensors), whose parser checks offsets against shapes. This file lies in the room too, where it
writes; outside it reads what a hostile program may have written, so `Reader` trusts no length and no name.
"""

import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

HEADER = struct.Struct("<IQ")
META_BYTES = 1 << 18
DTYPES = frozenset(["float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"])
NAMES = {np.dtype(name): name for name in DTYPES}  # a look-up; `dtype.name` costs a hundred times as much

Frame = tuple[dict[str, Any], dict[str, np.ndarray]]


class FrameError(ValueError):
    """What arrived is not a frame."""


class FrameTooLarge(FrameError):
    """A frame claims more bytes than allowed."""


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


class Reader:
    """Frames out of a stream of bytes. Raises `FrameTooLarge` before it holds more than `cap` bytes of one frame."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take in `data` and yield each frame that is now whole."""
        self._buffer += data
        while len(self._buffer) >= HEADER.size:
            meta_len, blob_len = HEADER.unpack_from(self._buffer)
            if meta_len > META_BYTES or blob_len > self.cap:
                raise FrameTooLarge(f"a frame of {meta_len + blob_len} bytes; at most {self.cap} are allowed")
            end = HEADER.size + meta_len + blob_len
            if len(self._buffer) < end:
                return
            text = bytes(self._buffer[HEADER.size : HEADER.size + meta_len])
            blob = bytes(self._buffer[HEADER.size + meta_len : end])
            del self._buffer[:end]
            yield decode(text, blob)

    @property
    def pending(self) -> int:
        """Bytes of a frame that has begun and not ended."""
        return len(self._buffer)
