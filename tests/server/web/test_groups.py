"""Failures without a hint: grouped on the page of a class's mistakes, promoted to a known mistake,
and judged again once that is published.
"""

import dataclasses
import html
import re
import time
from typing import Any

import pytest
from sqlalchemy import select

from grader.model import Diagnosis
from server.messages import Message
from server.models.accounts import Role, User
from server.models.submissions import State, Submission
from server.models.teaching import Deed, Draft, Rejudge, VerifyRun
from server.services import accounts
from server.services.problems import files
from server.worker.threads import Core
from tests.server.conftest import (
    BAD,
    FAKE,
    GOOD,
    SLUG,
    Browser,
    MakeApp,
    fake_answers,
    fake_judge,
    user_of,
)
from tests.server.web.test_courses import Class

SQUARED = "def double(x):\n    return x ** 2  # squared\n"
OTHER = "def double(x):\n    return x + 2  # added\n"
FORM = {"name": "squares", "hint-en": "Is that two times x?", "hint-zh": "这是两倍吗？"}


def judge(problem: Any, submission: Any, sandbox: Any, **options: Any) -> Any:
    """Explains what is `squared` once the problem knows the mistake `squares`."""
    verdict = fake_judge(problem, submission, sandbox, **options)
    number = {"squared": 3.0, "added": 5.0}
    word = next((word for word in number if word in submission.source), "")
    if not word:
        return verdict
    if word == "squared" and "squares" in [m.name for m in problem.mistakes]:
        found = (Diagnosis("squares", "Is that two times x?", ("two by three",)),)
        return dataclasses.replace(verdict, diagnoses=found)
    tensors = {"y": ["form", number[word] + len(submission.source) * 1e-9, 1e-3]}
    case = {"case": "two by three", "does": ["wrong_answer"], "tensors": tensors}
    seen = {"failed": 2, "cases": [case]}
    return dataclasses.replace(verdict, diagnoses=(), behaviour=seen)


class School:
    """A class of three in which two make the same mistake, and a problem that its teacher published
    as `twice`.
    """

    def __init__(self, app: Any) -> None:
        self.teacher = user_of(app, "tess", Role.INSTRUCTOR)
        self.slug = "twice"
        self._publish()
        self.course = Class(self.teacher, problem=self.slug)
        names = ("lea", "leo", "lia", "explained")
        self.learners = {name: Browser(app).sign_up(name) for name in names}
        for browser in self.learners.values():
            self.course.join(browser)
        sources = (SQUARED + "# once\n", SQUARED, OTHER, BAD)
        self.sent = {
            name: browser.judged(source, self.slug)
            for (name, browser), source in zip(self.learners.items(), sources, strict=True)
        }
        self.page = f"/teach/assignments/{self.course.assignment}/mistakes/{self.slug}"

    def _publish(self) -> None:
        self.teacher.get("/teach")
        self.teacher.post("/teach/drafts", {"slug": self.slug, "from": SLUG})
        self.publish("the first")

    def publish(self, about: str) -> None:
        """As if verify had found the draft fit."""
        number = self.found_fit()
        self.teacher.get(f"/teach/drafts/{number}")
        answer = self.teacher.post(f"/teach/drafts/{number}/publish", {"note": about})
        assert answer.status_code == 303, answer.text

    def found_fit(self) -> int:
        """The draft of the problem, verified."""
        with self.teacher.service.database.write() as session:
            draft = session.scalars(select(Draft).where(Draft.slug == self.slug)).one()
            tree = files.tree_hash(draft.files)
            run = VerifyRun(draft_id=draft.id, slug=draft.slug, tree=tree, files=draft.files)
            run.asked_by, run.state, run.fit = draft.owner_id, State.DONE, True
            session.add(run)
            return draft.id

    def promote(self, learner: str = "leo", **fields: str) -> Any:
        """The answer to the form."""
        path = f"/teach/submissions/{self.sent[learner]}/mistake"
        self.teacher.get(path)
        return self.teacher.post(path, {**FORM, **fields})

    def draft(self) -> dict[str, bytes]:
        """The files of the draft."""
        with self.teacher.service.database.read() as session:
            draft = session.scalars(select(Draft).where(Draft.slug == self.slug)).one()
            return files.fetch(session, draft.files)


@pytest.fixture
def site(make_app: MakeApp) -> Any:
    return make_app(Core(FAKE.open_room, judge, fake_answers))


@pytest.fixture
def school(site: Any) -> School:
    return School(site)


def groups(page: str) -> list[tuple[str, int]]:
    """(how many, example) of each group."""
    found = re.findall(r'data-group="(\d+)">\s*<h3>(\d+ learners?)', page)
    return [(learners, int(number)) for number, learners in found]


def test_equal_failures_are_one_group(school: School) -> None:
    page = school.teacher.get(school.page).text
    expected = [("2 learners", school.sent["leo"]), ("1 learner", school.sent["lia"])]
    assert groups(page) == expected
    assert "two by three: weights: 6 of 6 values differ" in page
    assert "squared" in page


def test_the_example_of_a_group_is_looked_into_as_the_teachers_own(school: School) -> None:
    page = school.teacher.get(school.page).text
    form = page[page.index(f'data-group="{school.sent["leo"]}"') :]
    form = form[form.index("<form") : form.index("</form>")]
    assert f'action="/problems/{school.slug}/explorations"' in form
    fields = {
        name: html.unescape(value)
        for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)
        if name != "csrf_token"
    }
    assert school.teacher.post(f"/problems/{school.slug}/explorations", fields).status_code == 303
    with school.teacher.service.database.read() as session:
        row = session.scalars(select(Submission).order_by(Submission.id.desc())).first()
        assert row is not None and row.exploration == {"kind": "trace", "case": ""}
        assert row.user.name == "tess" and row.source == SQUARED and row.samples_only


def test_a_learner_counts_once_with_the_latest_failure(school: School) -> None:
    school.learners["lea"].judged(OTHER, school.slug)
    school.learners["leo"].judged(GOOD, school.slug)
    found = groups(school.teacher.get(school.page).text)
    assert sorted(learners for learners, _ in found) == ["1 learner", "2 learners"]
    assert ("1 learner", school.sent["leo"]) in found


def test_the_page_of_the_problem_shows_what_one_may_read(site: Any, school: School) -> None:
    path = f"/teach/problems/{school.slug}/mistakes"
    stranger = user_of(site, "theo", Role.INSTRUCTOR)
    assert groups(stranger.get(path).text) == []
    assert len(groups(school.teacher.get(path).text)) == 2
    assert len(groups(user_of(site, "ada", Role.ADMIN).get(path).text)) == 2


def test_nothing_without_a_hint(school: School) -> None:
    with school.teacher.service.database.write() as session:
        for row in session.scalars(select(Submission)):
            row.behaviour = None
    assert "Every failure has a hint." in school.teacher.get(school.page).text


def test_the_form_shows_source_case_and_edit(school: School) -> None:
    page = school.teacher.get(f"/teach/submissions/{school.sent['leo']}/mistake").text
    text = re.sub(r"<[^>]+>", "", page)
    assert "return 2 * x" in text
    assert "return x ** 2" in text
    assert "weights: 6 of 6 values differ" in text
    assert "0.4" in text
    assert "Hint (EN)" in text and "Hint (中文)" in text


def test_promoted_it_is_in_a_draft_that_is_being_verified(school: School) -> None:
    answer = school.promote()
    assert answer.status_code == 303
    assert re.search(r"/teach/drafts/\d+\?file=problems/mistakes.toml#verify", answer.location)
    problem = files.read(school.draft(), school.slug)
    assert [m.name for m in problem.mistakes] == ["once", "squares"]
    assert problem.mistakes[-1].hint == FORM["hint-en"]
    assert problem.words["zh"].hints["squares"] == FORM["hint-zh"]
    with school.teacher.service.database.read() as session:
        run = session.scalars(select(VerifyRun).order_by(VerifyRun.id.desc())).first()
        draft = session.scalars(select(Draft)).one()
        assert run is not None and run.tree == files.tree_hash(draft.files)
        deed = session.scalars(select(Deed).where(Deed.action == "mistake")).one()
        assert deed.subject == "twice: squares"
        assert deed.detail is not None and deed.detail["submission"] == school.sent["leo"]


def test_what_is_in_the_draft_already_stays(school: School) -> None:
    school.promote()
    assert school.promote("lia", name="adds").status_code == 303
    names = [m.name for m in files.read(school.draft(), school.slug).mistakes]
    assert names == ["once", "squares", "adds"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, "is not a valid slug"),
        ({"name": "../x"}, "is not a valid slug"),
        ({"name": "once"}, "has a mistake"),
        ({"hint-en": " "}, "Write the hint"),
        ({"hint-zh": ""}, "Write the hint"),
        ({"hint-en": "x" * 2001}, "at most"),
    ],
    ids=["no name", "a path", "name taken", "no hint", "no Chinese hint", "long"],
)
def test_refused(school: School, fields: dict[str, str], said: str) -> None:
    answer = school.promote(**fields)
    assert (answer.status_code, said in answer.text) == (422, True)
    with school.teacher.service.database.read() as session:
        assert session.scalars(select(Deed).where(Deed.action == "mistake")).all() == []


def test_what_is_right_is_no_mistake(school: School) -> None:
    number = school.learners["lea"].judged(GOOD, school.slug)
    assert school.teacher.get(f"/teach/submissions/{number}/mistake").status_code == 404


def test_published_it_explains_what_nothing_explained(school: School) -> None:
    school.promote()
    school.publish("squares")
    with school.teacher.service.database.read() as session:
        rejudge = session.scalars(select(Rejudge)).one()
    end = time.monotonic() + 60
    live = f"/teach/rejudges/{rejudge.id}/live"
    while school.teacher.get(live).json["state"] != "done" and time.monotonic() < end:
        time.sleep(0.05)
    assert school.teacher.get(live).json["total"] == 3
    school.teacher.get(f"/teach/rejudges/{rejudge.id}")
    assert school.teacher.post(f"/teach/rejudges/{rejudge.id}/apply").status_code == 303
    page = school.teacher.get(school.page).text
    assert groups(page) == [("1 learner", school.sent["lia"])]
    assert re.findall(r"<strong>(\d+ of \d+)</strong> <code>squares", page) == ["2 of 4"]
    assert str(Message("The problem knows more mistakes.")) == rejudge.reason


def test_a_version_of_a_program_judges_again_too(school: School) -> None:
    school.promote()
    service = school.teacher.service
    with service.database.write() as session:
        teacher = session.scalars(select(User).where(User.name == "tess")).one()
        token = accounts.make_token(session, teacher, "a program")
    address = f"/api/v1/drafts/{school.found_fit()}/publish"
    answer = Browser(school.teacher.app).client.post(
        address, json={"note": "squares"}, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 201, answer.text
    with service.database.read() as session:
        assert session.scalars(select(Rejudge)).one().problem == school.slug


def test_a_version_that_knows_no_more_judges_nothing_again(school: School) -> None:
    with school.teacher.service.database.write() as session:
        draft = session.scalars(select(Draft)).one()
        content = files.fetch(session, draft.files)
        content["problems/statement.md"] += b"\nMore.\n"
        draft.files = files.keep(session, content)
    school.publish("words")
    with school.teacher.service.database.read() as session:
        assert session.scalars(select(Rejudge)).all() == []
