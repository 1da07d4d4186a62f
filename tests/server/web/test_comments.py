"""Comments of a teacher on a submission, and a learner's request to look again."""

import re
from typing import Any

import pytest

from server.models.accounts import Role
from tests.server.conftest import BAD, Browser, user_of
from tests.server.web.test_courses import Class


@pytest.fixture
def course(teacher: Browser) -> Class:
    return Class(teacher)


@pytest.fixture
def sent(course: Class, learner: Browser) -> int:
    """The number of a wrong submission."""
    course.join(learner)
    return learner.judged(BAD)


def page(course: Class, number: int) -> str:
    return f"/teach/assignments/{course.assignment}/submissions/{number}"


def comment(browser: Browser, course: Class, number: int, text: str, line: str = "") -> Any:
    browser.get(page(course, number))
    return browser.post(f"{page(course, number)}/comments", {"text": text, "line": line})


def ask(learner: Browser, number: int, text: str = "The case is wrong.") -> Any:
    learner.get(f"/submissions/{number}")
    return learner.post(f"/submissions/{number}/look-again", {"text": text})


def test_a_comment_on_a_line_is_read_by_its_learner(
    course: Class, learner: Browser, sent: int
) -> None:
    assert comment(course.teacher, course, sent, "Twice, <b>please</b>.", "1").status_code == 303
    assert comment(course.teacher, course, sent, "Almost there.").status_code == 303
    for browser, path in ((learner, f"/submissions/{sent}"), (course.teacher, page(course, sent))):
        shown = browser.get(path).text
        assert "Twice, &lt;b&gt;please&lt;/b&gt;." in shown
        assert f'<pre class="commented" tabindex="0">{BAD.strip()}</pre>' in shown
        assert shown.count('class="commented"') == 1
    told = learner.get("/").text
    assert f'submission <a href="/submissions/{sent}">{sent}</a> to <a href' in told


REFUSED = [
    ("nothing", " ", "", "1 to 2,000 characters"),
    ("too long", "x" * 2001, "", "1 to 2,000 characters"),
    ("no line", "x", "2", "A line is a number from 1 to 1."),
    ("no number", "x", "one", "A line is a number from 1 to 1."),
]


def test_the_notice_of_a_comment_leads_to_the_submission(
    course: Class, learner: Browser, sent: int
) -> None:
    comment(course.teacher, course, sent, "Which axis?")
    page = learner.get("/").text
    assert f'commented on submission <a href="/submissions/{sent}">{sent}</a>' in page
    assert 'to <a href="/problems/double">Twice the input</a> on' in page


@pytest.mark.parametrize(
    ("text", "line", "said"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_refused(course: Class, sent: int, text: str, line: str, said: str) -> None:
    answer = comment(course.teacher, course, sent, text, line)
    assert (answer.status_code, said in answer.text) == (422, True)
    assert f">\n{text}</textarea>" in answer.text
    assert f'name="line" value="{line}"' in answer.text


def test_an_end_of_line_is_one_character(course: Class, learner: Browser, sent: int) -> None:
    """As the field counts it: it takes 2,000 with the ends of lines, and sends two for each."""
    text = "\n".join(["x"] * 1000)
    assert ask(learner, sent, text.replace("\n", "\r\n")).status_code == 303
    assert text in course.teacher.get(page(course, sent)).get_data(as_text=True)


def test_lines_are_numbered_as_a_comment_names_them(course: Class, learner: Browser) -> None:
    course.join(learner)
    number = learner.judged("\n# wrong\n" + "x = 1\n" * 8 + "y = '<b>'\n\n")
    shown = re.sub(r"<[^>]*>", "", course.teacher.get(page(course, number)).text)
    assert " 1  \n 2  # wrong\n 3  x = 1\n" in shown
    assert "10  x = 1\n11  y = '&lt;b&gt;'\n12  \n" in shown
    assert comment(course.teacher, course, number, "x", "12").status_code == 303
    assert comment(course.teacher, course, number, "x", "13").status_code == 422


def test_a_request_waits_until_it_is_answered(course: Class, learner: Browser, sent: int) -> None:
    assignment = f"/teach/assignments/{course.assignment}"
    assert "Requests to look again" not in course.teacher.get(assignment).text
    whole = f"/teach/courses/{course.course}"
    assert "to look again" not in course.teacher.get(whole).text
    assert ask(learner, sent).status_code == 303
    assert "1 request to look again" in course.teacher.get(whole).text
    assert "asks to look again" in learner.get(f"/submissions/{sent}").text
    again = ask(learner, sent)
    assert (again.status_code, "You have asked already" in again.text) == (422, True)
    asked = course.teacher.get(assignment).text
    assert "Requests to look again" in asked
    assert f'href="{page(course, sent)}"' in asked
    assert "The case is wrong." in course.teacher.get(page(course, sent)).text
    comment(course.teacher, course, sent, "It is right: read rule 2.")
    assert "Requests to look again" not in course.teacher.get(assignment).text
    assert "to look again" not in course.teacher.get(whole).text
    assert ask(learner, sent, "I read it.").status_code == 303
    assert "Requests to look again" in course.teacher.get(assignment).text


def test_nobody_else_asks_or_comments(course: Class, learner: Browser, sent: int, app: Any) -> None:
    otto = Browser(app).sign_up("otto")
    assert ask(otto, sent).status_code == 404
    own = otto.judged(BAD)  # otto takes no course: nobody would answer
    assert "look-again" not in otto.get(f"/submissions/{own}").text
    assert ask(otto, own).status_code == 422
    theo = user_of(app, "theo", Role.INSTRUCTOR)
    theo.get("/teach")
    assert theo.post(f"{page(course, sent)}/comments", {"text": "x"}).status_code == 404
    assert comment(course.teacher, course, own, "x").status_code == 404
