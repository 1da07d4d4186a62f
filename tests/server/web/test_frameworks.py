"""A server without PyTorch: what its pages and its API say, what they refuse, and what the worker
leaves alone.
"""

from pathlib import Path

import pytest

from grader.errors import ProblemError, RoomError, RoomLost
from server.models.submissions import ProblemVersion
from server.web.context import Service
from server.worker.answering import Answering
from server.worker.room import _open
from tests.server.conftest import (
    GOOD,
    SLUG,
    Browser,
    FakeRoom,
    MakeApp,
    fake_answers,
    write_problem,
)

MISSING = "PyTorch is not installed on this server"
MODERN = "modern"


@pytest.fixture(autouse=True)
def alone(bank: Path, numpy_alone: None) -> None:
    """A third problem is for PyTorch alone."""
    write_problem(bank, MODERN, 3, "Modern")
    toml = bank / "problems" / MODERN / "problem.toml"
    toml.write_text(toml.read_text().replace('["numpy", "torch"]', '["torch"]'))
    mistakes = bank / "problems" / MODERN / "mistakes.toml"
    mistakes.write_text(
        "\n".join(t for t in mistakes.read_text().splitlines() if not t.startswith("numpy"))
    )


def test_the_list_says_what_is_missing(visitor: Browser) -> None:
    page = visitor.get("/?q=double").text
    assert MISSING in page and "1 problem is for it alone." in page
    assert "PyTorch (not installed here)" in visitor.get("/?q=modern").text


def test_a_problem_for_both_is_judged_in_numpy(learner: Browser) -> None:
    page = learner.get(f"/problems/{SLUG}").text
    assert MISSING in page and 'value="submit"' in page
    assert 'data-framework="torch"' not in page
    learner.judged(GOOD)


def test_a_problem_for_pytorch_can_be_read(learner: Browser) -> None:
    page = learner.get(f"/problems/{MODERN}").text
    assert MISSING in page and "cannot be judged here" in page
    assert 'value="submit"' not in page and 'value="samples"' not in page


@pytest.mark.parametrize("slug", [SLUG, MODERN])
def test_what_is_written_in_it_is_refused(learner: Browser, slug: str) -> None:
    answer = learner.submit(GOOD, slug, framework="torch")
    assert answer.status_code == 422 and MISSING in answer.text
    assert learner.submit(GOOD, slug, framework="jax").status_code == 422


def test_chinese_pages_say_it_in_chinese(visitor: Browser) -> None:
    visitor.client.set_cookie("language", "zh")
    page = visitor.get("/").text
    assert "本服务器没有安装 PyTorch" in page and MISSING not in page


def test_practice_and_the_model_are_closed(learner: Browser) -> None:
    page = learner.get(f"/problems/{MODERN}/practice").text
    assert MISSING in page
    assert learner.post(f"/problems/{MODERN}/practice").status_code == 409
    assert "The model runs in PyTorch" in learner.get("/model").text


def test_the_api_names_what_is_judged(visitor: Browser) -> None:
    rows = {p["slug"]: p["frameworks"] for p in visitor.get("/api/v1/problems").json["problems"]}
    assert rows[SLUG] == ["numpy"] and rows[MODERN] == []


def test_a_worker_opens_the_rooms_that_can_be_built() -> None:
    with pytest.MonkeyPatch.context() as patch:
        warmed: list[str] = []
        patch.setattr("grader.sandbox.rooms.Rooms.warm", lambda self, f: warmed.append(str(f)))
        patch.setattr("grader.sandbox.rooms.Rooms.room", lambda self, f: warmed.append(str(f)))
        _open("bubblewrap").close()
    assert warmed == ["numpy", "numpy"]


def test_samples_wait_for_their_framework(make_app: MakeApp) -> None:
    """They are computed once there is one, and again when another was installed since."""
    from server.web.context import NAME

    service: Service = make_app(work=False).extensions[NAME]
    made: list[str] = []

    def answers(problem, room):  # type: ignore[no-untyped-def]
        made.append(problem.slug)
        if problem.slug == "double_again":
            raise ProblemError("no")
        return fake_answers(problem, room)

    chore = Answering(service.database, service.bank, answers)
    while chore.step(FakeRoom(), "me"):  # type: ignore[arg-type]
        pass
    assert sorted(made) == [SLUG, "double_again"]
    with service.database.write() as session:
        row = session.query(ProblemVersion).filter_by(slug=SLUG).one()
        row.case_counts = {"torch": 2}
    assert chore.step(FakeRoom(), "me")  # type: ignore[arg-type]
    assert made[-1] == SLUG


def test_samples_are_made_where_the_judge_had_failed(make_app: MakeApp) -> None:
    """Without a room nothing is stored; a problem whose run was lost comes after the others; one
    with a fault is tried by the next process.
    """
    from server.web.context import NAME

    service: Service = make_app(work=False).extensions[NAME]
    ends: dict[str, Exception] = {}
    made: list[str] = []

    def answers(problem, room):  # type: ignore[no-untyped-def]
        made.append(problem.slug)
        if problem.slug in ends:
            raise ends[problem.slug]
        return fake_answers(problem, room)

    chore = Answering(service.database, service.bank, answers)
    ends[SLUG] = RoomError("no room")
    with pytest.raises(RoomError):
        chore.step(FakeRoom(), "me")  # type: ignore[arg-type]
    ends[SLUG] = RoomLost("it died")
    assert not chore.step(FakeRoom(), "me")  # type: ignore[arg-type]
    assert chore.step(FakeRoom(), "me")  # type: ignore[arg-type]
    assert made == [SLUG, SLUG, "double_again"]
    ends[SLUG] = ProblemError("a fault")
    assert [chore.step(FakeRoom(), "me") for _ in range(2)] == [True, False]  # type: ignore[arg-type]
    del ends[SLUG]
    later = Answering(service.database, service.bank, answers)
    assert [later.step(FakeRoom(), "me") for _ in range(2)] == [True, False]  # type: ignore[arg-type]
    with service.database.read() as session:
        assert session.query(ProblemVersion).filter_by(slug=SLUG).one().case_counts
