"""Break things while learners submit, and hold what came of it against an undisturbed run.

`python -m tests.scaled.chaos` is `make chaos`.
"""

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from server.models.submissions import Submission
from tests.scaled.faults import FAULTS, Load, far_network, small_disk
from tests.scaled.services import Postgres, Redis, until
from tests.scaled.stack import REPOSITORY, SLUG, Stack, judged, stack

TIMES = ("wall_ms", "cpu_ms", "memory_mib")
MOST_S = 60  # from the end of a fault to the last verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one fault did."""

    fault: str
    sent: int
    refused: int  # requests that got no answer, or 503; each was sent again
    disturbed: int  # submissions that were taken up more than once
    late_s: float  # the longest from the sending of a disturbed submission to its verdict
    all_s: float  # from the end of the fault to the last verdict of all
    wrong: tuple[str, ...]  # what should not be

    def line(self) -> str:
        """A row of the table."""
        late = f"{self.late_s:.1f}" if self.disturbed else "–"
        wrong = "; ".join(self.wrong) or "none"
        return (
            f"| {self.fault} | {self.sent} | {self.refused} | {self.disturbed} | {late} |"
            f" {self.all_s:.1f} | {wrong} |"
        )


HEAD = """| fault | submissions | refused, sent again | taken up again | longest of these, s | all, s from its end | wrong |
|---|--:|--:|--:|--:|--:|---|"""


REST = """import time

def _rest(f):
    def slow(*args, **options):
        time.sleep(0.05)
        return f(*args, **options)
    return slow

"""


def sources(bank: Path) -> list[str]:
    """A right and a wrong one, quick and slow."""
    right = (bank / "reference" / SLUG / "numpy.py").read_text()
    wrong = "def scaled_dot_product_attention(q, k, v, scale=None):\n    return v, v\n"
    slow = [REST + text + f"\n{SLUG} = _rest({SLUG})\n" for text in (right, wrong)]
    return [right, slow[0], wrong, slow[1]]


@contextlib.contextmanager
def broken_stack(root: bool, **settings: str) -> Iterator[tuple[Stack, list[str], list[Any]]]:
    """The service on disks and networks that can be broken; sources, and the verdicts of an
    undisturbed run.
    """
    with contextlib.ExitStack() as closing:
        bank = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="judge-bank-")))
        for folder in ("problems", "reference"):
            shutil.copytree(REPOSITORY / folder / SLUG, bank / folder / SLUG)
        addresses = ("127.0.0.1", closing.enter_context(far_network())) if root else ("127.0.0.1",)
        disk = closing.enter_context(small_disk()) if root else None
        services = {"postgres": Postgres(addresses, disk, durable=True), "redis": Redis(addresses)}
        running = closing.enter_context(stack(bank, **services, **settings))  # type: ignore[arg-type]
        texts = sources(bank)
        numbers = [running.submit(i, text) for i, text in enumerate(texts)]
        rows = judged(running, numbers, 60)
        assert len(rows) == len(texts), running.logs()
        yield running, texts, [without_times(rows[n].verdict) for n in numbers]


def without_times(verdict: Any) -> Any:
    """A verdict without what differs from run to run."""
    return {
        **verdict,
        "cases": [{k: v for k, v in case.items() if k not in TIMES} for case in verdict["cases"]],
    }


def disturb(
    running: Stack,
    name: str,
    chance: random.Random,
    texts: list[str],
    undisturbed: list[Any],
    pause: float = 0.5,
    eager: int = 8,
) -> Outcome:
    """Submit, break, mend, wait; what came of it."""
    load = Load(running, texts, pause, eager)
    load.start()
    try:
        until(lambda: len(load.sent) >= 3, 120, "nothing is accepted")
        time.sleep(chance.uniform(0, 1))
        began = time.time()
        FAULTS[name].inject(running, chance)
        ended = time.time()
        time.sleep(1)
    finally:
        load.halt.set()
        load.join(90)
    rows = judged(running, list(load.sent), MOST_S + float(running.environment["JUDGE_LEASE"]))
    settled = _all_judged(running)
    again = [
        row
        for row in rows.values()
        if row.attempt > 1 and row.judged_at and row.judged_at.timestamp() > began
    ]
    return Outcome(
        name,
        len(load.sent),
        load.refused,
        len(again),
        max(
            ((row.judged_at - row.submitted_at).total_seconds() for row in again if row.judged_at),
            default=0.0,
        ),
        max(
            0.0,
            max(
                (row.judged_at.timestamp() - ended for row in rows.values() if row.judged_at),
                default=0.0,
            ),
        ),
        tuple(_wrong(running, load, rows, undisturbed, settled)),
    )


def together(found: list[Outcome]) -> Outcome:
    """One row of several times the same fault: sums, and the longest of the times."""
    sent, refused, disturbed = (
        sum(getattr(one, name) for one in found) for name in ("sent", "refused", "disturbed")
    )
    late, last = (max(getattr(one, name) for one in found) for name in ("late_s", "all_s"))
    return Outcome(
        found[0].fault,
        sent,
        refused,
        disturbed,
        late,
        last,
        tuple(text for one in found for text in one.wrong),
    )


def _all_judged(running: Stack) -> bool:
    """Also what a fault itself has sent."""

    def left() -> int:
        with running.database.read() as session:
            return (
                session.scalar(
                    select(func.count()).select_from(Submission).where(Submission.state != "done")
                )
                or 0
            )

    try:
        until(lambda: left() == 0, MOST_S, "not everything is judged", 0.25)
    except AssertionError:
        return False
    return True


def _wrong(
    running: Stack, load: Load, rows: dict[int, Submission], undisturbed: list[Any], settled: bool
) -> Iterator[str]:
    lost = set(load.sent) - set(rows)
    if lost:
        yield f"without a verdict: {sorted(lost)}"
    if not settled:
        yield "something is not judged"
    different = [
        n for n, row in rows.items() if without_times(row.verdict) != undisturbed[load.sent[n]]
    ]
    if different:
        yield (
            "another verdict than undisturbed:"
            f" {[(n, rows[n].outcome, rows[n].last_error) for n in different]}"
        )
    charged = [n for n, row in rows.items() if row.outcome == "judge_error"]
    if charged:
        yield f"judge_error: {charged}"
    kept = Counter(
        n
        for log in running.folder.glob("worker*.log")
        for n in re.findall(
            r'"event": "verdict", "submission": (\d+),.*"kept": true', log.read_text()
        )
    )
    doubled = [n for n, count in kept.items() if count > 1]
    if doubled:
        yield f"two verdicts: {doubled}"


def main() -> None:
    """Each fault so many times under load with the default lease; the table, and its rows as JSON."""
    options = argparse.ArgumentParser()
    options.add_argument("--times", type=int, default=5)
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--lease", type=float, default=30.0)
    options.add_argument("--only", default="")
    options.add_argument("--json", default="")
    chosen = options.parse_args()
    root = os.getuid() == 0
    print(f"seed {chosen.seed}, lease {chosen.lease} s, each {chosen.times} times\n\n{HEAD}")
    found = []
    with broken_stack(root, JUDGE_LEASE=str(chosen.lease)) as (running, texts, undisturbed):
        for name, fault in FAULTS.items():
            if (fault.root and not root) or chosen.only not in name:
                continue
            for turn in range(chosen.times):
                running.ready(2)
                outcome = disturb(
                    running,
                    name,
                    random.Random(f"{chosen.seed} {name} {turn}"),
                    texts,
                    undisturbed,
                    0.3,
                    sys.maxsize,
                )
                found.append(outcome)
                print(outcome.line(), flush=True)
    print(f"\nTogether:\n\n{HEAD}")
    for name in dict.fromkeys(outcome.fault for outcome in found):
        print(together([outcome for outcome in found if outcome.fault == name]).line())
    if chosen.json:
        Path(chosen.json).write_text(json.dumps([outcome.line() for outcome in found]))
    raise SystemExit(any(outcome.wrong for outcome in found))


if __name__ == "__main__":
    main()
