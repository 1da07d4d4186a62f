"""An exploration in the worker: which function of the core is asked, and what is kept of it."""

from typing import Any

import pytest

from grader.errors import UsageError
from grader.explore.complaints import InputError, Wrong, complaint
from grader.model import Framework, Submission
from server.worker import exploring

SENT = Submission(Framework.NUMPY, "source")


class Found:
    """A result of the core."""

    case = "a case"

    def __init__(self, *asked: Any) -> None:
        self.asked = asked[3:]

    def to_json(self) -> dict[str, Any]:
        """What was asked for beside problem, submission and sandbox."""
        return {"asked": list(self.asked)}


def explored(**wanted: str) -> Any:
    return exploring.explore(None, SENT, None, wanted, str.upper)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions of the core."""
    for name in ("trace", "shrink", "try_input", "curve"):
        monkeypatch.setattr(exploring, name, Found)


def test_each_kind_asks_its_own_function() -> None:
    assert explored(kind="trace", case="one") == {"result": {"asked": ["one"]}}
    assert explored(kind="shrink", case="") == {"result": {"asked": [None]}}
    assert explored(kind="curve", case="") == {"result": {"asked": ["LINEAR_ATTENTION"]}}
    assert explored(kind="try", inputs="x = 1") == {
        "result": {"asked": ["x = 1"], "trace": {"asked": ["a case"]}}
    }


def test_what_a_learner_did_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: Any) -> Any:
        raise UsageError("there is no such case")

    def complain(*given: Any) -> Any:
        raise InputError(complaint(Wrong.MISSING, name="x"))

    monkeypatch.setattr(exploring, "trace", refuse)
    monkeypatch.setattr(exploring, "try_input", complain)
    assert explored(kind="trace", case="z") == {"error": {"message": "there is no such case"}}
    found = explored(kind="try", inputs="y = 1")["error"]
    assert (found["code"], found["parameters"]) == ("missing", {"name": "x"})


def test_what_is_too_large_is_not_kept() -> None:
    assert "too large" in explored(kind="trace", case="x" * (1 << 20))["error"]["message"]
