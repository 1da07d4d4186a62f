"""The requests and the steps of a worker that `benchmarks.million` measures."""

import random
from collections.abc import Callable
from typing import Any

from sqlalchemy import select

from grader.model import Framework, Outcome, Verdict
from server.models.accounts import Role, User
from server.models.courses import Assignment
from server.models.database import Database
from server.services import accounts, submission_queue, submissions
from server.services.jobs import leases
from server.services.jobs.kinds import SUBMISSIONS
from server.web.context import Service

Act = Callable[[random.Random], None]


def pages(app: Any, service: Service) -> dict[str, Act]:
    """Returns each request by its name; the generator chooses who makes it."""
    with service.database.read() as session:
        users = session.scalar(select(User.id).order_by(User.id.desc()).limit(1)) or 1
        assignments = session.scalars(select(Assignment.id).order_by(Assignment.id)).all()
    with service.database.write() as session:
        account = accounts.find_user(session, "ada")
        admin = (
            account or accounts.add_user(session, "ada", "", Role.ADMIN, password_hash="none")
        ).id
    slugs = [p.slug for p in service.bank.problems()]
    clients: dict[int, Any] = {}

    def client(user: int) -> Any:
        if user not in clients:
            clients[user] = app.test_client()
            with service.database.read() as session:
                key = session.get_one(User, user).session_key
            with clients[user].session_transaction() as cookie:
                cookie["_user_id"], cookie["_fresh"] = f"{user}.{key}", True
        return clients[user]

    def learner(chance: random.Random) -> int:
        return int(chance.random() ** 2 * users) + 1  # the distribution of the submissions

    def get(path: Callable[[random.Random], str], as_admin: bool = False) -> Act:
        def act(chance: random.Random) -> None:
            answer = client(admin if as_admin else learner(chance)).get(path(chance))
            assert answer.status_code == 200, (answer.status_code, answer.text[:300])

        return act

    return {
        "bank": get(lambda c: "/"),
        "bank, the most active learner": lambda c: _ok(client(1).get("/")),
        "problem": get(lambda c: f"/problems/{c.choice(slugs)}"),
        "own history": get(lambda c: f"/problems/{c.choice(slugs)}/submissions"),
        "own history, the most active learner": lambda c: _ok(
            client(1).get(f"/problems/{c.choice(slugs)}/submissions?page={c.randint(1, 4)}")
        ),
        "own submissions (API)": get(lambda c: "/api/v1/submissions?per_page=50"),
        "progress": get(lambda c: "/progress"),
        "problems with acceptance (API)": get(lambda c: "/api/v1/problems"),
        "leaderboard": get(lambda c: "/leaderboard"),
        "leaderboard of a problem": get(lambda c: f"/problems/{c.choice(slugs)}/leaderboard"),
        "matrix of a class": get(lambda c: f"/teach/assignments/{c.choice(assignments)}", True),
        "mistakes of a class": get(
            lambda c: _mistakes(service.database, c.choice(assignments), c), True
        ),
        "submissions of a problem (rejudge)": get(
            lambda c: (
                f"/teach/problems/{c.choice(slugs)}/rejudge?which={c.choice(['all', 'accepted'])}"
            ),
            True,
        ),
        "accounts and judge errors": get(lambda c: "/manage", True),
        "metrics": lambda c: _ok(
            app.test_client().get("/metrics", headers={"Authorization": "Bearer of-a-test"})
        ),
    }


def _ok(answer: Any) -> None:
    assert answer.status_code == 200, answer.status_code


def _mistakes(database: Database, number: int, chance: random.Random) -> str:
    with database.read() as session:
        slug = chance.choice(session.get_one(Assignment, number).problems).slug
    return f"/teach/assignments/{number}/mistakes/{slug}"


def worker_steps(service: Service) -> dict[str, Act]:
    """Returns what a worker does with the table of submissions, by name."""
    database, problem = service.database, service.bank.problems()[0]
    verdict = Verdict(
        problem.slug,
        problem.digest,
        Framework.NUMPY,
        Outcome.ACCEPTED,
        1,
        1,
        "fake",
        0,
        (),
        (),
        "",
    )

    def submit_claim_finish(chance: random.Random) -> None:
        with database.write() as session:
            submissions.submit(session, chance.randint(1, 20), problem, Framework.NUMPY, "x = 1")
        claimed = submission_queue.claim(database, "host:1:a", 30)
        assert claimed is not None
        assert submission_queue.finish(database, claimed, verdict, {})

    return {
        "submit, claim, finish": submit_claim_finish,
        "sweep": lambda c: _nothing(
            leases.reclaim(database, SUBMISSIONS, "host:1:a"), leases.due(database, SUBMISSIONS)
        ),
    }


def _nothing(*_: object) -> None:
    """Ignores results: only the time counts."""
