"""Hints in steps: what a learner asks for, what is recorded, and what a teacher sees of it."""

import re

import pytest

from server.models.submissions import HintUse, Submission
from tests.server.conftest import BAD, SLUG, Browser
from tests.server.web.test_courses import Class

ONCE = "# wrong\ndef double(values):\n    result = values\n    return result\n"
STEP = {
    "step": 0,
    "line": 1,
    "variable": "result",
    "function": "double",
    "relation": "still",
    "intermediate": "values",
    "on_the_way": False,
    "factor": None,
    "root": "",
    "letter": "",
    "places": [],
    "last_right_line": 0,
}
QUESTION = "Work out the first wrong number by hand"
PLACE = "Look at what these cases have in common: two by three."
IDEA = "It is not doubled."


def panel(browser: Browser, number: int) -> str:
    return browser.get(f"/submissions/{number}").text.split('class="verdict"')[1]


def shown(browser: Browser, number: int) -> list[bool]:
    text = panel(browser, number)
    return [words in text for words in (QUESTION, PLACE, IDEA)]


def used(browser: Browser) -> list[tuple[str, int]]:
    with browser.service.database.read() as session:
        return [(use.mistake, use.step) for use in session.query(HintUse).order_by(HintUse.step)]


def ask(browser: Browser, number: int, step: object, hint: object = 0) -> int:
    browser.get(f"/submissions/{number}")
    form = {"hint": str(hint), "step": str(step)}
    return browser.post(f"/submissions/{number}/hints", form).status_code


def test_a_learner_asks_for_one_step_after_another(learner: Browser) -> None:
    number = learner.judged(BAD)
    assert shown(learner, number) == [True, False, False] and used(learner) == []
    assert "Next step: Where to look" in panel(learner, number)
    assert ask(learner, number, 2) == 303
    assert shown(learner, number) == [True, True, False]
    assert "Next step: The idea" in panel(learner, number)
    assert ask(learner, number, 3) == 303
    assert shown(learner, number) == [True, True, True]
    # the line to correct is not known in this source
    assert "Next step" not in panel(learner, number)
    assert used(learner) == [("once", 2), ("once", 3)]


def test_a_trace_of_the_same_source_says_where_to_look(learner: Browser) -> None:
    number = learner.judged(BAD)
    ask(learner, number, 2)
    button = "Look for the first wrong step"
    assert button in panel(learner, number)
    form = {"kind": "trace", "submission": str(number)}
    begun = learner.post(f"/problems/{SLUG}/explorations", form)
    live = begun.location.partition("?")[0] + "/live?wait=20"
    assert learner.client.get(live).json["state"] == "done"
    with learner.service.database.write() as session:
        row = session.query(Submission).order_by(Submission.id.desc()).first()
        assert row is not None and row.exploration == {"kind": "trace", "case": ""}
        row.shown = {"result": {"first_wrong_step": STEP}}
    text = panel(learner, number)
    assert button not in text and PLACE not in text
    assert "line 1, <code>result</code>" in text


def test_a_form_that_is_sent_twice_opens_one_step(learner: Browser) -> None:
    number = learner.judged(BAD)
    assert [ask(learner, number, 2), ask(learner, number, 2)] == [303, 303]
    assert shown(learner, number) == [True, True, False] and used(learner) == [("once", 2)]


@pytest.mark.parametrize(
    ("step", "hint", "status"),
    [(3, 0, 422), (0, 0, 422), (-1, 0, 422), ("x", 0, 422), (2, 1, 404), (2, -1, 404), (2, "x", 404)],
)  # fmt: skip
def test_no_step_can_be_left_out(learner: Browser, step: object, hint: object, status: int) -> None:
    assert ask(learner, learner.judged(BAD), step, hint) == status
    assert used(learner) == []


def test_what_was_asked_for_stays_open_in_the_next_submission(learner: Browser) -> None:
    ask(learner, learner.judged(BAD), 2)
    assert shown(learner, learner.judged(BAD)) == [True, True, False]


def test_the_verdict_of_a_program_has_the_hint(learner: Browser) -> None:
    number = learner.judged(BAD)
    verdict = learner.get(f"/api/v1/submissions/{number}").json["verdict"]
    assert verdict["diagnoses"][0]["hint"] == IDEA and used(learner) == []


def test_a_teacher_sees_all_steps_and_how_many_were_asked_for(
    teacher: Browser, learner: Browser
) -> None:
    course = Class(teacher)
    course.join(learner)
    number = learner.judged(BAD)
    address = f"/teach/assignments/{course.assignment}"
    page = teacher.get(f"{address}/submissions/{number}").text
    assert all(words in page for words in (QUESTION, PLACE, IDEA, "has opened 1 of 3 steps"))
    ask(learner, number, 2)
    ask(learner, number, 3)
    page = teacher.get(f"{address}/submissions/{number}").text
    assert "has opened 3 of 3 steps" in page and "Next step" not in page
    mistakes = teacher.get(f"{address}/mistakes/{SLUG}").text
    assert "1 learner asked for a further step of the hint." in mistakes
    with learner.service.database.read() as session:
        user = session.query(HintUse).first().user_id  # type: ignore[union-attr]
    line = teacher.get(f"{address}/learners/{user}").text.split("<tbody>")[1].split("</tr>")[0]
    assert re.findall(r"<td>(\d+)</td>", line) == ["1", "2"]  # attempts, steps
