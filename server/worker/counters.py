"""The metrics of one judging process: stored beside its sign of life, read by /metrics."""

import bisect
import threading
from collections import Counter
from typing import Any

BOUNDS_S = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)


class Histogram:
    """A distribution of seconds: a count for each bound, one for what lies above, and the sum."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_S) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """Counts one observation."""
        self.counts[bisect.bisect_left(BOUNDS_S, seconds)] += 1
        self.sum += seconds

    def to_json(self) -> dict[str, Any]:
        """Returns plain numbers."""
        return {"counts": list(self.counts), "sum": self.sum}


class Counters:
    """The counters of a process since its start. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._verdicts: Counter[str] = Counter()
        self._waited, self._judged = Histogram(), Histogram()
        self._failures = self._restarts = 0

    def verdict(self, outcome: str, waited_s: float, judged_s: float) -> None:
        """Counts a verdict that was stored."""
        with self._lock:
            self._verdicts[outcome] += 1
            self._waited.add(waited_s)
            self._judged.add(judged_s)

    def failure(self) -> None:
        """Counts a failure of the judge."""
        with self._lock:
            self._failures += 1

    def restarts(self, count: int) -> None:
        """Counts rooms that were started again since the last call."""
        with self._lock:
            self._restarts += count

    def to_json(self) -> dict[str, Any]:
        """Returns plain numbers, for the database."""
        with self._lock:
            histograms = {"waited": self._waited.to_json(), "judged": self._judged.to_json()}
            return {
                "verdicts": dict(self._verdicts),
                "failures": self._failures,
                "restarts": self._restarts,
                **histograms,
            }
