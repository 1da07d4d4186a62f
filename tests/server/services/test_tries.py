"""What is kept of each learner's tries follows from the submissions, whatever happens to them."""

import random
import threading
from typing import Any

import pytest
from sqlalchemy import func, select

from grader.model import CaseResult, Framework, Outcome, Verdict
from server.models.accounts import User
from server.models.database import Database
from server.models.submissions import ProblemCount, Rank, Submission, Tries
from server.models.teaching import Rejudge, Rejudgement
from server.services import (
    accounts,
    rejudging,
    statistics,
    submission_queue,
    submissions,
)
from server.services.jobs import lost_submissions
from server.services.tries import counted, recount, summary
from server.web.context import NAME, Service
from tests.server.conftest import GOOD, SLUG, MakeApp

OUTCOMES = (Outcome.ACCEPTED, Outcome.WRONG_ANSWER, Outcome.JUDGE_ERROR)


@pytest.fixture
def idle(make_app: MakeApp) -> Service:
    """A service whose worker is not running."""
    service: Service = make_app(work=False).extensions[NAME]
    return service


def people(service: Service, count: int) -> list[int]:
    with service.database.write() as session:
        return [
            accounts.add_user(session, f"learner{i}", "", password_hash="none").id
            for i in range(count)
        ]


def send(service: Service, user: int, slug: str = SLUG, samples_only: bool = False) -> int:
    problem = service.bank.get(slug)
    assert problem is not None
    with service.database.write() as session:
        return submissions.submit(
            session, user, problem, Framework.NUMPY, GOOD, samples_only=samples_only
        )[0].id


def judge_all(service: Service, chance: random.Random, owner: str = "host:1:a") -> None:
    while (claimed := submission_queue.claim(service.database, owner, 30)) is not None:
        outcome = chance.choice(OUTCOMES)
        case = CaseResult("one", outcome, False, 1, 1, 1.0, chance.uniform(1, 9), 1.0, "", "")
        verdict = Verdict(
            claimed.problem, "d", claimed.framework, outcome, 1, 1, "fake", 0, (case,), (), ""
        )
        submission_queue.finish(service.database, claimed, verdict, {})


def kept(database: Database) -> tuple[list[Any], list[Any], list[Any]]:
    with database.read() as session:
        columns = (
            Tries.user_id,
            Tries.problem,
            Tries.judged,
            Tries.accepted,
            Tries.solved_at,
            Tries.cpu_ms,
        )
        sums = (
            ProblemCount.problem,
            func.sum(ProblemCount.judged),
            func.sum(ProblemCount.accepted),
        )
        tries = session.execute(
            select(*columns).where(Tries.judged > 0).order_by(Tries.user_id, Tries.problem)
        ).all()
        counts = session.execute(
            select(*sums).group_by(ProblemCount.problem).order_by(ProblemCount.problem)
        ).all()
        ranks = session.execute(
            select(Rank.user_id, Rank.solved, Rank.last_at)
            .where(Rank.solved > 0)
            .order_by(Rank.user_id)
        ).all()
    lines = [(slug, int(judged), int(good)) for slug, judged, good in counts]
    return [tuple(row) for row in tries], lines, [tuple(row) for row in ranks]


def counted_anew(database: Database) -> tuple[list[Any], list[Any], list[Any]]:
    by_learner = (Submission.user_id, Submission.problem)
    with database.read() as session:
        tries = session.execute(
            select(*by_learner, *summary)
            .where(*counted)
            .group_by(*by_learner)
            .order_by(*by_learner)
        ).all()
        counts = (
            select(Submission.problem, *summary[:2])
            .where(*counted)
            .group_by(Submission.problem)
            .order_by(Submission.problem)
        )
        lines = [(slug, int(judged), int(good)) for slug, judged, good in session.execute(counts)]
    ranks = []
    for user in sorted({row.user_id for row in tries}):
        solved = [row.solved_at for row in tries if row.user_id == user and row.solved_at]
        ranks += [(user, len(solved), max(solved))] if solved else []
    return [tuple(row) for row in tries], lines, ranks


@pytest.mark.parametrize("seed", range(3))
def test_they_follow_the_submissions(idle: Service, seed: int) -> None:
    chance, users = random.Random(seed), people(idle, 4)
    numbers = [
        send(
            idle, chance.choice(users), chance.choice([SLUG, "double_again"]), chance.random() < 0.2
        )
        for _ in range(40)
    ]
    judge_all(idle, chance)
    assert kept(idle.database) == counted_anew(idle.database)
    with idle.database.write() as session:
        again = [number for number in numbers if lost_submissions.judge_again(session, number)]
    assert again
    judge_all(idle, chance)
    assert kept(idle.database) == counted_anew(idle.database)


def test_a_sample_run_and_a_failure_of_ours_count_for_nothing(idle: Service) -> None:
    (lea,) = people(idle, 1)
    send(idle, lea, samples_only=True)
    judge_all(idle, random.Random(0))
    send(idle, lea)
    claimed = submission_queue.claim(idle.database, "host:1:a", 30)
    assert claimed is not None
    submission_queue.finish(
        idle.database,
        claimed,
        Verdict(SLUG, "d", Framework.NUMPY, Outcome.JUDGE_ERROR, 0, 0, "fake", 0, (), (), ""),
        {},
    )
    assert kept(idle.database) == ([], [], [])


def test_a_rejudge_changes_them(idle: Service) -> None:
    (lea,) = people(idle, 1)
    problem = idle.bank.get(SLUG)
    assert problem is not None
    numbers = [send(idle, lea) for _ in range(3)]
    judge_all(idle, random.Random(1))
    with idle.database.write() as session:
        user = accounts.add_user(session, "ada", "", accounts.Role.ADMIN, password_hash="none")
        rejudge = rejudging.begin(session, problem, numbers, "a case was added", user)
        for row in session.scalars(select(Rejudgement).where(Rejudgement.rejudge_id == rejudge.id)):
            row.state, row.outcome, row.score, row.max_score, row.cpu_ms = (
                "done",
                "wrong_answer",
                0,
                1,
                2.0,
            )
            row.verdict, row.shown = {"cases": []}, {}
    before = kept(idle.database)
    with idle.database.write() as session:
        assert rejudging.apply(session, session.get_one(Rejudge, rejudge.id), user) > 0
    assert kept(idle.database) == counted_anew(idle.database) != before
    with idle.database.read() as session:
        assert statistics.rates(session)[SLUG].percent == 0


def test_leaderboard_of_the_problems_there_are(idle: Service) -> None:
    """A problem that left the bank no longer counts, and one that came back does."""
    lea, otto = people(idle, 2)
    with idle.database.write() as session:
        for user in (lea, otto):
            session.get_one(User, user).display_name = f"learner {user}"
    send(idle, lea)
    send(idle, lea, "double_again")
    send(idle, otto)
    while (claimed := submission_queue.claim(idle.database, "host:1:a", 30)) is not None:
        good = Verdict(
            claimed.problem, "d", claimed.framework, Outcome.ACCEPTED, 1, 1, "fake", 0, (), (), ""
        )
        submission_queue.finish(idle.database, claimed, good, {})

    def places(*slugs: str) -> list[tuple[str, int]]:
        with idle.database.read() as session:
            return [
                (place.name, place.solved) for place in statistics.overall(session, slugs, None)
            ]

    assert places(SLUG, "double_again") == [(f"learner {lea}", 2), (f"learner {otto}", 1)]
    assert places("double_again") == [(f"learner {lea}", 1)]
    assert places(SLUG, "double_again") == [(f"learner {lea}", 2), (f"learner {otto}", 1)]


def test_many_at_once(idle: Service) -> None:
    """Workers that finish at the same moment, and somebody who counts everything anew meanwhile:
    nobody waits for ever, nothing is off.
    """
    users = people(idle, 20)
    for user in users:
        for slug in (SLUG, "double_again"):
            send(idle, user, slug)
    troubles: list[BaseException] = []

    def run(work: Any, *args: Any) -> None:
        try:
            work(*args)
        except BaseException as error:
            troubles.append(error)

    def count_anew() -> None:
        for _ in range(5):
            with idle.database.write() as session:
                recount(
                    session, [(user, slug) for user in users for slug in (SLUG, "double_again")]
                )

    works = [(judge_all, idle, random.Random(i), f"host:{i}:a") for i in range(3)]
    threads = [threading.Thread(target=run, args=work) for work in works] + [
        threading.Thread(target=run, args=(count_anew,))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    judge_all(idle, random.Random(9))
    assert kept(idle.database) == counted_anew(idle.database)
