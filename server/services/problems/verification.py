"""Verification of a draft: asked for by an instructor, run by a worker in the room, watched on a
page.

As with submissions the row is the truth: a claim counts `attempt` up and fences, and what a dead
worker left is taken up again.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, or_, select, update
from sqlalchemy.orm import Session

from grader.errors import ProblemError, RoomError, UsageError
from grader.model import Outcome
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verify import Fitness, verify
from server.messages import Message
from server.models.database import Database, clock
from server.models.submissions import State
from server.models.teaching import Draft, VerifyRun
from server.services.lease import renewed
from server.services.problems import files
from server.services.problems.limited_sandbox import Guard

LEASE_S, RENEW_S = 30.0, 8.0
ATTEMPTS = 3
PROGRESS_S = 0.2
MOST_WAITING = 3  # runs of one instructor that wait or run
FORM = 0  # the number of a finding that no rule of `verify` has: the form of the files

Verify = Callable[..., Fitness]


@dataclass(frozen=True, slots=True)
class Claim:
    """A run that this worker, and only this worker, carries out now."""

    id: int
    attempt: int
    slug: str
    files: dict[str, str]
    failures: int


def ask(session: Session, draft: Draft, by: int) -> VerifyRun:
    """Queue a run for the draft as it is. Raises `UsageError` when too many wait already."""
    tree = files.tree_hash(draft.files)
    same = select(VerifyRun).where(
        VerifyRun.draft_id == draft.id, VerifyRun.tree == tree, VerifyRun.state != State.DONE
    )
    waiting = session.scalar(same)
    if waiting is not None:
        return waiting
    held = session.scalars(
        select(VerifyRun.id).where(VerifyRun.asked_by == by, VerifyRun.state != State.DONE)
    ).all()
    if len(held) >= MOST_WAITING:
        raise UsageError(
            Message(
                "%(count)s of your verifications are not done yet; wait for one of them",
                count=MOST_WAITING,
            )
        )
    run = VerifyRun(
        draft_id=draft.id, slug=draft.slug, tree=tree, files=dict(draft.files), asked_by=by
    )
    session.add(run)
    session.flush()
    return run


def last(session: Session, draft: Draft) -> VerifyRun | None:
    """The latest run of a draft, whatever its files were."""
    return session.scalar(
        select(VerifyRun)
        .where(VerifyRun.draft_id == draft.id)
        .order_by(VerifyRun.id.desc())
        .limit(1)
    )


def fit_run(session: Session, draft: Draft) -> VerifyRun | None:
    """A run that found exactly these files fit."""
    fit = (
        VerifyRun.draft_id == draft.id,
        VerifyRun.tree == files.tree_hash(draft.files),
        VerifyRun.fit.is_(True),
    )
    return session.scalar(select(VerifyRun).where(*fit).order_by(VerifyRun.id.desc()).limit(1))


def claim(database: Database, owner: str) -> Claim | None:
    """Take up the oldest run that waits, or whose worker has fallen silent."""
    with database.read() as session:
        if session.scalar(_waiting(clock(session))) is None:
            return None
    with database.write() as session:
        moment = clock(session)
        row = session.scalar(_waiting(moment).with_for_update(skip_locked=True))
        if row is None:
            return None
        row.failures += row.state == State.RUNNING
        row.state, row.attempt, row.lease_owner = State.RUNNING, row.attempt + 1, owner
        row.lease_until = moment + timedelta(seconds=LEASE_S)
        row.step, row.steps_done, row.steps = "", 0, 0
        return Claim(row.id, row.attempt, row.slug, dict(row.files), row.failures)


def _waiting(moment: datetime) -> Select[VerifyRun]:
    free = or_(
        VerifyRun.state == State.QUEUED,
        (VerifyRun.state == State.RUNNING) & (VerifyRun.lease_until < moment),
    )
    return select(VerifyRun).where(free).order_by(VerifyRun.id).limit(1)


def carry_out(
    database: Database, claimed: Claim, sandbox: Sandbox, seed: int, verifier: Verify = verify
) -> None:
    """Verify and write down what was found.

    A failure of ours puts the run back, at most `ATTEMPTS` times.
    """
    with database.read() as session:
        content = files.fetch(session, claimed.files)
    try:
        with renewed(lambda: _renew(database, claimed), RENEW_S):
            report = examine(
                content, claimed.slug, sandbox, seed, _Progress(database, claimed), verifier
            )
    except RoomError:  # there is no room: it counts against nobody, and waits
        with database.write() as session:
            session.execute(update(VerifyRun).where(*_held(claimed)).values(state=State.QUEUED))
        raise
    except Exception as error:  # the judge failed, or has a defect: ours either way
        _failed(database, claimed, f"{type(error).__name__}: {error}")
        return
    values = {
        "state": State.DONE,
        "fit": not report["findings"],
        "report": report,
        "lease_until": None,
        "trouble": None,
    }
    with database.write() as session:
        session.execute(
            update(VerifyRun)
            .where(*_held(claimed))
            .values(values | {"finished_at": clock(session)})
        )


def _renew(database: Database, claimed: Claim) -> None:
    with database.write() as session:
        until = clock(session) + timedelta(seconds=LEASE_S)
        session.execute(update(VerifyRun).where(*_held(claimed)).values(lease_until=until))


def _failed(database: Database, claimed: Claim, trouble: str) -> None:
    over = claimed.failures + 1 >= ATTEMPTS
    values: dict[str, Any] = {
        "state": State.QUEUED,
        "failures": claimed.failures + 1,
        "trouble": trouble[:2000],
    }
    with database.write() as session:
        if over:
            values |= {"state": State.DONE, "finished_at": clock(session), "fit": False}
        session.execute(update(VerifyRun).where(*_held(claimed)).values(values))


def _held(claimed: Claim) -> list[Any]:
    return [
        VerifyRun.id == claimed.id,
        VerifyRun.state == State.RUNNING,
        VerifyRun.attempt == claimed.attempt,
    ]


def examine(
    content: files.Files,
    slug: str,
    sandbox: Sandbox,
    seed: int,
    progress: "Callable[[str, int], None]",
    verifier: Verify = verify,
) -> dict[str, Any]:
    """What a page shows of a verification: findings with their remedy, and the kill matrix of each
    framework.
    """
    try:
        problem = files.read(content, slug)
    except (ProblemError, UsageError) as error:
        return {
            "findings": [_finding(FORM, "the files", str(error))],
            "matrices": [],
            "digest": None,
        }
    try:
        found = verifier(
            problem, Guard(sandbox), seed, lambda step: progress(step, _steps(problem))
        )
    except ProblemError as error:
        return {
            "findings": [_finding(FORM, "the run", _plain(str(error), problem))],
            "matrices": [],
            "digest": problem.digest,
        }
    return {
        "findings": [_finding(f.rule, f.where, _plain(f.text, problem)) for f in found.findings],
        "matrices": [_matrix(problem, m) for m in found.matrices],
        "digest": problem.digest,
    }


def _steps(problem: Problem) -> int:
    return len(problem.frameworks) + sum(len(m.sources) for m in problem.mistakes)


def _plain(text: str, problem: Problem) -> str:
    """A message without the path of this machine, and not endless: parts of it come out of the
    room.
    """
    return text.replace(f"{problem.folder.parents[1]}/", "")[:2000]


def _finding(rule: int, where: str, text: str) -> dict[str, Any]:
    return {"rule": rule, "where": where, "text": text}


def _matrix(problem: Problem, matrix: Any) -> dict[str, Any]:
    """Cases across, mistakes down; and what is wrong with a row or a column."""
    names = [a.case.name for a in matrix.cases]
    hidden = [a.case.name for a in matrix.cases if not a.case.sample]
    rows = [
        {
            "mistake": name,
            "hint": next((m.hint for m in problem.mistakes if m.name == name), ""),
            "verdicts": [str(verdicts[n]) for n in names],
            "survives": all(verdicts[n] is Outcome.ACCEPTED for n in hidden),
        }
        for name, verdicts in matrix.verdicts.items()
    ]
    return {
        "framework": str(matrix.framework),
        "cases": [_case(a, matrix) for a in matrix.cases],
        "mistakes": rows,
    }


def _case(answer: Any, matrix: Any) -> dict[str, Any]:
    facts, name = matrix.facts[answer.case.name], answer.case.name
    kills = sum(verdicts[name] is not Outcome.ACCEPTED for verdicts in matrix.verdicts.values())
    return {
        "name": name,
        "sample": answer.case.sample,
        "note": answer.case.note,
        "kills": kills,
        "noise": _number(facts.noise),
        "tolerance": _number(facts.tolerance),
        "nearest": _number(facts.nearest),
        "nearest_name": facts.nearest_name,
    }


def _number(value: float | None) -> float | None:
    """JSON has no infinity."""
    return float(value) if value is not None and math.isfinite(value) else None


class _Progress:
    """Writes the step for whoever watches, a few times a second at most."""

    def __init__(self, database: Database, claimed: Claim) -> None:
        self.database, self.claimed, self.count, self.written = database, claimed, 0, 0.0

    def __call__(self, step: str, steps: int) -> None:
        self.count += 1
        if time.monotonic() - self.written < PROGRESS_S:
            return
        self.written = time.monotonic()
        values = {"step": step[:200], "steps_done": self.count - 1, "steps": steps}
        with self.database.write() as session:
            session.execute(update(VerifyRun).where(*_held(self.claimed)).values(values))


def owners(session: Session) -> list[str]:
    """Who holds a run."""
    held = select(VerifyRun.lease_owner).where(VerifyRun.state == State.RUNNING).distinct()
    return [owner for owner in session.scalars(held) if owner]


def give_back(session: Session, dead: list[str]) -> None:
    """Queue what workers that are gone had taken."""
    lost = (VerifyRun.state == State.RUNNING, VerifyRun.lease_owner.in_(dead))
    session.execute(
        update(VerifyRun).where(*lost).values(state=State.QUEUED, failures=VerifyRun.failures + 1)
    )
