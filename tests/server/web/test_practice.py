"""The pages of practice: which items there are, a form for each kind, what an answer comes to, and
where all of it is closed.
"""

import re
import time
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from grader.findings.finding import to_json
from server.models.accounts import Role
from server.models.submissions import Submission
from server.worker.room import Core
from tests.server.conftest import (
    BAD,
    GOOD,
    SLUG,
    Browser,
    FakeRoom,
    MakeApp,
    differs,
    fake_answers,
    fake_explore,
    fake_judge,
    user_of,
)
from tests.server.web.test_courses import Class

HOME = f"/problems/{SLUG}/practice"
HEAD, BODY = {"text": "def double(x):", "indent": 0}, {"text": "return 2 * x", "indent": 1}
ITEMS: dict[str, dict[str, Any]] = {
    "predict-1": {
        "case": "two by three",
        "tensor": "weights",
        "shapes": {"x": [2, 3]},
        "options": {"causal": True},
    },
    "predict-2": {
        "case": "two by three",
        "tensor": "weights",
        "place": [0],
        "choices": [["0.2", "0.2", "0.2"], ["0.4", "0.4", "0.4"]],
    },
    "arrange-1": {
        "before": [HEAD],
        "pool": [BODY, {"text": "y = x\n+ x", "indent": 1}],
        "after": [],
    },
    "fill-1": {"program": [HEAD, {"text": "return ____ * ____", "indent": 1}], "blanks": 2},
    "bug-1": {
        "program": [HEAD, BODY],
        "case": "two by three",
        "findings": [{**to_json(differs(3)[0]), "message": "differs"}],
    },
    "beat-1": {"mistakes": 2, "example": "x = [1]\n"},
}
RIGHT = {
    "predict-1": {"answer": "2 3"},
    "predict-2": {"answer": "2"},
    "arrange-1": {"place-1": "2", "place-2": "1"},
    "fill-1": {"answer": ["2", "x"]},
    "bug-1": {"line": "2", "text": "return x + x"},
    "beat-1": {"answer": "x = [2]\n---\nx = [3]"},
}
WRONG = {
    "predict-1": {"answer": "3 2"},
    "predict-2": {"answer": "1"},
    "arrange-1": {"place-1": "1", "place-2": ""},
    "fill-1": {"answer": ["1", "x"]},
    "bug-1": {"line": "1"},
    "beat-1": {"answer": "x = [2]"},
}
ANSWERS = {
    name: [f"{form['line']}: {form['text']}"]
    if "text" in form
    else ["2 1"]
    if name == "arrange-1"
    else form["answer"]
    if isinstance(form["answer"], list)
    else [form["answer"]]
    for name, form in RIGHT.items()
}
PATTERN = "'%(text)s' is not a Python expression; write what stands in the blank"


def made(*given: Any) -> list[dict[str, Any]]:
    """An item of each form."""
    return [{"id": name, "step": name.split("-")[0], **item} for name, item in ITEMS.items()]


def judged(problem: Any, submission: Any, sandbox: Any, wanted: dict[str, Any], find: Any) -> Any:
    """The right answer of each item, and the right line of the bug; `1 +` is none."""
    if wanted["kind"] != "practice":
        return fake_explore(problem, submission, sandbox, wanted, find)
    if wanted["answer"] == ["1 +", "x"]:
        return {"error": {"pattern": PATTERN, "parameters": {"text": "1 +"}}}
    right = wanted["answer"] == ANSWERS[wanted["item"]]
    line = wanted["answer"] == ["2"] and wanted["item"] == "bug-1"
    hint = None if right or line else {"mistake": "once", "text": "It is not doubled."}
    verdict = fake_judge(problem, submission, sandbox, on_case=id, samples_only=True, seed=0)
    program = wanted["item"] in ("arrange-1", "fill-1")
    about = {"digest": problem.digest, "verdict": verdict.to_json() if program else None}
    if wanted["item"] == "beat-1":
        told = {"mistake": "once", "text": "It is not doubled."}
        kills = [[False, True], [True, False]][: wanted["answer"][0].count("---") + 1]
        about |= {"kills": kills, "found": [told if right else None, told]}
        hint = None
    return {"result": {**about, "right": right or line, "solved": right, "hint": hint}}


CORE = Core(FakeRoom, fake_judge, fake_answers, judged, practice_items=made)  # type: ignore[arg-type]


@pytest.fixture
def app(make_app: MakeApp) -> Any:
    """An application whose worker makes and judges such items."""
    return make_app(CORE)


@pytest.fixture
def ready(learner: Browser) -> Browser:
    """A learner for whom the items are there."""
    return opened(learner)


def begin(browser: Browser, framework: str = "numpy") -> TestResponse:
    browser.get(HOME)
    return browser.post(HOME, {"framework": framework})


def opened(browser: Browser) -> Browser:
    """Ask for the items and wait until they are made."""
    begin(browser)
    end = time.monotonic() + 30
    while "practice-items" not in browser.get(HOME).text:
        assert time.monotonic() < end
        time.sleep(0.02)
    return browser


def path(item: str) -> str:
    step, number = item.split("-")
    return f"{HOME}/{step}/{number}"


def send(browser: Browser, item: str, form: dict[str, Any]) -> TestResponse:
    browser.get(path(item))
    return browser.post(path(item), form)


def answered(browser: Browser, item: str, form: dict[str, Any]) -> str:
    """The page of an item after an answer is judged."""
    sent = send(browser, item, form)
    assert sent.status_code == 303, sent.text
    address = sent.location.replace("wait=4", "wait=20")
    assert address.endswith("#told")
    return str(browser.get(address).text)


def states(browser: Browser) -> dict[str, str]:
    """What the list says of each item."""
    found = re.findall(
        r'<a class="(\w+)" href="[^"]*/practice/(\w+)/(\d+)\?', browser.get(HOME).text
    )
    return {f"{step}-{number}": state for state, step, number in found}


def test_a_problem_names_the_steps(ready: Browser, app: Any) -> None:
    for browser in (ready, Browser(app)):
        line = browser.get(f"/problems/{SLUG}").text.split("Practise:")[1].split("</p>")[0]
        assert re.findall(r'/practice/(\w+)\?framework=numpy">([\w ]+)<', line) == [
            ("predict", "predict"),
            ("arrange", "arrange"),
            ("fill", "fill"),
            ("bug", "find the bug"),
            ("beat", "beat the mistakes"),
        ]
    assert Browser(app).get(HOME).location.startswith("/sign-in")


def test_a_problem_links_no_step_that_it_has_not(app: Any, make_app: MakeApp) -> None:
    unmade = Browser(make_app(CORE, work=False)).get(f"/problems/{SLUG}").text
    assert "/practice/bug?" in unmade and "/practice/beat?" not in unmade


def test_items_are_made_when_somebody_opens_them(make_app: MakeApp) -> None:
    browser = Browser(make_app(CORE, work=False)).sign_up("lea")
    for address in (HOME, path("fill-1")):
        page = browser.get(address).text
        assert "Make the items" in page and "data-waiting" not in page
    assert begin(browser).location == f"{HOME}?framework=numpy"
    page = browser.get(path("fill-1")).text
    assert "being made" in page and 'http-equiv="refresh"' in page and "data-waiting" in page
    browser.service.worker.start()
    assert states(opened(browser)) == dict.fromkeys(ITEMS, "new")


def test_where_they_cannot_be_made_the_page_says_so(make_app: MakeApp) -> None:
    browser = Browser(make_app()).sign_up("lea")  # the real maker, in a room that runs nothing

    def broken(*given: Any) -> Any:
        from grader.errors import ProblemError

        raise ProblemError("cases.py: no")

    chore = next(each for each in browser.service.worker.chores if each.name == "practice")
    chore.make = broken  # type: ignore[attr-defined]
    end = time.monotonic() + 30
    begin(browser)
    while "could not be made" not in (page := browser.get(HOME).text):
        assert time.monotonic() < end and "practice-items" not in page
        time.sleep(0.02)
    assert "cases.py" not in page and "data-waiting" not in page and "Try again" in page


@pytest.mark.parametrize("item", ITEMS)
def test_each_kind_is_answered_on_its_page(ready: Browser, item: str) -> None:
    page = answered(ready, item, WRONG[item])
    assert "Not right." in page and "It is not doubled." in page
    assert states(ready)[item] == "tried"
    if item == "bug-1":
        assert "Now mend it" in answered(ready, item, {"line": "2"})
        assert states(ready)[item] == "tried"
    page = answered(ready, item, RIGHT[item])
    assert "Right." in page and ("It is not doubled." in page) is (item == "beat-1")
    told = page.split('id="told"')[1].split("</div>")[0]
    assert ("Go on</a>" in told) is (item != "beat-1")  # the last of them
    assert states(ready) == {**dict.fromkeys(ITEMS, "new"), item: "solved"}
    assert "You have solved this item." in ready.get(path(item)).text


def test_a_page_has_the_fields_of_its_kind(ready: Browser) -> None:
    shape = ready.get(path("predict-1")).text
    assert "(2, 3)" in shape and "causal = True" in shape and 'name="answer"' in shape
    row = ready.get(path("predict-2")).text
    assert '<code translate="no">weights[0, :]</code>' in row
    assert re.findall(r'type="radio" name="answer" value="(\d)"', row) == ["1", "2"]
    arrange = ready.get(path("arrange-1")).text
    assert re.findall(r'<select name="(place-\d)">', arrange) == ["place-1", "place-2"]
    assert "    y = x\n    + x</code>" in arrange
    fill = ready.get(path("fill-1")).text
    assert re.findall(r'aria-label="(Blank \d)"', fill) == ["Blank 1", "Blank 2"]
    assert "____" not in fill
    bug = ready.get(path("bug-1")).text
    assert re.findall(r'type="radio" name="line" value="(\d)"', bug) == ["1", "2"]
    assert "weights: 3 of 6 values differ" in bug and "<textarea" not in bug


def test_the_sample_of_a_row_is_shown_with_all_its_digits(ready: Browser) -> None:
    end = time.monotonic() + 30  # samples are computed in a thread of its own
    while 'data-tensor="x"' not in (page := ready.get(path("predict-2")).text):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert "x = np.array([[0.2, 0.2, 0.2], [0.2, 0.2, 0.2]], np.float32)" in page
    assert 'data-tensor="weights"' not in page  # that is the answer


def test_the_kill_matrix_is_shown_and_only_hints_of_killed_mistakes(ready: Browser) -> None:
    begun = ready.get(path("beat-1")).text
    assert re.search(r'<textarea name="answer"[^>]*data-inputs>\s*x = \[1\]\s*</textarea>', begun)
    assert "It is not doubled." not in begun
    page = answered(ready, "beat-1", WRONG["beat-1"])
    table = page.split('<table class="kills">')[1].split("</table>")[0]
    assert re.findall(r'<th scope="row">([^<]*)<', table) == ["input 1"]
    assert re.findall(r'visually-hidden">(\w+)<', table) == ["passes", "fails"]
    assert "1 of 2 mistakes fail on your inputs." in page
    assert "It passes on all your inputs." in page and page.count("It is not doubled.") == 1
    assert re.search(r"data-inputs>\s*x = \[2\]\s*</textarea>", page)
    whole = answered(ready, "beat-1", RIGHT["beat-1"])
    assert whole.count('<td class="kill">') == 2 and "It passes on all" not in whole
    assert send(ready, "beat-1", {"answer": " "}).status_code == 422
    later = ready.get(path("beat-1")).text
    assert later.count('<td class="kill">') == 2 and "2 of 2 mistakes fail" in later
    again = ready.get(path("beat-1") + "&again=yes").text
    assert '<table class="kills">' not in again  # a review begins with empty fields


def test_an_answer_stands_in_its_fields_again(ready: Browser) -> None:
    for page in (answered(ready, "fill-1", WRONG["fill-1"]), ready.get(path("fill-1")).text):
        assert re.findall(r'class="blank"[^>]* value="(\w+)"', page) == ["1", "x"]
    page = answered(ready, "arrange-1", RIGHT["arrange-1"])
    assert re.findall(r"<option selected>(\d)", page) == ["2", "1"]
    assert re.search(r'value="3 2"', answered(ready, "predict-1", WRONG["predict-1"]))
    assert 'value="1" required checked' in answered(ready, "predict-2", WRONG["predict-2"])
    assert 'value="1" required checked' in answered(ready, "bug-1", WRONG["bug-1"])


def test_a_wrong_line_is_found_and_then_mended(ready: Browser) -> None:
    for page in (answered(ready, "bug-1", {"line": "2"}), ready.get(path("bug-1")).text):
        assert 'type="hidden" name="line" value="2"' in page
        assert re.search(r"<textarea[^>]*>\s*return 2 \* x</textarea>", page)
    page = answered(ready, "bug-1", {"line": "2", "text": "return 3 * x"})
    assert "Not right." in page and re.search(r"<textarea[^>]*>\s*return 3 \* x</textarea>", page)
    again = ready.get(f"{path('bug-1')}?choose=yes").text
    assert "<textarea" not in again and 'type="radio" name="line"' in again


def test_what_is_no_answer_is_refused_and_stays_in_the_fields(ready: Browser) -> None:
    refused = send(ready, "arrange-1", {"place-1": "2", "place-2": "2"})
    assert refused.status_code == 422 and "Two lines have the same place" in refused.text
    assert re.findall(r"<option selected>(\d)", refused.text) == ["2", "2"]
    refused = send(ready, "bug-1", {"line": "2", "text": " "})
    assert refused.status_code == 422 and 'type="hidden" name="line" value="2"' in refused.text
    assert send(ready, "predict-1", {}).status_code == 422
    page = answered(ready, "fill-1", {"answer": ["1 +", "x"]})
    assert "&#39;1 +&#39; is not a Python expression" in page and 'role="alert"' in page
    assert states(ready) == dict.fromkeys(ITEMS, "new")


def test_a_step_goes_on_with_what_is_not_solved(ready: Browser) -> None:
    assert f"{path('predict-1')}?" in ready.get(f"{HOME}/predict").location
    answered(ready, "predict-1", RIGHT["predict-1"])
    assert f"{path('predict-2')}?" in ready.get(f"{HOME}/predict").location
    for wrong in ("dance", "predict/9", "fill/0", "dance/1"):
        assert ready.get(f"{HOME}/{wrong}").status_code == 404


def test_each_framework_has_its_own(ready: Browser) -> None:
    answered(ready, "fill-1", RIGHT["fill-1"])
    begin(ready, "torch")
    end = time.monotonic() + 30
    while "practice-items" not in (page := ready.get(f"{HOME}?framework=torch").text):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert "0 of 6 solved" in page and "1 of 6 solved" in ready.get(HOME).text


def test_in_chinese(ready: Browser) -> None:
    ready.client.set_cookie("language", "zh")
    page = answered(ready, "fill-1", WRONG["fill-1"])
    assert "没有加倍。" in page and "填空" in page
    assert "不是 Python 表达式" in answered(ready, "fill-1", {"answer": ["1 +", "x"]})


# ----------------------------------------------------------------------------------- whose it is


def test_an_answer_is_no_source_of_the_editor_and_no_exploration(ready: Browser) -> None:
    ready.judged(BAD)
    answered(ready, "fill-1", WRONG["fill-1"])
    editor = ready.get(f"/problems/{SLUG}").text.split('name="source"')[1]
    assert editor.split(">")[1].strip().startswith(BAD.strip())
    with ready.service.database.read() as session:
        number = session.scalars(select(Submission.id).order_by(Submission.id.desc())).first()
    for address in ("/explorations", "/api/v1/explorations"):
        assert ready.get(f"{address}/{number}").status_code == 404


def test_another_persons_answer_is_not_shown(ready: Browser, app: Any) -> None:
    sent = send(ready, "fill-1", WRONG["fill-1"]).location
    assert "Not right." in ready.get(sent).text
    bob = Browser(app).sign_up("bob")
    assert "Not right." not in bob.get(sent).text
    assert states(bob) == dict.fromkeys(ITEMS, "new")


CLOSED = "Practice stays closed until &#39;Week 1&#39; is due."


def test_it_is_closed_where_the_solution_is(ready: Browser, app: Any) -> None:
    course = Class(user_of(app, "terry", Role.INSTRUCTOR))
    course.join(ready)
    assert "Practise:" not in ready.get(f"/problems/{SLUG}").text
    for address in ("", "/fill", "/fill/1"):
        page = ready.get(HOME + address).text
        assert CLOSED in page and "____" not in page and "return" not in page
    for refused in (send(ready, "fill-1", RIGHT["fill-1"]), begin(ready)):
        assert (refused.status_code, CLOSED in refused.text) == (403, True)
    ready.judged(GOOD)
    assert states(ready) == dict.fromkeys(ITEMS, "new")  # the solution is open, too


def test_it_opens_when_the_assignment_is_due(ready: Browser, app: Any) -> None:
    course = Class(user_of(app, "terry", Role.INSTRUCTOR))
    course.join(ready)
    course.move_due(minutes=1)
    assert "Right." in answered(ready, "fill-1", RIGHT["fill-1"])


@pytest.mark.parametrize(("feedback", "told"), [("full", True), ("verdict", False)])
def test_details_of_cases_are_told_where_a_teacher_shows_them(
    ready: Browser, app: Any, feedback: str, told: bool
) -> None:
    course = Class(user_of(app, "terry", Role.INSTRUCTOR), feedback=feedback)
    course.join(ready)
    course.move_due(minutes=1)
    page = answered(ready, "fill-1", WRONG["fill-1"])
    assert "It is not doubled." in page
    assert ("weights: 6 of 6 values differ" in page) is told
