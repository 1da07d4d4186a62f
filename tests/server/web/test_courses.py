"""A class from the join code to the gradebook: terms, attempts, feedback, the matrix, mistakes,
scores set by hand.
"""

import csv
import io
import json
import re
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import select, update

from grader.errors import SubmissionError
from server.messages import sentence
from server.models.accounts import Role, User
from server.models.base import now
from server.models.courses import Assignment, Course, Member
from server.models.practice import PracticeAnswer
from server.models.submissions import Submission
from server.models.teaching import Deed
from server.services import submissions
from server.web.instructors.gradebook import NBGRADER, safe
from tests.server.conftest import BAD, GOOD, SLUG, Browser, token_of, user_of

TERMS = {
    "title": "Week 1",
    "opens": "2026-01-01T08:00",
    "due": "2099-01-08T18:00",
    "late": "none",
    "late_percent": "10",
    "attempts": "",
}
TERMS |= {"feedback": "full", "problem": SLUG, f"points-{SLUG}": "10"}


class Class:
    """A course with an assignment."""

    def __init__(self, teacher: Browser, **terms: str) -> None:
        self.teacher = teacher
        teacher.get("/teach/courses")
        answer = teacher.post("/teach/courses", {"title": "Attention 101", "zone": "Europe/Berlin"})
        self.course = int(answer.location.rsplit("/", 1)[1])
        self.assignment = int(self.assign(**terms).location.rsplit("/", 1)[1])
        with teacher.service.database.read() as session:
            self.code = session.get_one(Course, self.course).code

    def assign(self, **terms: str) -> Any:
        return self.teacher.post(f"/teach/courses/{self.course}/assignments", {**TERMS, **terms})

    def join(self, browser: Browser, code: str | None = None) -> Any:
        browser.get("/courses")
        return browser.post("/courses/join", {"code": code or self.code.lower()})

    def row(self, name: str) -> dict[str, Any]:
        book = self.teacher.get(f"/teach/assignments/{self.assignment}/gradebook.json").json
        return dict({line["name"]: line for line in book["learners"]}[name])

    def move_due(self, **ago: float) -> None:
        with self.teacher.service.database.write() as session:
            moment = now()
            session.execute(
                update(Assignment).values(
                    opens_at=moment - timedelta(days=30), due_at=moment - timedelta(**ago)
                )
            )


@pytest.fixture
def course(teacher: Browser) -> Class:
    """A course on the most generous terms."""
    return Class(teacher)


def test_join_solve_and_be_seen(course: Class, learner: Browser) -> None:
    assert course.join(learner).status_code == 303
    learner.judged(BAD)
    number = learner.judged(GOOD)
    cell = course.row("lea")["problems"][0]
    assert (cell["score"], cell["attempts"], cell["state"], cell["submission"]) == (
        10.0,
        2,
        "solved",
        number,
    )
    page = course.teacher.get(f"/teach/assignments/{course.assignment}").text
    assert re.search(
        r'cell-solved.*✓.*10 +<span class="soft">2×', page.split("lea</a>")[1], re.DOTALL
    )
    assert "1 of 1" in page
    assert "Week 1" in learner.get(f"/courses/{course.course}").text


def test_one_page_has_the_courses_that_one_teaches_and_takes(
    course: Class, learner: Browser, app: Any
) -> None:
    taught = f'href="/teach/courses/{course.course}"'
    for path in ("/courses", "/teach/courses"):
        page = course.teacher.get(path).text
        assert taught in page
        assert "You are in no course yet" not in page
    assert "You are in no course yet" in learner.get("/courses").text
    assert "A new course" not in learner.get("/courses").text
    course.join(learner)
    assert f'href="/courses/{course.course}"' in learner.get("/courses").text
    assert taught in user_of(app, "ada", Role.ADMIN).get("/courses").text


def test_a_link_fills_in_the_code(course: Class, visitor: Browser) -> None:
    link = re.search(r"<code[^>]*>http://localhost(/courses\?code=\w+)", _page(course))
    assert link is not None
    to_sign_in = visitor.get(link[1]).location
    assert f"/courses?code={course.code}" in unquote(to_sign_in)
    learner = visitor.sign_up("lea")
    assert f'name="code" value="{course.code}"' in learner.get(link[1]).text


def _page(course: Class) -> str:
    return course.teacher.get(f"/teach/courses/{course.course}").text


def test_wrong_code(course: Class, learner: Browser) -> None:
    answer = course.join(learner, "WRONG")
    assert (answer.status_code, "No course has this code" in answer.text) == (422, True)
    assert learner.get(f"/courses/{course.course}").status_code == 404


def test_another_teachers_course_is_not_there(course: Class, app: Any, learner: Browser) -> None:
    course.join(learner)
    number = learner.judged(BAD)
    other = user_of(app, "theo", Role.INSTRUCTOR)
    paths = [
        f"/teach/courses/{course.course}",
        *(
            f"/teach/assignments/{course.assignment}{rest}"
            for rest in ("", "/live", "/gradebook.csv", f"/mistakes/{SLUG}")
        ),
        f"/teach/assignments/{course.assignment}/submissions/{number}",
    ]
    assert [other.get(path).status_code for path in paths] == [404] * len(paths)
    assert [course.teacher.get(path).status_code for path in paths] == [200] * len(paths)


def test_what_is_not_of_the_class_is_not_shown_to_its_teacher(course: Class, app: Any) -> None:
    outsider = Browser(app).sign_up("otto")
    number = outsider.judged(BAD)
    assert (
        course.teacher.get(
            f"/teach/assignments/{course.assignment}/submissions/{number}"
        ).status_code
        == 404
    )


BAD_TERMS = [
    ("no title", {"title": " "}, "needs a title"),
    ("due before it opens", {"due": "2025-01-01T00:00"}, "must open before it is due"),
    ("skipped hour", {"due": "2026-03-29T02:30"}, "does not exist in Europe/Berlin"),
    ("no time", {"opens": ""}, "is not a valid date and time"),
    ("unknown problem", {"problem": "nothing"}, "problems of the bank"),
    ("attempts", {"attempts": "0"}, "from 1 to 1000"),
    ("percent", {"late_percent": "200"}, "from 0 to 100"),
    ("policy", {"late": "never"}, "Choose what late work counts"),
    ("points", {f"points-{SLUG}": "nan"}, "from 0 to 10,000"),
]


@pytest.mark.parametrize(
    ("terms", "message"), [row[1:] for row in BAD_TERMS], ids=[row[0] for row in BAD_TERMS]
)
def test_terms_are_refused(course: Class, terms: dict[str, str], message: str) -> None:
    answer = course.assign(**terms)
    assert (answer.status_code, message in answer.text) == (422, True), answer.text


def test_refused_terms_stay_in_the_form(course: Class) -> None:
    """Of a new assignment and of one that is changed; what was sent, not what is stored."""
    other = "double_again"
    sent = {"title": "Week <2>", "due": "2026-01-01T07:00", "late_percent": "", "attempts": "3"}
    sent |= {"problem": other, f"points-{SLUG}": "7", f"points-{other}": "2.5", "minutes": "30"}
    sent |= {"late": "cutoff", "feedback": "verdict", "no_own_inputs": "on"}
    changed = f"/teach/assignments/{course.assignment}/settings"
    for answer in (course.assign(**sent), course.teacher.post(changed, {**TERMS, **sent})):
        page = answer.text
        assert (answer.status_code, "It must open before it is due." in page) == (422, True)
        for value in (
            'name="title" value="Week &lt;2&gt;"',
            'name="opens" value="2026-01-01T08:00"',
            'name="due" value="2026-01-01T07:00"',
            'name="minutes" min="1" max="1440" value="30"',
            'name="late_percent" min="0" max="100" value=""',
            'name="attempts" min="1" max="1000" value="3"',
            '<option value="cutoff" selected>',
            '<option value="verdict" selected>',
            'name="no_own_inputs" checked',
            f'name="problem" value="{SLUG}">',
            f'name="problem" value="{other}" checked',
            f'name="points-{SLUG}" value="7"',
            f'name="points-{other}" value="2.5"',
        ):
            assert value in page, value
    assert "Week &lt;2&gt;" not in course.teacher.get(changed.removesuffix("/settings")).text


def test_a_zone_that_is_none_stays_in_the_form(teacher: Browser) -> None:
    teacher.get("/teach/courses")
    answer = teacher.post("/teach/courses", {"title": "Red", "zone": "Mars/Base"})
    assert (answer.status_code, "is not a valid time zone" in answer.text) == (422, True)
    assert 'name="zone" value="Mars/Base"' in answer.text
    assert 'name="zone" value="UTC"' in teacher.get("/teach/courses").text


def test_terms_can_be_changed(course: Class, learner: Browser) -> None:
    course.join(learner)
    learner.judged(GOOD)
    answer = course.teacher.post(
        f"/teach/assignments/{course.assignment}/settings", {**TERMS, f"points-{SLUG}": "4"}
    )
    assert answer.status_code == 303, answer.text
    assert course.row("lea")["total"] == 4.0


def test_what_is_due_next_comes_first(course: Class, learner: Browser) -> None:
    for title, due in (("Old", "2026-01-02T08:00"), ("Far", "2198-01-01"), ("Near", "2098-01-01")):
        assert course.assign(title=title, due=due[:10] + "T08:00").status_code == 303
    course.join(learner)
    page = learner.get(f"/courses/{course.course}").text
    titles = re.findall(r'<h2 id="a\d+">(.+?)</h2>', page)
    assert [t for t in titles if t in ("Old", "Far", "Near")] == ["Near", "Far", "Old"]


def test_archiving_and_another_code_say_first_what_they_do(course: Class) -> None:
    page = f"/teach/courses/{course.course}"
    shown = course.teacher.get(page).text
    for said in ("Everybody in it is told.", "Then nobody can come in by the code"):
        assert said in shown
    assert course.teacher.post(f"{page}/settings", {"action": "archive"}).status_code == 303
    archived = course.teacher.get(page).text
    assert "They come in by the code" in shown and "They come in by the code" not in archived
    assert "Take out of the archive" in archived


def test_terms_that_another_teacher_changed_are_not_taken_back_unseen(course: Class) -> None:
    page = f"/teach/assignments/{course.assignment}"
    form = {**TERMS, "was": _was(course.teacher.get(page).text)}
    assert course.teacher.post(f"{page}/settings", {**form, "attempts": "5"}).status_code == 303
    answer = course.teacher.post(f"{page}/settings", {**form, "title": "Week One"})
    assert (answer.status_code, "These terms were changed" in answer.text) == (422, True)
    assert "5 attempts" in answer.text and 'value="Week One"' in answer.text
    again = {**form, "title": "Week One", "was": _was(answer.text)}
    assert course.teacher.post(f"{page}/settings", again).status_code == 303


def _was(page: str) -> str:
    found = re.search(r'name="was" value="(\w+)"', page)
    assert found is not None, page
    return found[1]


LATE = [
    ("none", {"late": "none"}, {"hours": 30}, 10.0),
    ("percent, in the second day", {"late": "percent", "late_percent": "20"}, {"hours": 30}, 6.0),
    ("cut-off", {"late": "cutoff"}, {"minutes": 1}, 0.0),
    ("cut-off, in time", {"late": "cutoff"}, {"minutes": -5}, 10.0),
]


@pytest.mark.parametrize(
    ("terms", "ago", "score"), [row[1:] for row in LATE], ids=[row[0] for row in LATE]
)
def test_late_work(
    teacher: Browser, learner: Browser, terms: dict[str, str], ago: dict[str, float], score: float
) -> None:
    course = Class(teacher, **terms)
    course.join(learner)
    course.move_due(**ago)
    learner.judged(GOOD)
    assert course.row("lea")["total"] == score


def test_attempts_are_limited(teacher: Browser, learner: Browser, app: Any) -> None:
    course = Class(teacher, attempts="2")
    course.join(learner)
    learner.judged(BAD, once="first")
    # the same form again is the same attempt
    assert learner.submit(BAD, once="first").status_code == 303
    learner.judged(BAD, last="yes")
    answer = learner.submit(GOOD)
    assert (answer.status_code, "All 2 attempts of" in answer.text) == (422, True)
    assert learner.submit(GOOD, action="samples").status_code == 303
    outsider = Browser(app).sign_up("otto")
    assert [outsider.submit(BAD).status_code for _ in range(3)] == [303] * 3


@pytest.mark.parametrize(
    ("source", "status"),
    [("# broken problem\n", 303), ("# our fault\n", 422)],
    ids=["broken problem", "lost"],
)
def test_a_broken_problem_costs_no_attempt_and_a_lost_submission_one(
    teacher: Browser, learner: Browser, source: str, status: int
) -> None:
    course = Class(teacher, attempts="1")
    course.join(learner)
    learner.judged(source, last="yes")
    assert learner.submit(GOOD, last="yes").status_code == status


def test_of_two_at_once_one_is_too_many(teacher: Browser, learner: Browser) -> None:
    course = Class(teacher, attempts="1")
    course.join(learner)
    running, start = learner.service, threading.Barrier(2)
    problem = running.bank.get(SLUG)
    assert problem is not None
    with running.database.read() as session:
        user = session.scalars(select(User.id).where(User.name == "lea")).one()

    def send(number: int) -> str:
        new = submissions.NewSubmission(user, problem, "numpy", f"{BAD}# {number}\n", use_last=True)
        start.wait(30)
        try:
            return submissions.accept(running.database, new, 1 << 16, lambda number: None).state
        except SubmissionError as error:
            return sentence(error)

    with ThreadPoolExecutor(2) as threads:
        told = sorted(threads.map(send, range(2)))
    assert told[0].startswith("The 1 attempt of 'Week 1' is used") and told[1] == "queued"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (field, text)
        for field in ("minutes", "attempts", "late_percent")
        for text in ("0000199999", "0" * 4500 + "1", "00001" + "9" * 5000, "-1", "1.5", "²")
    ],
    ids=str,
)
def test_a_number_beyond_its_limit_is_refused(teacher: Browser, field: str, text: str) -> None:
    course = Class(teacher)
    answer = course.assign(**{field: text, "late": "percent"})
    assert (answer.status_code, "number from" in answer.text) == (422, True)


def test_the_last_attempt_is_asked_for(teacher: Browser, learner: Browser) -> None:
    course = Class(teacher, attempts="2")
    course.join(learner)
    learner.judged(BAD)
    answer = learner.submit("# kept text\n")
    assert (answer.status_code, "your last attempt that counts for" in answer.text) == (409, True)
    assert "# kept text" in answer.text
    assert 'name="last" value="yes"' in answer.text
    form = {"framework": "numpy", "source": GOOD, "action": "submit"}
    json_only = {"Accept": "application/json"}
    told = learner.post(f"/problems/{SLUG}/submit", form, headers=json_only)
    assert told.status_code == 409
    assert told.json["detail"].startswith("This is your last attempt that counts for 'Week 1'.")
    assert course.row("lea")["problems"][0]["attempts"] == 1
    assert learner.submit(GOOD, action="samples").status_code == 303
    learner.judged(GOOD, last="yes", action="")  # the button of the question names no action
    assert course.row("lea")["problems"][0]["attempts"] == 2
    assert learner.submit(GOOD, last="yes").status_code == 422


def test_a_program_says_that_the_last_attempt_may_be_used(teacher: Browser, app: Any) -> None:
    course = Class(teacher, attempts="1")
    browser = user_of(app, "tok", Role.LEARNER)
    course.join(browser)
    browser.get("/profile")
    token = re.findall(r"aj_[\w-]+", browser.post("/profile/tokens", {"name": "test"}).text)[0]
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one"}
    sent: dict[str, Any] = {"problem": SLUG, "framework": "numpy", "source": GOOD}

    def send(**more: object) -> Any:
        return app.test_client().post("/api/v1/submissions", json=sent | more, headers=headers)

    for refused in (send(), send(use_last=False)):
        assert (refused.status_code, refused.json["code"]) == (409, "last_attempt")
        assert refused.json["parameters"] == {"title": "Week 1"}
        assert refused.json["detail"] == (
            "This is your last attempt that counts for 'Week 1'. To use it, send the submission"
            ' again with `"use_last": true`.'
        )
    for unclear in ("yes", "true", None):
        assert send(use_last=unclear).json["fields"].keys() == {"use_last"}
    assert send(use_last=True).status_code == 202
    assert send().status_code == 202  # repeated with its key: it uses no further attempt
    assert course.row("tok")["problems"][0]["attempts"] == 1


def assigned_on(browser: Browser) -> str:
    """What the page of the problem says of the assignment."""
    found = re.findall(
        r'class="assigned".*?</section>', browser.get(f"/problems/{SLUG}").text, re.DOTALL
    )
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split()) if found else ""


def test_the_problem_says_what_the_assignment_wants(teacher: Browser, learner: Browser) -> None:
    course = Class(teacher, attempts="2", late="percent", late_percent="20")
    assert assigned_on(learner) == ""
    course.join(learner)
    course.move_due(days=-3, minutes=-5)
    said = assigned_on(learner)
    assert "Week 1 Attention 101 due" in said
    assert "Europe/Berlin 3 days left 0 of 2 attempts used the best attempt counts" in said
    assert "late work loses 20 % a day" in said
    number = learner.judged(BAD)
    assert "1 of 2 attempts used, one left" in assigned_on(learner)
    live = learner.get(f"/submissions/{number}/live").json["assigned"]
    assert "one left" in live
    learner.judged(BAD, last="yes")
    assert "2 of 2 attempts used, none left" in assigned_on(learner)
    course.move_due(hours=1)
    assert "Europe/Berlin, over 2 of 2" in assigned_on(learner)


def test_an_assignment_that_counts_nothing_more_is_not_shown(
    teacher: Browser, learner: Browser
) -> None:
    course = Class(teacher, late="cutoff", feedback="after_due")
    course.join(learner)
    said = assigned_on(learner)
    assert "late work does not count" in said
    assert "results are shown after it is due" in said
    assert "as many attempts as you like" in said
    course.move_due(minutes=1)
    assert assigned_on(learner) == ""


SHOWN = {  # what a learner finds of a wrong answer on the page, and in the API
    "full": {
        "Wrong answer": True,
        "It is not doubled.": True,
        "values differ, in row 0": True,
        "hidden one": True,
    },
    "diagnosis": {
        "Wrong answer": True,
        "It is not doubled.": True,
        "values differ, in row 0": False,
        "hidden one": True,
    },
    "verdict": {
        "Wrong answer": True,
        "It is not doubled.": False,
        "values differ, in row 0": False,
        "hidden one": False,
    },
    "after_due": {
        "Wrong answer": False,
        "It is not doubled.": False,
        "values differ, in row 0": False,
        "hidden one": False,
    },
}


@pytest.mark.parametrize("level", SHOWN)
def test_feedback(teacher: Browser, learner: Browser, level: str) -> None:
    course = Class(teacher, feedback=level)
    course.join(learner)
    number = learner.judged(BAD)
    learner.open_hints(number)
    panel = learner.get(f"/submissions/{number}").text.split('class="verdict"')[1]
    assert {words: words in panel for words in SHOWN[level]} == SHOWN[level]
    live = json.dumps(learner.get(f"/submissions/{number}/live").json)
    api = json.dumps(learner.get(f"/api/v1/submissions/{number}").json)
    listed = json.dumps(learner.get("/api/v1/submissions").json)
    for text in (live, api, listed):
        assert ("It is not doubled." in text) == SHOWN[level]["It is not doubled."]
        assert ("values differ, in row 0" in text) == SHOWN[level]["values differ, in row 0"]
    assert ("wrong_answer" in api, "wrong_answer" in listed) == (
        level != "after_due",
        level != "after_due",
    )
    seen = course.teacher.get(f"/teach/assignments/{course.assignment}/submissions/{number}").text
    assert "values differ, in row 0" in seen


TELLS = {  # what tells that a problem is solved, by page
    "/": "state-solved",
    "/progress": "outcome ok",
    f"/problems/{SLUG}/submissions": "outcome ok",
    f"/problems/{SLUG}": ">Solution</a>",
    f"/problems/{SLUG}/leaderboard": "Lea the First",
    "/leaderboard": "Lea the First",
    "/api/v1/me": f'"{SLUG}"',
}


@pytest.mark.parametrize("path", TELLS)
def test_a_withheld_result_shows_nowhere_until_it_is_due(
    teacher: Browser, learner: Browser, path: str
) -> None:
    course = Class(teacher, feedback="after_due")
    course.join(learner)
    learner.get("/profile")
    learner.post("/profile/display-name", {"display_name": "Lea the First"})
    learner.judged(GOOD)
    assert TELLS[path] not in learner.get(path).text
    course.move_due(minutes=1)
    assert TELLS[path] in learner.get(path).text


def test_solution_stays_closed_until_due(course: Class, learner: Browser) -> None:
    course.join(learner)
    closed = "The solution stays closed until &#39;Week 1&#39; is due."
    for path in ("", "/solution"):
        page = learner.get(f"/problems/{SLUG}{path}").text
        assert closed in page
        assert "Give up and read" not in page
        assert "give-up" not in page
    answer = learner.post(f"/problems/{SLUG}/give-up")
    assert (answer.status_code, "until &#39;Week 1&#39; is due" in answer.text) == (403, True)
    course.move_due(minutes=1)
    assert learner.post(f"/problems/{SLUG}/give-up").status_code == 303


def test_score_by_hand_has_a_reason_and_is_logged(course: Class, learner: Browser) -> None:
    course.join(learner)
    with course.teacher.service.database.read() as session:
        user = session.scalars(select(Member.user_id).where(Member.teaches.is_(False))).one()
    path = f"/teach/assignments/{course.assignment}/learners/{user}"
    course.teacher.get(path)
    assert (
        course.teacher.post(
            f"{path}/override", {"slug": SLUG, "score": "7", "reason": ""}
        ).status_code
        == 422
    )
    assert (
        course.teacher.post(
            f"{path}/override", {"slug": SLUG, "score": "-1", "reason": "x"}
        ).status_code
        == 422
    )
    assert (
        course.teacher.post(
            f"{path}/override", {"slug": SLUG, "score": "7.5", "reason": "ill"}
        ).status_code
        == 303
    )
    assert course.row("lea")["total"] == 7.5
    assert "ill" in learner.get(f"/courses/{course.course}").text
    assert (
        course.teacher.post(
            f"{path}/override", {"slug": SLUG, "score": "", "reason": "well again"}
        ).status_code
        == 303
    )
    assert course.row("lea")["total"] == 0.0
    with course.teacher.service.database.read() as session:
        deeds = session.scalars(
            select(Deed).where(Deed.action == "override").order_by(Deed.id)
        ).all()
        assert [(d.reason, d.detail["was"], d.detail["score"]) for d in deeds if d.detail] == [
            ("ill", None, "7.5"),
            ("well again", 7.5, None),
        ]


def test_who_is_told_of_a_score_reads_titles_with_links(course: Class, learner: Browser) -> None:
    course.join(learner)
    with course.teacher.service.database.read() as session:
        user = session.scalars(select(Member.user_id).where(Member.teaches.is_(False))).one()
    path = f"/teach/assignments/{course.assignment}/learners/{user}"
    course.teacher.get(path)
    course.teacher.post(f"{path}/override", {"slug": SLUG, "score": "7", "reason": "<ill>"})
    place = f"/courses/{course.course}#a{course.assignment}"
    for language, title in (("en", "Twice the input"), ("zh", "加倍")):
        learner.get(f"/language/{language}")
        for page in ("/", "/profile"):
            text = learner.get(page).text
            said = next(
                line for line in text.splitlines() if f'<a href="{place}">Week 1</a>' in line
            )
            assert f'<a href="/problems/{SLUG}">{title}</a>' in said
            assert "&lt;ill&gt;" in said


def test_the_heading_of_coming_assignments_in_chinese(course: Class, learner: Browser) -> None:
    course.join(learner)
    with course.teacher.service.database.write() as session:
        session.execute(update(Assignment).values(opens_at=now() + timedelta(days=1)))
    learner.get("/language/zh")
    page = learner.get(f"/courses/{course.course}").text
    assert ("<h2>后续作业</h2>" in page, "更近" in page) == (True, False)


def test_search(course: Class, app: Any) -> None:
    for name in ("lea", "otto"):
        course.join(Browser(app).sign_up(name))
    page = course.teacher.get(f"/teach/assignments/{course.assignment}?q=OTT").text
    assert ("otto</a>" in page, "lea</a>" in page) == (True, False)


def test_removed_learner_is_out_and_keeps_what_is_theirs(course: Class, learner: Browser) -> None:
    course.join(learner)
    number = learner.judged(GOOD)
    with course.teacher.service.database.read() as session:
        user = session.scalars(select(Member.user_id).where(Member.teaches.is_(False))).one()
    course.teacher.post(f"/teach/courses/{course.course}/members/{user}/remove")
    assert learner.get(f"/courses/{course.course}").status_code == 404
    assert learner.get(f"/submissions/{number}").status_code == 200


# ----------------------------------------------------------------------------------------------------------------------
# gradebook

CELLS = [
    ("formula", '=HYPERLINK("x")', '\'=HYPERLINK("x")'),
    ("plus", "+1", "'+1"),
    ("minus", "-1", "'-1"),
    ("at", "@SUM(A1)", "'@SUM(A1)"),
    ("tab", "\t=1", "'\t=1"),
    ("carriage return", "\r=1", "'\r=1"),
    ("text", "lea", "lea"),
    ("negative number", -1.5, -1.5),
]


@pytest.mark.parametrize(
    ("value", "cell"), [row[1:] for row in CELLS], ids=[row[0] for row in CELLS]
)
def test_no_cell_is_a_formula(value: object, cell: object) -> None:
    assert safe(value) == cell


def test_gradebook_forms(teacher: Browser, learner: Browser) -> None:
    course = Class(teacher, title="=1+1", late="percent", late_percent="20")
    course.join(learner)
    course.move_due(hours=1)
    learner.judged(GOOD)
    path = f"/teach/assignments/{course.assignment}/gradebook"
    answer = teacher.get(f"{path}.csv")
    assert f'filename="assignment-{course.assignment}.csv"' in answer.headers["Content-Disposition"]
    rows = list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))
    head = ["learner", "name", "email", "group", SLUG, "total", "of", "due"]
    assert rows[0] == head
    assert [row[:-1] for row in rows[1:]] == [["lea", "", "", "", "8.0", "8.0", "10.0"]]
    head, row = csv.reader(io.StringIO(teacher.get(f"{path}.nbgrader").data.decode("utf-8-sig")))
    assert head == list(NBGRADER)
    assert (row[0], row[3], row[7:]) == ("'=1+1", "lea", ["10.0", "2.0", "8.0", "10.0"])
    with zipfile.ZipFile(io.BytesIO(teacher.get(f"{path}.gradescope").data)) as archive:
        told = json.loads(archive.read("lea/results.json"))
    assert told["tests"][0]["output"] == "solved; 1 attempt; 1 day late, 10 before"
    assert (told["score"], told["tests"][0]["max_score"], told["tests"][0]["score"]) == (
        8.0,
        10.0,
        8.0,
    )
    assert teacher.get(f"{path}.exe").status_code == 404


def test_the_gradebook_of_a_course_has_a_column_for_each_assignment_that_opened(
    course: Class, learner: Browser
) -> None:
    course.assign(title="=Second", late="cutoff")
    course.assign(title="Later", opens="2098-01-01T08:00", due="2098-01-02T08:00")
    course.join(learner)
    learner.judged(GOOD)
    page = f"/teach/courses/{course.course}"
    assert f'href="{page}/gradebook.csv"' in course.teacher.get(page).text
    book = course.teacher.get(f"{page}/gradebook.csv").data.decode("utf-8-sig")
    head, row = csv.reader(io.StringIO(book))
    assert sorted(head[4:-2]) == ["'=Second", "Week 1"]
    assert (row[:4], row[4:]) == (["lea", "", "", ""], ["10.0", "10.0", "20.0", "20.0"])
    assert "\nlea," not in course.teacher.get(f"{page}/gradebook.csv?group=A").text


def test_a_token_reads_the_gradebook_only_under_the_api(course: Class, app: Any) -> None:
    headers = token_of(app, "tok", Role.ADMIN)
    answer = course.teacher.app.test_client().get(
        f"/teach/assignments/{course.assignment}/gradebook.json", headers=headers
    )
    assert answer.status_code in (302, 401)


def test_times_of_rows_are_kept(course: Class, learner: Browser) -> None:
    course.join(learner)
    learner.judged(GOOD)
    with course.teacher.service.database.read() as session:
        row = session.scalars(select(Submission)).one()
    assert course.row("lea")["problems"][0]["sent_at"] == row.submitted_at.isoformat()


def test_the_class_page_shows_the_step_at_which_most_are(course: Class, app: Any) -> None:
    assert "Where the class is" not in _page(course)  # nobody is in it
    people = {name: Browser(app).sign_up(name) for name in ("ann", "ben", "cem", "dan", "eva")}
    for person in people.values():
        course.join(person)
    with course.teacher.service.database.write() as session:
        users = {user.name: user.id for user in session.scalars(select(User))}
        answers = {
            "ann": ("predict-1", "fill-2"),
            "ben": ("fill-1", "arrange-3"),
            "dan": ("bug-1",),
        }
        for name, items in answers.items():
            for item in items:
                about = {"problem": SLUG, "framework": "numpy", "digest": "d", "answer": []}
                session.add(PracticeAnswer(user_id=users[name], item=item, correct=False, **about))
    people["cem"].judged(BAD)
    people["dan"].judged(BAD)
    people["dan"].judged(GOOD)
    table = _page(course).split('class="class-steps"')[1].split("</table>")[0]
    heads = re.findall(r'<th scope="col">([^<]*)</th>', table)
    cells = re.findall(r"<td([^>]*)>([\d–]+)", table.split("<tbody>")[1])
    assert heads[1:] == [
        *("not begun", "predict", "arrange", "fill", "find the bug"),
        *("beat the mistakes", "program", "accepted"),
    ]
    # eva; ann and ben; cem; dan
    assert [count for _, count in cells[:8]] == ["1", "–", "–", "2", "–", "–", "1", "1"]
    assert [i for i, (kind, _) in enumerate(cells[:8]) if "stuck" in kind] == [3]


def test_an_assignment_is_deleted_only_while_nobody_has_done_anything(
    course: Class, learner: Browser
) -> None:
    course.join(learner)
    other = int(course.assign(title="Week 2").location.rsplit("/", 1)[1])
    learner.judged(GOOD)
    with course.teacher.service.database.write() as session:  # after lea's submission
        session.get_one(Assignment, other).opens_at = now()
    refused = course.teacher.post(f"/teach/assignments/{course.assignment}/delete", {})
    assert refused.status_code == 422
    assert "It cannot be deleted: 1 learner has work or a score in it." in refused.text
    done = course.teacher.post(f"/teach/assignments/{other}/delete", {})
    assert done.location == f"/teach/courses/{course.course}"
    page = course.teacher.get(done.location).text
    assert "The assignment Week 2 is deleted." in page
    assert f"/teach/assignments/{other}" not in page and "Week 1" in page


def test_a_course_is_renamed(course: Class, learner: Browser) -> None:
    course.join(learner)
    path = f"/teach/courses/{course.course}"
    form = {"action": "title", "title": " Attention  for all "}
    assert course.teacher.post(f"{path}/settings", form).status_code == 303
    assert "<h1>Attention for all</h1>" in course.teacher.get(path).text
    assert "Attention for all" in learner.get(f"/courses/{course.course}").text


def test_who_removes_somebody_is_asked_first(course: Class, learner: Browser) -> None:
    course.join(learner)
    page = course.teacher.get(f"/teach/courses/{course.course}").text
    asked = re.findall(r"<details.*?</details>", page, re.DOTALL)
    assert sum("/members/" in part and "Remove lea" in part for part in asked) == 1
    assert page.count("/members/") == 1  # no button outside of what asks
