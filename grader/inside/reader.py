"""Reads frames out of a stream of bytes (`frames.py` has the format).

Outside the room a hostile program may have written them: `Reader` trusts no length and no name,
and checks the whole table of tensors under `FrameLimits` before it waits for their bytes.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.inside.frames import (
    HEADER,
    TABLE_LENGTH,
    Frame,
    FrameError,
    FrameLimits,
    Table,
    read_meta,
    read_table,
    read_tensors,
)

NOTHING = np.empty(0, np.uint8)


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
        meta_bytes, blob_bytes = (int(n) for n in HEADER.unpack_from(self._head))
        if meta_bytes > self.limits.meta_bytes:
            raise FrameTooLarge("text", meta_bytes, self.limits.meta_bytes)
        if blob_bytes > self.limits.blob_bytes:
            raise FrameTooLarge("tensors", blob_bytes, self.limits.blob_bytes)
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
    def pending(self) -> int:
        """Bytes of a frame that has begun and not ended."""
        return len(self._head) + self._filled
