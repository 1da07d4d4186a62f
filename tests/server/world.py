"""Two classes that know nothing of each other, an admin and a visitor: what `route_matrix` and the
table of roles walk.

`tess` teaches `lea`; `theo` teaches `bob`; `ada` is an admin. Objects are those of tess and lea;
names that begin with `bob_` or `theo_` are those of the other class. Nothing is judged meanwhile:
verdicts are written as the judge would.
"""

import io
import re
import sqlite3
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from flask.testing import FlaskClient
from itsdangerous import URLSafeTimedSerializer
from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from grader.model import Framework
from grader.model import Submission as Sent
from server.lti import platforms
from server.lti.registry import key_of
from server.models.accounts import Role, Token, User
from server.models.base import Base, now
from server.models.capstone import Certificate
from server.models.courses import (
    Assignment,
    AssignmentItem,
    AssignmentProblem,
    Course,
    Member,
    RosterEntry,
)
from server.models.notices import Notice
from server.models.submissions import State, Submission
from server.models.teaching import Draft, Rejudge, Rejudgement, VerifyRun
from server.services import accounts, notices, password_resets
from server.services.jobs.kinds import SUBMISSIONS
from server.services.problems import files, published
from server.services.tries import recount
from server.web.context import NAME, Service
from tests.server.conftest import BAD, PASSWORD, SLUG, fake_judge, fake_trace

PERSONS = {
    "visitor": None,
    "bob": Role.LEARNER,
    "lea": Role.LEARNER,
    "theo": Role.INSTRUCTOR,
    "tess": Role.INSTRUCTOR,
    "ada": Role.ADMIN,
}
ITEMS = (("lesson", "asked", ""), ("questions", "asked", ""), ("practice", SLUG, "fill"))
MISSING: dict[type, Any] = {int: 999_999, str: "no_such_thing"}
LTI_URLS = {
    name: f"https://campus.example/{name}" for name in ("auth_url", "token_url", "jwks_url")
}

# the tables that the problems of the bank are read by
PROBLEMS = {"problem_versions", "publications"}

Rows = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Identity:
    """What a browser and a program of somebody hold: the session's cookie, a form's token, an API
    token.
    """

    cookie: str = ""
    csrf: str = ""
    token: str = ""


class Stored:
    """The rows as SQLite itself has them, read and put back in a millisecond. It counts for each
    connection what the others commit, so that a request that wrote nothing costs no look at all.
    Elsewhere each look is another, and finds every table.
    """

    def __init__(self, engine: Engine) -> None:
        self.names = [table.name for table in Base.metadata.sorted_tables]
        self.own: sqlite3.Connection | None = None
        self.first: dict[str, list[Any]] = {}
        if engine.dialect.name == "sqlite":
            # nothing cascades here: this connection has not asked for it
            self.own = sqlite3.connect(
                str(engine.url.database), check_same_thread=False, isolation_level=None
            )
            self.first = {name: self._rows(name) for name in self.names}

    def _rows(self, name: str) -> list[Any]:
        assert self.own is not None
        return self.own.execute(f'SELECT * FROM "{name}" ORDER BY rowid').fetchall()

    def commits(self) -> object:
        """Another value whenever anything has been committed."""
        return self.own.execute("PRAGMA data_version").fetchone()[0] if self.own else object()

    def others(self) -> list[str]:
        """The tables that are not, or may not be, as they were."""
        if self.own is None:
            return self.names
        return [name for name in self.names if self._rows(name) != self.first[name]]

    def put_back(self, names: list[str]) -> bool:
        """These tables as they were; False when this is not SQLite."""
        if self.own is None:
            return False
        self.own.execute("BEGIN IMMEDIATE")
        for name in names:
            self.own.execute(f'DELETE FROM "{name}"')
            if rows := self.first[name]:
                marks = ", ".join("?" * len(rows[0]))
                self.own.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)
        self.own.execute("COMMIT")
        return True

    def close(self) -> None:
        """Gives the connection back."""
        if self.own is not None:
            self.own.close()


class World:
    """The site of the tests; `objects` are the values of `{…}` in the matrix."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.service: Service = app.extensions[NAME]
        self.objects: dict[str, Any] = {}
        key_of(self.service.database)
        with self.service.database.write() as session:
            self._people(session)
            for teacher, learner, prefix in (("tess", "lea", ""), ("theo", "bob", "bob_")):
                self._problems(session, teacher, prefix)
                self._class(session, teacher, learner, prefix)
            for learner, prefix in (("lea", ""), ("bob", "bob_")):
                self._work(session, learner, prefix)
            self._rejudge(session)
            self._rest(session)
        self.service.bank.sync()
        self.identities = {name: self._sign_in(name) for name in PERSONS}
        self.saved = self.rows()
        self._stored = Stored(self.service.database.engine)
        self._unchanged_at = self._stored.commits()

    def close(self) -> None:
        """The site ends."""
        self._stored.close()

    # ----------------------------------------------------------------------------------------------
    # what there is

    def _people(self, session: Session) -> None:
        password_hash = accounts.hash_password(PASSWORD, "")
        for name, role in PERSONS.items():
            if role is not None:
                user = accounts.add_user(session, name, PASSWORD, role, password_hash)
                self.objects[f"{name}_id"] = user.id
        self.objects["user_id"] = self.objects["lea_id"]

    def _problems(self, session: Session, teacher: str, prefix: str) -> None:
        """A draft, its verification, and two problems that were published, the first in two
        versions.
        """
        problem = next(p for p in self.service.bank.problems() if p.slug == SLUG)
        owner = self.objects[f"{teacher}_id"]
        for name in ("published", "rejudged"):
            slug = self.objects[f"{prefix}{name}"] = f"{name}_by_{teacher}"
            content = dict(files.of_problem(problem))
            tree = files.keep(session, content)
            published.add_version(session, files.read(content, slug), tree, owner, "the first")
            content["problems/statement.md"] += b"\nOnce more.\n"
            tree = files.keep(session, content)
            published.add_version(session, files.read(content, slug), tree, owner, "the second")
        draft = Draft(slug=f"draft_of_{teacher}", owner_id=owner, files=tree)
        session.add(draft)
        session.flush()
        run = VerifyRun(
            draft_id=draft.id,
            slug=draft.slug,
            tree=files.tree_hash(tree),
            files=tree,
            asked_by=owner,
            state=State.DONE,
            fit=True,
        )
        run.report, run.finished_at = {"findings": [], "matrices": {}}, now()
        session.add(run)
        session.flush()
        self.objects |= {
            f"{prefix}draft_id": draft.id,
            f"{prefix}run_id": run.id,
            f"{prefix}number": 1,
        }

    def _class(self, session: Session, teacher: str, learner: str, prefix: str) -> None:
        course = Course(title=f"Class of {teacher}", code=f"CODE{teacher.upper()}", zone="UTC")
        session.add(course)
        session.flush()
        for name, teaches in ((teacher, True), (learner, False)):
            session.add(
                Member(course_id=course.id, user_id=self.objects[f"{name}_id"], teaches=teaches)
            )
        code = f"OWN{teacher.upper()}"
        entry = RosterEntry(course_id=course.id, name="lea", email=f"lea@{teacher}", code=code)
        session.add(entry)
        session.flush()
        self.objects[f"{prefix}entry_id"] = entry.id
        due = now() + timedelta(days=30)
        assignment = Assignment(
            course_id=course.id,
            title=f"Week 1 of {teacher}",
            opens_at=now() - timedelta(days=30),
            due_at=due,
        )
        slugs = (
            (SLUG, "published_by_tess", "rejudged_by_tess")
            if not prefix
            else (SLUG, "published_by_tess")
        )
        for i, slug in enumerate(slugs):
            assignment.problems.append(AssignmentProblem(slug=slug, position=i, points=10.0))
        for i, (kind, slug, step) in enumerate(ITEMS):
            item = AssignmentItem(kind=kind, slug=slug, step=step, position=i, points=1.0)
            assignment.items.append(item)
        session.add(assignment)
        unused = Assignment(
            course_id=course.id, title=f"Week 2 of {teacher}", opens_at=due, due_at=due
        )
        unused.problems.append(AssignmentProblem(slug=SLUG, position=0, points=10.0))
        session.add(unused)
        session.flush()
        self.objects |= {
            f"{prefix}unused_id": unused.id,
            f"{prefix}course_id": course.id,
            f"{prefix}assignment_id": assignment.id,
            f"{prefix}join": course.code,
        }

    def _work(self, session: Session, learner: str, prefix: str) -> None:
        """Submissions that were judged, two to one problem; one of which the judge failed on; and
        one to each published problem. A sample run waits.
        """
        wanted = {"submission_id": SLUG, "second_id": SLUG, "failed_id": SLUG}
        wanted |= {"to_published_id": "published_by_tess", "to_rejudged_id": "rejudged_by_tess"}
        for name, slug in wanted.items():
            row = self._judged(learner, slug)
            if name == "failed_id":
                row.outcome, row.score, row.max_score, row.failures = (
                    "judge_error",
                    0,
                    0,
                    SUBMISSIONS.attempts,
                )
            session.add(row)
            session.flush()
            self.objects[f"{prefix}{name}"] = row.id
        row = self._judged(learner, SLUG)
        row.samples_only, row.exploration = True, {"kind": "trace", "case": "two by three"}
        row.verdict, row.outcome, row.shown = None, None, {"result": fake_trace("two by three")}
        session.add(row)
        session.flush()
        self.objects[f"{prefix}exploration_id"] = row.id
        waiting = self._judged(learner, SLUG)
        waiting.samples_only, waiting.state, waiting.judged_at = True, State.QUEUED, None
        waiting.verdict = waiting.outcome = waiting.score = waiting.max_score = None
        session.add(waiting)
        session.flush()
        self.objects[f"{prefix}waiting_id"] = waiting.id
        self._model(session, learner, prefix)
        recount(session, [(self.objects[f"{learner}_id"], slug) for slug in set(wanted.values())])

    def _model(self, session: Session, learner: str, prefix: str) -> None:
        """What a model wrote, and a certificate."""
        row = self._judged(learner, SLUG)
        row.samples_only, row.source, row.verdict, row.outcome = True, "A mask", None, None
        prompt = {"text": "A mask", "count": 9, "temperature": 0.0, "seed": 0}
        row.exploration = {"kind": "model", "prompt": prompt, "name": "", "parts": {}}
        maps = [[[[100 if i == j else 0 for j in range(i + 1)] for i in range(7)]] * 4] * 4
        row.shown = {"result": {"text": " is added", "parts": [], "maps": maps}}
        own = {"part": SLUG, "own": True, "framework": "numpy", "digest": "0" * 64, "problem": "1"}
        compared = {"prompt": "A mask ", "same": 96, "count": 96}
        certificate = Certificate(
            token=f"{prefix}token_of_a_certificate",
            user_id=self.objects[f"{learner}_id"],
            name="Campus",
            parts=[own],
            compared={"prompts": [compared], "weights": "2" * 64},
        )
        session.add_all([row, certificate])
        session.flush()
        self.objects |= {
            f"{prefix}model_run_id": row.id,
            f"{prefix}token": certificate.token,
        }

    def _judged(self, learner: str, slug: str) -> Submission:
        """Whose it is stands in the source, so that a page which shows it can be told."""
        user_id, source = self.objects[f"{learner}_id"], f"{BAD}# by {learner}\n"
        problem = next(p for p in self.service.bank.problems() if p.slug == SLUG)
        sent = Sent(Framework.NUMPY, source)
        verdict = fake_judge(
            problem, sent, None, on_case=lambda case: None, samples_only=False, seed=0
        )
        about: dict[str, Any] = {
            "user_id": user_id,
            "problem": slug,
            "framework": "numpy",
            "source": source,
            "samples_only": False,
        }
        about |= {
            "state": State.DONE,
            "judged_at": now(),
            "digest": "0" * 64,
            "outcome": str(verdict.verdict),
        }
        about |= {
            "score": verdict.score,
            "max_score": verdict.max_score,
            "cpu_ms": 1.0,
            "verdict": verdict.to_json(),
        }
        return Submission(**about)

    def _rejudge(self, session: Session) -> None:
        """Begun by tess, judged, and to be applied: the verdict of lea would change."""
        row = session.get_one(Submission, self.objects["to_rejudged_id"])
        rejudge = Rejudge(
            problem="rejudged_by_tess",
            digest="1" * 64,
            reason="a stricter case",
            asked_by=self.objects["tess_id"],
        )
        session.add(rejudge)
        session.flush()
        old = {
            "judged_at": row.judged_at,
            "old_outcome": row.outcome,
            "old_score": row.score,
            "old_max": row.max_score,
        }
        new = {
            "outcome": "accepted",
            "score": 2,
            "max_score": 2,
            "cpu_ms": 1.0,
            "verdict": row.verdict,
            "state": State.DONE,
        }
        session.add(Rejudgement(rejudge_id=rejudge.id, submission_id=row.id, **old, **new))
        self.objects["rejudge_id"] = rejudge.id

    def _rest(self, session: Session) -> None:
        """An API token of each account; of lea a reset link and a notice; a learning platform; what
        a teacher chooses there.
        """
        for name, role in PERSONS.items():
            if role is not None:
                self.objects[f"{name}_token"] = accounts.make_token(
                    session, session.get_one(User, self.objects[f"{name}_id"]), "test"
                )
        tess, lea = (session.get_one(User, self.objects[f"{name}_id"]) for name in ("tess", "lea"))
        self.objects["code"] = password_resets.make(session, lea, tess)
        session.flush()
        platform = platforms.register(
            session,
            None,
            "Campus",
            "https://campus.example",
            "client",
            LTI_URLS,
            ["1"],
            instructors="yes",
        )
        session.flush()
        own = (Token.user_id == lea.id, Notice.user_id == lea.id)
        self.objects |= {
            "token_id": session.scalars(select(Token.id).where(own[0])).one(),
            "notice_id": session.scalars(select(Notice.id).where(own[1])).one(),
            "platform_id": platform.id,
            "slug": SLUG,
            "lesson": "asked",
            "step": "predict",
            "form": "csv",
            "name": "problem-format",
            "filename": "icon.svg",
            "invitation": accounts.invite(session, Role.LEARNER, tess.id),
        }
        settings = {"deep_link_return_url": "https://campus.example/return", "data": None}
        kept = [tess.id, platform.id, "1", self.objects["course_id"], settings]
        listed = [self.objects["course_id"], "Campus", [[1, "Newcomer", "new@x.org", "", None]]]
        self.objects["list"] = URLSafeTimedSerializer(self.service.secret, salt="lti list").dumps(
            listed
        )
        self.objects["pick"] = URLSafeTimedSerializer(self.service.secret, salt="lti pick").dumps(
            kept
        )

    # --------------------------------------------------------------------------------------------------
    # who acts

    def _sign_in(self, name: str) -> Identity:
        client: FlaskClient = self.app.test_client()
        csrf = _csrf(client.get("/sign-in"))
        if PERSONS[name] is not None:
            form = {"name": name, "password": PASSWORD, "csrf_token": csrf}
            assert client.post("/sign-in", data=form).status_code == 303
            csrf = _csrf(client.get("/profile"))
        cookie = client.get_cookie("judge_session")
        assert cookie is not None
        return Identity(cookie.value, csrf, self.objects.get(f"{name}_token", ""))

    def ask(
        self,
        name: str,
        method: str,
        path: str,
        *,
        bearer: bool = False,
        csrf: str | None = None,
        **options: Any,
    ) -> TestResponse:
        """One request of somebody, in a browser with the form's token, or in a program with an API
        token.
        """
        identity, client, headers = (
            self.identities[name],
            self.app.test_client(use_cookies=True),
            dict(options.pop("headers", {})),
        )
        if bearer:
            headers |= {"Authorization": f"Bearer {identity.token}"} if identity.token else {}
        else:
            client.set_cookie("judge_session", identity.cookie)
            token = identity.csrf if csrf is None else csrf
            headers |= {"X-CSRFToken": token} if method != "GET" and token else {}
        answer: TestResponse = client.open(
            path, method=method, headers=headers, buffered=True, **options
        )
        return answer

    # ------------------------------------------------------------------------------------------------
    # what is kept

    def rows(self, *names: str) -> Rows:
        """Everything in the database, or in some of its tables."""
        with self.service.database.engine.connect() as connection:
            tables = [t for t in Base.metadata.sorted_tables if not names or t.name in names]
            return {
                t.name: [
                    dict(r)
                    for r in connection.execute(select(t).order_by(*t.primary_key)).mappings()
                ]
                for t in tables
            }

    def changed(self) -> dict[str, int]:
        """By table: by how many rows it differs from what it was.

        When a token was last used does not count.
        """
        commits = self._stored.commits()
        if commits == self._unchanged_at:
            return {}
        found = {}
        others = self._stored.others()
        for name, rows in (self.rows(*others) if others else {}).items():
            before, after = (
                [_comparable(row) for row in those] for those in (self.saved[name], rows)
            )
            if before != after:
                found[name] = len([row for row in after if row not in before]) + len(
                    [row for row in before if row not in after]
                )
        if not found:
            self._unchanged_at = commits
        return found

    def restore(self) -> None:
        """Puts back what was there."""
        others = self._stored.others()
        if not self._stored.put_back(others):
            tables = Base.metadata.sorted_tables
            with self.service.database.write() as session:
                for table in reversed(tables):
                    session.execute(delete(table))
                for table in tables:
                    # a row has its columns' names; some have another key
                    rows = [{c.key: row[c.name] for c in table.c} for row in self.saved[table.name]]
                    if rows:
                        session.execute(insert(table), rows)
        if PROBLEMS.intersection(others):
            self.service.bank.sync()
        self.changed()  # so that the next look finds nothing new

    def added(self, table: str) -> list[dict[str, Any]]:
        """The rows of a table that were not there."""
        before = {row["id"] for row in self.saved[table]}
        return [row for row in self.rows(table)[table] if row["id"] not in before]

    def told(self, name: str) -> list[str]:
        """What somebody reads of what others did, as the page says it."""
        with self.service.database.read() as session:
            return [
                str(notices.sentence(n))
                for n in notices.latest(session, self.objects[f"{name}_id"])
            ]


def _comparable(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in row.items()
        if not (name == "used_at" and "token_hash" in row)
    }


def _csrf(answer: TestResponse) -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', answer.text)
    assert found is not None, answer.text
    return found[1]


def problem_zip(slug: str = "sent_problem") -> bytes:
    """A zip that can be uploaded."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, content in files.from_template(slug).items():
            group, _, rest = path.partition("/")
            archive.writestr(f"{group}/{slug}/{rest}", content)
    return out.getvalue()
