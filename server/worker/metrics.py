"""What one judging process has counted since its start.

The process stores a snapshot beside its sign of life, and `server/ops/metrics.py` shows those of
all processes.
"""

from collections.abc import Iterable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.metrics_core import Metric

BOUNDS_S = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)

# [name, labels, value] of each sample, by the name of the metric: plain JSON
Snapshot = dict[str, list[tuple[str, dict[str, str], float]]]


class WorkerMetrics:
    """The metrics of one process, in a registry of their own. Thread-safe."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._verdicts = Counter(
            "judge_verdicts", "Verdicts stored, by kind.", ["verdict"], registry=self._registry
        )
        self._failures = Counter(
            "judge_failures",
            "Attempts that failed through the service's fault.",
            registry=self._registry,
        )
        self._restarts = Counter(
            "judge_room_restarts", "Rooms that had to be started again.", registry=self._registry
        )
        self._waited = self._histogram(
            "judge_waited_seconds", "From the submission to the worker that takes it up."
        )
        self._judged = self._histogram(
            "judge_judged_seconds", "From there to the verdict: the time in the room."
        )

    def _histogram(self, name: str, meaning: str) -> Histogram:
        return Histogram(name, meaning, buckets=BOUNDS_S, registry=self._registry)

    def verdict(self, outcome: str, waited_s: float, judged_s: float) -> None:
        """Counts a verdict that was stored."""
        self._verdicts.labels(outcome).inc()
        self._waited.observe(waited_s)
        self._judged.observe(judged_s)

    def failure(self) -> None:
        """Counts an attempt that failed through the service's fault."""
        self._failures.inc()

    def restarts(self, count: int) -> None:
        """Adds the rooms that were started again since the last call."""
        self._restarts.inc(count)

    def families(self) -> Iterable[Metric]:
        """Returns every metric with its samples."""
        return self._registry.collect()

    def snapshot(self) -> Snapshot:
        """Returns every sample as plain JSON, for the database."""
        return {
            family.name: [
                (sample.name, sample.labels, sample.value)
                for sample in family.samples
                if not sample.name.endswith("_created")
            ]
            for family in self.families()
        }


def merged(snapshots: dict[str, Any]) -> Iterable[Metric]:
    """Returns the metrics of several processes, whose names become the label `worker`.

    Ignores what this version does not count: another version may have written the snapshot.
    """
    families = {
        family.name: Metric(family.name, family.documentation, family.type)
        for family in WorkerMetrics().families()
    }
    for worker, snapshot in snapshots.items():
        for name in families.keys() & (snapshot or {}).keys():
            for sample, labels, value in snapshot[name]:
                families[name].add_sample(sample, {"worker": worker, **labels}, value)
    return families.values()
