"""Practice in the worker: sets are made once, and answers are judged in the real room."""

from typing import Any

import pytest

from grader.errors import JudgeError, ProblemError, RoomError
from grader.model import Framework, Submission
from grader.practice.lines import lines_of
from grader.problem import Problem, load
from grader.sandbox import SandboxPool
from server.services.practice import sets
from server.web.context import NAME, Service
from server.worker.exploring import explore
from server.worker.practice import GONE, PracticeItems, made
from tests.conftest import ROOT
from tests.server.conftest import SLUG, FakeRoom, MakeApp

NUMPY = Framework.NUMPY


@pytest.fixture
def idle(make_app: MakeApp) -> Service:
    """A service whose worker is not running."""
    service: Service = make_app(work=False).extensions[NAME]
    return service


def step(service: Service, make: Any) -> tuple[Any, str, bool]:
    """What the chore keeps of a set, and whether it is still wanted."""
    problem = service.bank.get(SLUG)
    assert problem is not None
    sets.want(service.database, problem, NUMPY)
    chore = PracticeItems(service.database, service.bank, make)
    assert chore.step(FakeRoom(), "owner")  # type: ignore[arg-type]
    with service.database.read() as session:
        row = sets.find(session, problem, NUMPY)
        assert row is not None
        return row.items, row.fault, bool(sets.wanted(session))


def fails(error: Exception) -> Any:
    def make(*given: Any) -> Any:
        raise error

    return make


def test_a_set_is_made_once(idle: Service) -> None:
    items = [{"id": "fill-1"}]
    asked: list[Any] = []

    def make(problem: Problem, framework: Framework, room: Any) -> Any:
        asked.append((problem.slug, framework))
        return items

    assert step(idle, make) == (items, "", False)
    assert asked == [(SLUG, NUMPY)]
    chore = PracticeItems(idle.database, idle.bank, make)
    assert not chore.step(FakeRoom(), "owner")  # type: ignore[arg-type]


@pytest.mark.parametrize("error", [ProblemError("cases.py: no"), JudgeError("lost")])
def test_why_there_is_no_set_is_kept(idle: Service, error: Exception) -> None:
    assert step(idle, fails(error)) == (None, str(error), False)


def test_without_a_room_a_set_stays_wanted(idle: Service) -> None:
    with pytest.raises(RoomError):
        step(idle, fails(RoomError("bwrap is missing")))
    with idle.database.read() as session:
        assert len(sets.wanted(session)) == 1


def test_a_version_that_is_gone_has_no_set(idle: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = idle.bank.get(SLUG)
    assert problem is not None
    sets.want(idle.database, problem, NUMPY)
    monkeypatch.setattr(idle.bank, "get", lambda slug: None)
    chore = PracticeItems(idle.database, idle.bank, fails(AssertionError("made")))
    assert chore.step(FakeRoom(), "owner")  # type: ignore[arg-type]
    with idle.database.read() as session:
        row = sets.find(session, problem, NUMPY)
    assert row is not None and row.fault == GONE


# ------------------------------------------------------------------------------------------- judged


def judged(room: SandboxPool, item: str, *texts: str) -> Any:
    """What is kept of an answer to an item of a problem of the bank."""
    sent = Submission(NUMPY, "\n".join(texts))
    wanted = {"kind": "practice", "item": item, "answer": list(texts)}
    return explore(load(ROOT, "causal_mask"), sent, room, wanted, lambda slug: None)


@pytest.fixture(scope="module")
def items(sandbox: SandboxPool) -> dict[str, Any]:
    """The items of that problem by name, as a learner sees them."""
    return {each["id"]: each for each in made(load(ROOT, "causal_mask"), NUMPY, sandbox)}


def test_an_item_shows_its_question_and_not_its_answer(items: dict[str, Any]) -> None:
    kinds = {each["step"] for each in items.values()}
    assert kinds == {"predict", "arrange", "fill", "bug", "beat"}
    secret = {"right", "distractors", "mistake", "line"}
    assert all(not secret & set(each) for each in items.values())
    assert items["beat-1"]["mistakes"] == 7  # how many, not which


def test_an_answer_is_judged_by_the_judge(sandbox: SandboxPool, items: dict[str, Any]) -> None:
    reference = lines_of(load(ROOT, "causal_mask").references[NUMPY])
    program = [line["text"] for line in items["bug-1"]["program"]]
    pairs = enumerate(zip(program, reference, strict=True), 1)
    wrong = [at for at, (text, line) in pairs if text != line.text]
    found = judged(sandbox, "bug-1", str(wrong[0]))["result"]
    assert found["right"] and not found["solved"] and found["verdict"] is None
    same = judged(sandbox, "bug-1", f"{wrong[0]}: {program[wrong[0] - 1]}")["result"]
    assert not same["right"] and same["verdict"]["verdict"] == "wrong_answer"
    other = next(at for at in range(1, len(program) + 1) if at != wrong[0])
    missed = judged(sandbox, "bug-1", str(other))["result"]
    assert not missed["right"] and missed["hint"]["text"]


def test_inputs_are_judged_with_every_mistake(sandbox: SandboxPool) -> None:
    one = judged(sandbox, "beat-1", "query_len = 2\nkey_len = 4")["result"]
    assert not one["right"] and not one["solved"]
    (row,) = one["kills"]
    assert [hint is not None for hint in one["found"]] == row and 0 < sum(row) < 7
    all_of_them = "query_len = 2\nkey_len = 4\n---\nquery_len = 6\nkey_len = 2"
    both = judged(sandbox, "beat-1", all_of_them)["result"]
    assert both["right"] and both["solved"] and both["kills"][0] == row
    assert all(hint["text"] for hint in both["found"])
    refused = judged(sandbox, "beat-1", "query_len = -1")["error"]
    assert refused["parameters"]["number"] == 1
    assert "%(least)s" in refused["parameters"]["wrong"]["pattern"]


def test_what_is_no_answer_is_told_with_its_parts(sandbox: SandboxPool) -> None:
    error = judged(sandbox, "fill-1", "1 +")["error"]
    assert error["pattern"].startswith("'%(text)s' is not a Python expression")
    assert error["parameters"] == {"text": "1 +"}
    assert "no practice item" in judged(sandbox, "fill-99", "1")["error"]["pattern"]
