"""A service over a temporary SQLite and a small bank.

Its judge is a fake, except where a test asks for the real room.
"""

import contextlib
import json
import os
import re
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest
from argon2 import PasswordHasher
from flask import request, request_finished
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.test import TestResponse

from grader.case import Case
from grader.comparison.compare import Expected
from grader.errors import JudgeError, ProblemError, RoomError, UsageError
from grader.explore.curve import Costs, Curve, Line, Point
from grader.explore.curve import State as CurveState
from grader.explore.trace import WrongStep, wrong_step_json
from grader.explore.trace.relations import Relation
from grader.findings.codes import Code, Place
from grader.findings.finding import Detail, Finding, detail, finding, to_json
from grader.judge import judge
from grader.model import CaseResult, Diagnosis, Framework, Outcome, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import open_sandbox
from server import create_app
from server.models import migrations
from server.models.accounts import Role
from server.models.database import open_database
from server.services import accounts
from server.services.rendering.samples import Shown
from server.settings import Settings
from server.web.access import limiter
from server.web.context import NAME, Service
from server.worker.room import Core
from tests.server import sharing
from tests.server.codes import CODES

REPOSITORY = Path(__file__).parents[2]
ON_POSTGRES = os.environ.get("TEST_DATABASE") == "postgresql"
sqlite_only = pytest.mark.skipif(ON_POSTGRES, reason="about SQLite alone")
PASSWORD = "a password of a test"
SLUG = "double"
GOOD, BAD = "# accepted\n", "# wrong\n"


STATEMENT = """# TITLE

Return $2x$ for <script>alert(1)</script> any `x`.

| name | shape |
|---|--:|
| `x` | `(L, S)` |

[[sample: two by three]]
"""
CASES = """import numpy as np
from grader.case import Case


def cases(rng):
    x = np.full((2, 3), 0.2, np.float32)
    yield Case("two by three", inputs={"x": x}, sample=True, labels=("a", "b", "c"), note="Small.")
    yield Case("hidden one", inputs={"x": rng.standard_normal((4, 5)).astype(np.float32)}, note="Any size.")
"""
MISTAKES = """[[mistake]]
name = "once"
hint = "It is not doubled."
numpy = { find = "2 * x", replace = "x" }
torch = { find = "2 * x", replace = "x" }
"""


CHINESE = """
[mistakes]
once = "没有加倍。"

[cases]
"two by three" = { name = "二乘三", note = "很小。" }
"hidden one" = { name = "隐藏的一个", note = "任意大小。" }
"""


@pytest.fixture(scope="session", autouse=True)
def shared() -> Iterator[None]:
    """What every application would compile again for itself."""
    with sharing.shared():
        yield


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing is slow on purpose; tests need the logic, not the cost."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(accounts, "hasher", hasher)
    monkeypatch.setattr(accounts, "_nobody", lambda: hasher.hash("nobody"))


@pytest.fixture(autouse=True)
def described() -> Iterator[None]:
    """Every answer of the API that a test sees is in the description, and each code of an error
    in docs/server.md with that status.
    """
    seen: set[tuple[Any, str, str, str]] = set()
    codes: set[tuple[str, int]] = set()

    def record(app: Any, response: Any, **_: Any) -> None:
        if request.path.startswith("/api/") and response.mimetype == "application/problem+json":
            codes.add((response.get_json()["code"], response.status_code))
        if request.path.startswith("/api/v1/") and request.blueprint in (
            "api",
            "explored",
            "publish",
        ):
            path = re.sub(r"<(?:int:)?(\w+)>", r"{\1}", str(request.url_rule))
            seen.add((app, path, request.method.lower(), str(response.status_code)))

    with request_finished.connected_to(record):
        yield
    missing = {
        (method, path, status)
        for app, path, method, status in seen
        if method in ("get", "post") and status not in app.spec["paths"][path][method]["responses"]
    }
    assert not missing, "not in the description of the API"
    unlisted = {
        (code, status)
        for code, status in codes
        if code not in CODES or (CODES[code] and status not in CODES[code])
    }
    assert not unlisted, "not in docs/server.md, or not with that status"


def write_problem(bank: Path, slug: str, order: int, title: str, requires: str = "[]") -> None:
    """A whole problem: return twice the input."""
    folder, reference = bank / "problems" / slug, bank / "reference" / slug
    folder.mkdir(parents=True)
    reference.mkdir(parents=True)
    (folder / "problem.toml").write_text(
        f'title = "{title}"\ntitle_zh = "加倍"\ntrack = "foundations"\norder = {order}\ndifficulty'
        ' = "easy"\nframeworks = ["numpy", "torch"]\nkind = "function"\nsource = "Nobody'
        f' 2020"\nrequires = {requires}\n[entry.double]\nparams = ["x"]\nreturns = ["weights"]\n'
    )
    (folder / "statement.md").write_text(STATEMENT.replace("TITLE", title))
    (folder / "statement.zh.md").write_text("# 加倍\n\n返回 $2x$。\n\n[[sample: two by three]]\n")
    (folder / "hints.zh.toml").write_text(CHINESE)
    (folder / "cases.py").write_text(CASES)
    (folder / "mistakes.toml").write_text(MISTAKES)
    for framework in ("numpy", "torch"):
        (folder / f"starter_{framework}.py").write_text(
            f"# start {framework}\ndef double(x):\n    ...\n"
        )
        (reference / f"{framework}.py").write_text("def double(x):\n    return 2 * x\n")


def write_lesson(bank: Path, slug: str) -> None:
    """A lesson that computes nothing and asks one question, whose first choice is right."""
    folder = bank / "lessons" / slug
    folder.mkdir(parents=True)
    about = 'title = "A lesson"\norder = 1\nminutes = 5\nsummary = "About nothing."\n'
    choices = (("Yes", "true"), ("No", "false"))
    rows = (
        f'[[question.choices]]\ntext = "{text}"\nwhy = "It is."\nright = {right}\n'
        for text, right in choices
    )
    question = '[[question]]\nname = "one"\nkind = "choice"\ntext = "Is it?"\n' + "".join(rows)
    for name, text in (
        ("lesson.toml", about),
        ("lesson.md", "# A lesson\n\nNothing.\n"),
        ("lesson.py", "x = 1\n"),
        ("questions.toml", question),
    ):
        (folder / name).write_text(text)


def write_syllabus(bank: Path, name: str, lesson: str) -> None:
    """A course of two weeks: a lesson and a step of practice, then the problem."""
    week = f'[[week]]\ntitle = "The lesson"\nlessons = ["{lesson}"]\npractice = ["{SLUG}:fill"]\n'
    text = f'title = "A short course"\ntitle_zh = "短课程"\nsummary = "Two weeks."\n{week}'
    text += f'[[week]]\ntitle = "The problem"\ntitle_zh = "题目"\nproblems = ["{SLUG}"]\n'
    (bank / "courses").mkdir(parents=True)
    (bank / "courses" / f"{name}.toml").write_text(text)


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """Two problems, the second after the first."""
    write_problem(tmp_path / "bank", SLUG, 1, "Twice the input")
    write_problem(tmp_path / "bank", "double_again", 2, "Twice again", '["double"]')
    return tmp_path / "bank"


class FakeRoom:
    """A sandbox that runs nothing."""

    name = "fake"

    def close(self) -> None:
        """Nothing to end."""


def differs(count: int, *where: Detail) -> tuple[Finding, ...]:
    """The findings of a case in which so many values differ."""
    values = {"count": count, "total": 6, "largest": None, "allowed": None, "at": (0, 0)}
    return (finding(Code.VALUES_DIFFER, tensor="weights", **values, where=where, pattern=None),)


def fake_judge(
    problem: Problem,
    submission: Submission,
    sandbox: Any,
    *,
    on_case: Callable[[CaseResult], None],
    **options: Any,
) -> Verdict:
    """Does what a comment in the source says."""
    if "slow" in submission.source:
        time.sleep(0.4)
    for word, error in (
        ("our fault", JudgeError("lost")),
        ("broken problem", ProblemError("cases.py: no")),
        ("framework is gone", UsageError("this problem is for numpy")),
        ("defect", KeyError("x")),
    ):
        if word in submission.source:
            raise error
    good = "accepted" in submission.source
    refused = "against the rules" in submission.source
    wrong = Outcome.RULE_VIOLATION if refused else Outcome.WRONG_ANSWER
    outcome = Outcome.ACCEPTED if good else wrong
    x = np.full((2, 3), 0.2, np.float32)
    case = Case("two by three", inputs={"x": x}, labels=("a", "b", "c"), sample=True, note="Small.")
    results = [
        CaseResult(
            "two by three",
            outcome,
            True,
            1,
            1,
            1.5,
            1.0,
            2.0,
            "weights: 6 of 6 values differ",
            "Small.",
            {"weights": x},
            {"weights": 2 * x},
            "",
            case,
            findings=differs(6),
        )
    ]
    if not options["samples_only"]:
        results.append(
            CaseResult(
                "hidden one",
                outcome,
                False,
                1,
                1,
                1.5,
                1.0,
                2.0,
                "weights: 3 of 6 values differ, in row 0",
                "Any size.",
                findings=differs(3, detail(Place.ONE_OF_TWO, axis="row", number=None, at=0)),
            )
        )
    for result in results:
        on_case(result)
    diagnoses = (
        () if good or refused else (Diagnosis("once", "It is not doubled.", ("two by three",)),)
    )
    score = sum(r.points for r in results if good)
    return Verdict(
        problem.slug,
        problem.digest,
        submission.framework,
        outcome,
        score,
        len(results),
        "fake",
        options["seed"],
        tuple(results),
        diagnoses,
        "two",
    )


def array(*shape: int) -> dict[str, Any]:
    """An array of an exploration's JSON."""
    return {"dtype": "float32", "shape": list(shape), "values": np.full(shape, 0.2).tolist()}


def step(number: int, line: int, variable: str, **given: Any) -> dict[str, Any]:
    """A step of a trace's JSON."""
    value = {"dtype": "float32", "shape": [2, 3], "values": np.full((2, 3), 0.2).tolist()}
    about = {"kind": "assign", "function": "double", "depth": 0, "times": 1, "is": None}
    span = {"range": [0.2, 0.2, 0.2]}
    return {"step": number, "line": line, "variable": variable, **about, **value, **span, **given}


def fake_trace(case: str) -> dict[str, Any]:
    """The JSON of a trace of three steps, the second of them wrong."""
    same = {"intermediate": "scores", "relation": "same"}
    steps = [step(0, 1, "x", **{"is": same}), step(4, 2, "y"), step(5, 3, "", shape=[], values=0.2)]
    wrong = WrongStep(4, 2, "y", "double", Relation.FACTOR, "weights", factor=0.5)
    return {
        "version": 1,
        "case": case,
        "verdict": "wrong_answer",
        "findings": [{**to_json(differs(3)[0]), "message": "differs"}],
        "cut": [],
        "steps": steps,
        "first_wrong_step": wrong_step_json(wrong),
    }


def fake_explore(
    problem: Problem, submission: Submission, sandbox: Any, wanted: dict[str, Any], find: Any
) -> dict[str, Any]:
    """Does what a comment in the source says; a case of another name is none."""
    if "our fault" in submission.source:
        raise JudgeError("lost")
    case = wanted.get("case") or "two by three"
    if case not in ("two by three", "hidden one"):
        return {"error": {"message": f"there is no case '{case}'"}}
    if wanted["kind"] == "curve":
        return {"result": fake_curve(problem.slug)}
    if wanted["kind"] == "trace":
        return {"result": fake_trace(case)}
    if "np.secret" in wanted.get("inputs", ""):
        parameters = {"line": "1", "name": "np.secret"}
        return {"error": {"message": "no", "code": "not_simple", "parameters": parameters}}
    outputs = [{"tensor": "weights", "expected": array(2, 3), "got": array(2, 3), "wrong": None}]
    found = {
        "verdict": "wrong_answer",
        "findings": [{**to_json(differs(6)[0]), "message": "differs"}],
        "arguments": {"inputs": {"x": array(2, 3)}, "options": {"causal": True}},
        "python": "x = np.ones((2, 3))\n",
        "raises": "",
        "outputs": outputs,
        "printed": "",
    }
    if wanted["kind"] == "shrink":
        about = {"state": "shrunk", "case": case, "rule": "", "numbers": 1, "numbers_before": 6}
        return {"result": {**found, **about}}
    return {"result": {**found, "trace": fake_trace("")}}


def fake_curve(slug: str) -> dict[str, Any]:
    """What is measured of a program that takes n², and of one that takes n."""
    lines = [
        Line(name, tuple(Point(n, n**power / 1e3, m) for n, m in sizes), stopped, power, None)
        for name, power, stopped, sizes in (
            ("yours", 2.0, "memory", ((64, 0.0), (128, 2.0), (256, 8.0))),
            ("reference", 1.0, "", ((64, 0.0), (128, 0.0), (256, 0.0), (512, 0.0))),
        )
    ]
    costs = Costs(256, 393216, 262144, 3072, 64)
    found = Curve(slug, Framework.NUMPY, CurveState.MEASURED, "two by three", ("n",), {"D": 3})
    return json_plain(replace(found, lines=tuple(lines), costs=costs).to_json())


def json_plain(value: Any) -> Any:
    """As it comes back from the database."""
    return json.loads(json.dumps(value))


def fake_answers(problem: Problem, sandbox: Any) -> Shown:
    """The sample case of `write_problem`; under PyTorch there is one case more."""
    x = np.full((2, 3), 0.2, np.float32)
    case = Case("two by three", inputs={"x": x}, labels=("a", "b", "c"), sample=True, note="Small.")
    return Shown({"numpy": 2, "torch": 3}, ((case, {"weights": Expected(2 * x, "float32", 1e-6)}),))


def no_room() -> Any:
    """A machine without bubblewrap."""
    raise RoomError("bwrap is missing; apt-get install bubblewrap")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """A real PostgreSQL, when the suite is asked to run on one; else None, and every test has a
    SQLite of its own.
    """
    if not ON_POSTGRES:
        yield None
        return
    from tests.scaled.services import postgres

    with postgres() as running:
        yield running


@pytest.fixture
def database_url(cluster: Any, tmp_path: Path) -> Iterator[str]:
    """An empty database of this test's own."""
    if cluster is None:
        yield f"sqlite:///{tmp_path / 'judge.sqlite3'}"
        return
    name = f"t{uuid.uuid4().hex}"
    yield cluster.create(name)
    cluster.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with every table; each test copies it instead of running every revision."""
    file = tmp_path_factory.mktemp("migrated") / "judge.sqlite3"
    with contextlib.closing(open_database(f"sqlite:///{file}")) as database:
        migrations.upgrade(database)
    return file


class Compiled(BytecodeCache):
    """The templates as code: each test has an application of its own, but the pages stay."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """The code of a template whose text is still the same."""
        bucket.code = self.kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps it."""
        assert bucket.code is not None
        self.kept[bucket.key, bucket.checksum] = bucket.code


@pytest.fixture(scope="session")
def compiled() -> Compiled:
    """One for all applications."""
    return Compiled()


@pytest.fixture
def migrated_url(cluster: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of this test's own with every table."""
    if cluster is None:
        file = tmp_path / "judge.sqlite3"
        shutil.copy(request.getfixturevalue("migrated"), file)
        yield f"sqlite:///{file}"
        return
    name = f"t{uuid.uuid4().hex}"
    yield cluster.create(name, "migrated")
    cluster.run(f"DROP DATABASE {name} WITH (FORCE)")


FAKE = Core(FakeRoom, fake_judge, fake_answers, fake_explore)  # type: ignore[arg-type]

MakeApp = Callable[..., Any]


@pytest.fixture
def make_app(
    tmp_path: Path, bank: Path, migrated_url: str, compiled: Compiled
) -> Iterator[MakeApp]:
    """A function that builds an application: `core` for another judge, `work=False` for none,
    settings by name.
    """
    running: list[Service] = []

    def make(core: Core | None = FAKE, work: bool = True, **values: Any) -> Any:
        defaults = {
            "instance": str(tmp_path / "instance"),
            "bank": str(bank),
            "sweep": 0.25,
            "retry": 0.01,
            "submit_limit": "1000/minute",
        }
        defaults["database_url"] = migrated_url
        defaults |= {
            "sign_in_limit": "1000/minute",
            "sign_up_limit": "1000/minute",
            "link_limit": "1000/minute",
            "visitor_limit": "1000/minute",
        }
        defaults |= {"secret_key": "a secret of a test"}
        app = create_app(Settings(**{**defaults, **values}), core)
        app.jinja_env.bytecode_cache = compiled
        limiter.reset()
        service: Service = app.extensions[NAME]
        if "database_url" in values:
            migrations.upgrade(service.database)
        service.bank.sync()
        running.append(service)
        if work:
            service.worker.start()
        return app

    yield make
    for service in running:
        service.worker.stop()
        service.database.close()


@pytest.fixture
def app(make_app: MakeApp) -> Any:
    """The usual application."""
    return make_app()


class Browser:
    """A client that fills in the form's token as a browser does."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.client: FlaskClient = app.test_client()
        self.service: Service = app.extensions[NAME]
        self.csrf = ""

    def get(self, path: str, **options: Any) -> TestResponse:
        """Read a page and remember its form token."""
        answer = self.client.get(path, **options)
        found = (
            re.search(r'name="csrf_token" value="([^"]+)"', answer.text)
            if answer.mimetype == "text/html"
            else None
        )
        self.csrf = found[1] if found else self.csrf
        return answer

    def post(self, path: str, data: dict[str, Any] | None = None, **options: Any) -> TestResponse:
        """Send a form."""
        return self.client.post(path, data={"csrf_token": self.csrf, **(data or {})}, **options)

    def sign_up(self, name: str, **fields: str) -> "Browser":
        """Make an account and be signed in."""
        self.get("/sign-up")
        answer = self.post(
            "/sign-up", {"name": name, "password": PASSWORD, "again": PASSWORD, **fields}
        )
        assert answer.status_code == 303, answer.text
        self.get("/")
        return self

    def until_ready(self) -> TestResponse:
        """Wait until the room stands; the last answer."""
        end = time.monotonic() + 60
        while (answer := self.client.get("/readyz")).status_code != 200 and time.monotonic() < end:
            time.sleep(0.02)
        return answer

    def submit(self, source: str | bytes, slug: str = SLUG, **fields: Any) -> TestResponse:
        """Send the editor's form."""
        return self.post(
            f"/problems/{slug}/submit",
            {"framework": "numpy", "source": source, "action": "submit", **fields},
        )

    def judged(self, source: str, slug: str = SLUG, **fields: Any) -> int:
        """Submit and wait for the verdict; the number of the submission."""
        answer = self.submit(source, slug, **fields)
        assert answer.status_code == 303, answer.text
        number = int(re.findall(r"/submissions/(\d+)", answer.location)[0])
        # a busy machine may need longer than one request waits
        asked = (self.client.get(f"/submissions/{number}/live?wait=20") for _ in range(6))
        assert any(state.json["state"] == "done" for state in asked)
        return number

    def open_hints(self, number: int, steps: int = 3) -> None:
        """Ask for the steps of the first hint, where there is one."""
        self.get(f"/submissions/{number}")
        for step in range(2, steps + 1):
            self.post(f"/submissions/{number}/hints", {"hint": "0", "step": str(step)})


@pytest.fixture
def visitor(app: Any) -> Browser:
    """Nobody in particular."""
    return Browser(app)


@pytest.fixture
def learner(app: Any) -> Browser:
    """A signed-in learner."""
    return Browser(app).sign_up("lea")


def user_of(app: Any, name: str, role: Role) -> Browser:
    """A signed-in account of a role."""
    browser = Browser(app)
    with browser.service.database.write() as session:
        accounts.add_user(session, name, PASSWORD, role)
    browser.get("/sign-in")
    assert browser.post("/sign-in", {"name": name, "password": PASSWORD}).status_code == 303
    browser.get("/")
    return browser


@pytest.fixture
def teacher(app: Any) -> Browser:
    """A signed-in instructor."""
    return user_of(app, "terry", Role.INSTRUCTOR)


@pytest.fixture
def admin(app: Any) -> Browser:
    """A signed-in admin."""
    return user_of(app, "ada", Role.ADMIN)


def token_of(app: Any, name: str, role: Role = Role.LEARNER) -> dict[str, str]:
    """The headers of a program that acts for a new account."""
    service: Service = app.extensions[NAME]
    with service.database.write() as session:
        token = accounts.make_token(
            session, accounts.add_user(session, name, PASSWORD, role), "test"
        )
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="session")
def room() -> Iterator[Core]:
    """The real judge in the real room; skipped where bubblewrap cannot build one, a failure in CI."""
    sandbox = open_sandbox("bubblewrap")
    try:
        for framework in Framework:
            sandbox.room(framework)
    except RoomError as error:
        sandbox.close()
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no room here: {error}")
    shared = _Shared(sandbox)
    yield Core(lambda: shared, judge)  # type: ignore[arg-type,return-value]
    sandbox.close()


class _Shared:
    """The session's sandbox, which a worker that stops does not take down."""

    def __init__(self, sandbox: Any) -> None:
        self._sandbox = sandbox

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sandbox, name)

    def close(self) -> None:
        """Others still use it."""


@pytest.fixture
def real_bank(tmp_path: Path) -> Path:
    """One problem of the bank, as it is."""
    for folder in ("problems", "reference"):
        shutil.copytree(
            REPOSITORY / folder / "scaled_dot_product_attention",
            tmp_path / "real" / folder / "scaled_dot_product_attention",
        )
    return tmp_path / "real"
