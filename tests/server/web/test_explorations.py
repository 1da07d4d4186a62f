"""Looking into a submission: step by step, on the smallest input, on an input of one's own."""

import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from server.models.courses import Assignment
from server.models.submissions import Submission
from server.services import submission_queue
from server.web.panels.input_fields import written
from server.worker.room import Core
from tests.server.conftest import BAD, GOOD, SLUG, Browser, MakeApp, token_of
from tests.server.web.test_courses import Class

INPUTS = "x = np.ones((2, 3))"


def begin(browser: Browser, kind: str, slug: str = SLUG, **fields: Any) -> TestResponse:
    """Send the form of an exploration."""
    browser.get("/profile")
    form = {"kind": kind, "framework": "numpy", "source": BAD, **fields}
    return browser.post(f"/problems/{slug}/explorations", form)


def explored(browser: Browser, kind: str, **fields: Any) -> str:
    """The page of an exploration that is done."""
    answer = begin(browser, kind, **fields)
    assert answer.status_code == 303, answer.text
    return browser.get(f"{answer.location.split('?')[0]}?wait=20").text


def rows(browser: Browser) -> list[Submission]:
    with browser.service.database.read() as session:
        return list(session.scalars(select(Submission)))


def test_a_verdict_has_a_button_for_each(learner: Browser) -> None:
    number = learner.judged(BAD)
    panel = learner.get(f"/submissions/{number}").text.split('class="verdict"')[1]
    forms = re.findall(r'name="kind" value="(\w+)".*?name="submission" value="(\d+)"', panel)
    assert forms == [("shrink", str(number)), ("trace", str(number))]
    assert f'href="/problems/{SLUG}/try?submission={number}"' in panel
    accepted = learner.get(f"/submissions/{learner.judged(GOOD)}").text
    assert 'value="shrink"' not in accepted and 'value="trace"' in accepted


def test_a_trace_shows_every_step_and_marks_the_first_wrong_one(learner: Browser) -> None:
    source = "x = q\ny = x\nz = y\n# wrong\n"
    page = explored(learner, "trace", source=source, case="two by three")
    assert "First wrong step:" in page and "of the reference, but 0.5 times" in page
    assert "Step 2 of 3" in page and 'class="now wrong"' in page
    assert page.count("data-figure") == 1  # the heat map of the step
    heading = re.findall(r"<h2><code>y</code>(.*?)</h2>", page)
    assert [re.sub("<.*?>", "", text).strip() for text in heading] == ["(2, 3) float32"]
    number = re.findall(r"/explorations/(\d+)", page)[0]
    first = learner.get(f"/explorations/{number}?step=1").text
    assert "Step 1 of 3" in first and 'rel="prev"' not in first and 'rel="next"' in first
    assert "the same as <code>scores</code> of the reference" in first
    last = learner.get(f"/explorations/{number}?step=3").text
    assert 'rel="prev"' in last and 'rel="next"' not in last


def test_the_smallest_input_stands_beside_what_is_expected(learner: Browser) -> None:
    page = explored(learner, "shrink")
    assert "1 numbers instead of 6" in page and "causal = True" in page
    assert page.count('data-tensor="weights"') == 2 and page.count('data-tensor="x"') == 1
    assert "weights: 6 of 6 values differ" in page
    assert "Step by step with this input" in page


def test_an_input_of_ones_own_is_a_form_with_a_field_for_each_argument(learner: Browser) -> None:
    learner.judged(BAD)
    end = time.monotonic() + 60  # the samples are computed in a thread of its own
    while "np.float32" not in (page := learner.get(f"/problems/{SLUG}/try").text):
        assert time.monotonic() < end
        time.sleep(0.02)
    fields = re.findall(r'<textarea name="(input-\w+)"[^>]*>([^<]*)<', page)
    assert fields == [("input-x", "np.array([[0.2, 0.2, 0.2], [0.2, 0.2, 0.2]], np.float32)")]
    assert BAD.strip() in page  # the latest source
    page = explored(learner, "try", **{"input-x": "np.ones((2, 3))"})
    assert "Step by step" in page and page.count('data-tensor="weights"') == 2
    stored = [row.exploration for row in rows(learner) if row.exploration]
    assert stored == [{"kind": "try", "inputs": "x = np.ones((2, 3))"}]


def test_time_and_memory_are_measured_once_a_program_is_accepted(learner: Browser) -> None:
    assert begin(learner, "curve").status_code == 422
    number = learner.judged(GOOD)
    solution = f"/problems/{SLUG}/solution"
    assert "Measure time and memory" in learner.get(solution).text
    page = explored(learner, "curve", source="", submission=number)
    assert page.count("<polyline") == 3  # without memory there is nothing to draw
    assert page.count("<circle") == 3 + 4 + 2
    assert "Your program: time grows about like n to the power 2.0, memory too little" in page
    assert "A longer input needs more memory" in page and "393,216 multiplications" in page
    cells = re.findall(r"<td>([^<]*)</td>", page)
    assert cells[:4] == ["4.10", "0.0", "0.06", "0.0"] and cells[-4:] == ["", "", "0.51", "0.0"]
    again = learner.get(solution).text  # what was measured is there for some minutes
    assert "<polyline" in again and "Measure time and memory" not in again


def test_what_is_wrong_with_inputs_is_said_in_the_readers_language(learner: Browser) -> None:
    page = explored(learner, "try", inputs="x = np.secret")
    assert 'role="alert"' in page and "np.secret is more than a simple expression" in page


def test_inputs_that_were_refused_stand_in_the_form_again(learner: Browser) -> None:
    learner.judged(BAD)
    typed = {"input-x": "np.secret[\n0]", "source": f"{BAD}# mine\n"}
    page = explored(learner, "try", **typed)
    assert '<form class="try-form"' in page and f"{BAD}# mine" in page
    assert re.findall(r'<textarea name="(input-\w+)"[^>]*>([^<]*)<', page)[0] == (
        "input-x",
        "np.secret[\n0]",
    )
    number = re.findall(r"/explorations/(\d+)", page)[0]
    assert "# mine" in learner.get(f"/explorations/{number}/live").json["html"]
    once = begin(learner, "try", inputs="x = np.ones(7)", source=" ")
    assert once.status_code == 422 and ">np.ones(7)<" in once.text


def test_fields_become_assignments() -> None:
    form = {"input-q": " [1] ", "input-k": "", "input-a.b": "1", "input-9": "1", "other": "2"}
    assert written(form) == "q = [1]"


REFUSED = {
    "an unknown kind": ({"kind": "dump"}, 422),
    "no inputs": ({"kind": "try", "inputs": " "}, 422),
    "inputs that are too long": ({"kind": "try", "inputs": "x = 1\n" * 4000}, 422),
    "a NUL": ({"kind": "try", "inputs": "x = '\0'"}, 422),
    "a case's name that is too long": ({"kind": "trace", "case": "x" * 300}, 422),
    "no source": ({"kind": "trace", "source": " "}, 422),
    "an unknown framework": ({"kind": "trace", "framework": "jax"}, 422),
    "a problem that is not there": ({"kind": "trace", "slug": "nowhere"}, 404),
    "a submission that is not there": ({"kind": "trace", "source": "", "submission": "99"}, 404),
}


@pytest.mark.parametrize(("fields", "status"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(learner: Browser, fields: dict[str, str], status: int) -> None:
    assert begin(learner, **fields).status_code == status
    assert rows(learner) == []


def test_another_persons_submission_and_exploration_are_not_found(app: Any) -> None:
    lea, bob = Browser(app).sign_up("lea"), Browser(app).sign_up("bob")
    number = lea.judged(BAD)
    assert begin(bob, "trace", source="", submission=str(number)).status_code == 404
    assert bob.get(f"/problems/{SLUG}/try?submission={number}").status_code == 404
    begun = begin(lea, "trace")
    found = int(re.findall(r"/explorations/(\d+)", begun.location)[0])
    for path in (f"/explorations/{found}", f"/explorations/{found}/live"):
        assert (bob.get(path).status_code, lea.get(path).status_code) == (404, 200)
    theirs = token_of(app, "eve")
    assert Browser(app).get(f"/api/v1/explorations/{found}", headers=theirs).status_code == 404
    # a submission is no exploration
    assert lea.get(f"/explorations/{number}").status_code == 404
    assert lea.get(f"/submissions/{found}").location == f"/explorations/{found}"


def test_it_is_in_no_history_and_no_count(learner: Browser) -> None:
    explored(learner, "trace")
    assert all(row.samples_only and row.outcome is None for row in rows(learner))
    assert learner.get("/api/v1/submissions").json["total"] == 0
    assert "state-tried" not in learner.get("/").text


def test_the_pages_of_a_submission_do_not_take_its_number(learner: Browser) -> None:
    submission = learner.judged(BAD)
    begun = begin(learner, "try", inputs=INPUTS)
    number = int(re.findall(r"/explorations/(\d+)", begun.location)[0])
    pages = (
        f"/submissions/{number}/live",
        f"/problems/{SLUG}/compare?a={number}&b={submission}",
        f"/problems/{SLUG}/compare?a={submission}&b={number}",
        f"/problems/{SLUG}/try?submission={number}",
    )
    answers = [*map(learner.get, pages)]
    answers.append(learner.post(f"/submissions/{number}/hints", {"hint": "0", "step": "1"}))
    for answer in answers:
        assert (answer.status_code, "no submission of that number" in answer.text) == (404, True)


def test_it_is_removed_after_a_while(make_app: MakeApp) -> None:
    browser = Browser(make_app(trial_keep=3600.0)).sign_up("lea")
    page = explored(browser, "trace")
    number = re.findall(r"/explorations/(\d+)", page)[0]
    assert submission_queue.remove_sample_runs(browser.service.database, 0.0) == 1
    assert browser.get(f"/explorations/{number}").status_code == 404


def test_the_judge_may_fail_without_a_verdict(make_app: MakeApp) -> None:
    browser = Browser(make_app()).sign_up("lea")
    page = explored(browser, "trace", source="# our fault\n")
    assert "The judge failed on this." in page


def test_a_case_that_is_not_there_is_said(learner: Browser) -> None:
    assert "there is no case &#39;none&#39;" in explored(learner, "trace", case="none")


@pytest.mark.parametrize("feedback", ["diagnosis", "verdict", "after_due"])
def test_where_a_teacher_keeps_details_only_samples_are_looked_into(
    teacher: Browser, learner: Browser, feedback: str
) -> None:
    course = Class(teacher, feedback=feedback)
    course.join(learner)
    learner.judged(BAD, action="samples")
    for kind, case, status in (
        ("trace", "hidden one", 422),
        ("trace", "", 422),
        ("shrink", "", 422),
        ("shrink", "hidden one", 422),
        ("trace", "two by three", 303),
    ):
        assert begin(learner, kind, case=case).status_code == status, (kind, case)


def test_a_teacher_may_switch_inputs_of_ones_own_off(teacher: Browser, learner: Browser) -> None:
    course = Class(teacher, no_own_inputs="on")
    course.join(learner)
    assert begin(learner, "try", inputs=INPUTS).status_code == 422
    page = learner.get(f"/problems/{SLUG}/try").text
    assert "switched inputs of your own off" in page and "<textarea" not in page
    assert begin(learner, "trace").status_code == 303
    with learner.service.database.write() as session:
        row = session.get_one(Assignment, course.assignment)
        row.opens_at, row.due_at = (
            row.opens_at - timedelta(days=900),
            row.opens_at - timedelta(days=800),
        )
    assert begin(learner, "try", inputs=INPUTS).status_code == 303


def test_the_api(app: Any) -> None:
    program, headers = Browser(app), token_of(app, "lea")

    def sent(**body: str) -> TestResponse:
        about = {"kind": "trace", "framework": "numpy", "source": BAD, **body}
        return program.client.post(
            f"/api/v1/problems/{SLUG}/explorations", json=about, headers=headers
        )

    answer = sent()
    assert answer.status_code == 202 and answer.location == answer.json["url"]
    found = program.get(f"{answer.json['url']}?wait=20", headers=headers).json
    assert (found["state"], found["kind"], found["error"]) == ("done", "trace", None)
    assert found["result"]["first_wrong_step"]["line"] == 2
    tried = sent(kind="try", inputs="x = np.secret").json["url"]
    found = program.get(f"{tried}?wait=20", headers=headers).json
    assert found["result"] is None and found["error"]["code"] == "not_simple"
    assert sent(kind="dump").status_code == 422 and sent(kind="try").status_code == 422


def test_they_count_as_submissions_for_the_limit(make_app: MakeApp) -> None:
    browser = Browser(make_app(submit_limit="2/minute")).sign_up("lea")
    assert [begin(browser, "trace").status_code for _ in range(3)] == [303, 303, 429]


def test_the_page_of_a_waiting_exploration_looks_again(make_app: MakeApp) -> None:
    browser = Browser(make_app(work=False)).sign_up("lea")
    answer = begin(browser, "trace")
    page = browser.get(answer.location.split("?")[0]).text
    assert 'http-equiv="refresh"' in page and "Being worked out" in page
    number = re.findall(r"/explorations/(\d+)", page)[0]
    assert browser.get(f"/explorations/{number}/live").json["state"] == "queued"


def test_what_a_page_shows_is_bounded(learner: Browser) -> None:
    source = "x = 1\n" * 5000 + "y" * 5000 + " = 1\n"
    page = explored(learner, "trace", source=source)
    assert page.count("<li") < 2100 and "y" * 500 not in page


UNSCALED = """import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -2, -1)
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    return w @ v, w
"""
OWN = "q = np.ones((2, 4))\nk = np.ones((3, 4))\nv = np.ones((3, 5))"


def test_the_real_judge_in_the_real_room(make_app: MakeApp, room: Core, real_bank: Path) -> None:
    browser = Browser(make_app(core=room, bank=str(real_bank))).sign_up("lea")
    slug = "scaled_dot_product_attention"

    def page(kind: str, **fields: Any) -> str:
        address = begin(browser, kind, slug, source=UNSCALED, **fields).location.split("?")[0]
        end = time.monotonic() + 120
        while 'data-state="done"' not in (text := browser.get(f"{address}?wait=20").text):
            assert time.monotonic() < end
        return text

    assert "times what it should be" in page("trace") and 'class="now wrong"' in page("trace")
    shrunk = page("shrink")
    assert "numbers instead of" in shrunk and "values differ" in shrunk
    tried = page("try", inputs=OWN)
    assert "Accepted" in tried and "Step by step" in tried
    assert 'role="alert"' in page("try", inputs="q = open('/etc/passwd')")


def test_a_number_that_no_column_holds_is_refused(learner: Browser) -> None:
    huge = "9" * 30
    learner.get("/profile")
    answers = [
        learner.get(f"/problems/{SLUG}/try?submission={huge}"),
        learner.get(f"/problems/{SLUG}/practice/fill/1?answer={huge}"),
        begin(learner, "trace", submission=huge),
    ]
    assert all(answer.status_code < 500 for answer in answers)
    assert "Traceback" not in "".join(answer.text for answer in answers)
