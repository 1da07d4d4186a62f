"""The cache of what costs much to compute: answers, and what known mistakes do. In memory for this
process, on disk for the next.

A file's name carries `grader.engine.engine()`, a hash of the code that determines its content, so
another version of the judge computes its own. Files may be deleted at any time.
"""

import contextlib
import os
import tempfile
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

IN_MEMORY = 64
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


_awaited = Counter[int]()  # by thread: how many others wait for what it computes
_awaited_lock = threading.Lock()


def others_wait() -> bool:
    """Whether another thread waits for a value that this thread computes."""
    return _awaited[threading.get_ident()] > 0


def _count_waiting(computing: int, change: int) -> None:
    with _awaited_lock:
        _awaited[computing] += change
        if not _awaited[computing]:
            del _awaited[computing]


class Cache(Generic[K, V]):
    """The values used last, at most `size` of them.

    Thread-safe and single-flight: threads that need one value compute it once.
    """

    def __init__(self, size: int = IN_MEMORY) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._values: OrderedDict[K, V] = OrderedDict()
        self._flights: dict[K, tuple[Future[V], int]] = {}  # and the thread that computes it

    def __len__(self) -> int:
        return len(self._values)

    def clear(self) -> None:
        """Forgets every value. What is being computed goes on, and is kept."""
        with self._lock:
            self._values.clear()

    def get(self, key: K, compute: Callable[[], tuple[V, bool]]) -> V:
        """Returns the value of a key. `compute` returns it with whether to keep it; threads that
        wait for it get it either way.

        Raises what `compute` raises, in its own thread only: a thread that waited then computes for
        itself.
        """
        while True:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key]
                if key not in self._flights:
                    mine = Future[V]()
                    self._flights[key] = mine, threading.get_ident()
                    break
                flight, computing = self._flights[key]
            _count_waiting(computing, 1)
            try:
                failed = flight.exception() is not None  # waits for it
            finally:
                _count_waiting(computing, -1)
            if not failed:
                return flight.result()
        try:
            value, keep = compute()
        except BaseException as error:
            self._land(key)
            mine.set_exception(error)
            raise
        self._land(key, value, keep)
        mine.set_result(value)
        return value

    def _land(self, key: K, value: V | None = None, keep: bool = False) -> None:
        with self._lock:
            del self._flights[key]
            if keep:
                self._values[key] = value  # type: ignore[assignment]
            while len(self._values) > self._size:
                self._values.popitem(last=False)


def write(path: Path, meta: Mapping[str, str], tensors: Mapping[str, np.ndarray]) -> None:
    """Writes a cache file whole or not at all. A full disk only costs the time to compute again."""
    with contextlib.suppress(OSError, SafetensorError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(dir=path.parent)
        os.close(descriptor)
        try:
            save_file(
                {k: np.ascontiguousarray(v).reshape(v.shape) for k, v in tensors.items()},
                draft,
                metadata=dict(meta),
            )
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise


def read(path: Path) -> tuple[dict[str, str], dict[str, np.ndarray]] | None:
    """Returns what `write` wrote; None where there is nothing whole."""
    try:
        with safe_open(path, framework="np") as file:
            return dict(file.metadata() or {}), {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError):
        return None
