"""Reset links: who makes them for whom, when they end, who is told; and what ends with a password
or a role.
"""

import logging
import re
from typing import Any

import pytest

from server.models.accounts import Role
from tests.server.conftest import PASSWORD, Browser, MakeApp, user_of
from tests.server.web.test_courses import Class

NEW = {"password": "quite another one", "again": "quite another one"}


@pytest.fixture
def course(teacher: Browser, learner: Browser) -> Class:
    """Terry's course, with lea in it."""
    found = Class(teacher)
    found.join(learner)
    return found


def number_of(browser: Browser, name: str) -> int:
    """The number of an account."""
    from server.services import accounts

    with browser.service.database.read() as session:
        user = accounts.find_user(session, name)
        assert user is not None
        return user.id


def link(maker: Browser, name: str) -> str:
    """Makes a link; empty when it is refused."""
    maker.get("/courses")
    answer = maker.post(f"/manage/users/{number_of(maker, name)}/reset")
    found = re.search(r"/reset/[\w-]+", answer.text)
    assert (answer.status_code == 200) is (found is not None)
    return found[0] if found else ""


def holds(app: Any, path: str) -> bool:
    """Whether a link can be used now: asked twice, as a page and as a form."""
    visitor = Browser(app)
    shown = visitor.get(path).status_code
    visitor.get("/sign-in")
    # too short: nothing is set
    refused = visitor.post(path, {"password": "x", "again": "x"}).status_code
    assert (shown, refused) in ((200, 422), (404, 404))
    return shown == 200


def use(app: Any, path: str) -> Browser:
    """Sets a new password through a link."""
    visitor = Browser(app)
    visitor.get(path)
    assert visitor.post(path, NEW).status_code == 303
    return visitor


def give_role(admin: Browser, name: str, role: Role, active: str = "yes") -> None:
    admin.get("/manage")
    form = {"role": str(role), "active": active, "reason": "of this test"}
    assert admin.post(f"/manage/users/{number_of(admin, name)}/role", form).status_code == 303


def token_of(browser: Browser) -> dict[str, str]:
    """The headers of a program of this account."""
    browser.get("/profile")
    found = re.search(r"aj_[\w-]{40,}", browser.post("/profile/tokens", {"name": "laptop"}).text)
    assert found is not None
    return {"Authorization": f"Bearer {found[0]}"}


def opens(app: Any, headers: dict[str, str]) -> bool:
    return bool(app.test_client().get("/api/v1/me", headers=headers).status_code == 200)


def signed_in(browser: Browser) -> bool:
    return browser.client.get("/profile").status_code == 200


def test_only_for_learners_of_ones_own_courses(app: Any, course: Class, admin: Browser) -> None:
    theo = user_of(app, "theo", Role.INSTRUCTOR)
    Browser(app).sign_up("stranger")
    assert [
        bool(link(course.teacher, name)) for name in ("lea", "stranger", "theo", "ada", "terry")
    ] == [True] + 4 * [False]
    assert not link(theo, "lea")
    assert [
        bool(link(admin, name)) for name in ("lea", "stranger", "theo", "terry", "ada")
    ] == 5 * [True]


def test_an_instructor_sees_only_learners_of_their_courses(app: Any, course: Class) -> None:
    Browser(app).sign_up("stranger")
    theo = user_of(app, "theo", Role.INSTRUCTOR)
    assert "lea" in course.teacher.get("/manage").text
    assert "stranger" not in course.teacher.get("/manage?q=stran").text.replace('value="stran"', "")
    assert "lea" not in re.sub(r'"[^"]*"', "", theo.get("/manage").text).split("<main")[1].replace(
        "learner", ""
    ).replace("Learner", "")


ENDINGS = [
    "promoted",
    "removed",
    "maker demoted",
    "maker closed",
    "maker no teacher",
    "course archived",
    "closed",
    "new password",
    "newer link",
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_link_ends(
    app: Any, course: Class, learner: Browser, admin: Browser, ending: str
) -> None:
    path, teacher, lea = link(course.teacher, "lea"), course.teacher, number_of(admin, "lea")
    assert holds(app, path)
    if ending == "promoted":
        give_role(admin, "lea", Role.ADMIN)
    elif ending == "closed":
        give_role(admin, "lea", Role.LEARNER, "no")
    elif ending == "removed":
        assert (
            teacher.post(f"/teach/courses/{course.course}/members/{lea}/remove").status_code == 303
        )
    elif ending == "maker demoted":
        give_role(admin, "terry", Role.LEARNER)
    elif ending == "maker closed":
        give_role(admin, "terry", Role.INSTRUCTOR, "no")
    elif ending == "maker no teacher":
        user_of(app, "theo", Role.INSTRUCTOR)
        assert (
            teacher.post(
                f"/teach/courses/{course.course}/settings", {"action": "teacher", "name": "theo"}
            ).status_code
            == 303
        )
        terry = number_of(admin, "terry")
        assert (
            admin.post(f"/teach/courses/{course.course}/members/{terry}/remove").status_code == 303
        )
    elif ending == "course archived":
        assert (
            teacher.post(
                f"/teach/courses/{course.course}/settings", {"action": "archive"}
            ).status_code
            == 303
        )
    elif ending == "newer link":
        assert link(admin, "lea")
    else:
        learner.get("/profile")
        assert learner.post("/profile/password", {"old": PASSWORD, **NEW}).status_code == 303
    assert not holds(app, path)
    if ending in (
        "promoted",
        "closed",
        "maker demoted",
        "maker closed",
        "new password",
        "newer link",
    ):
        if ending in ("promoted", "closed"):
            give_role(admin, "lea", Role.LEARNER)
        if ending.startswith("maker"):
            give_role(admin, "terry", Role.INSTRUCTOR)
        assert not holds(app, path)  # it has ended: it does not come back with the role


def test_what_an_admin_gave_ends_with_the_role(app: Any, admin: Browser) -> None:
    """Nobody keeps a way back."""
    user_of(app, "zoe", Role.ADMIN)
    zoe = Browser(app)
    zoe.get("/sign-in")
    zoe.post("/sign-in", {"name": "zoe", "password": PASSWORD})
    zoe.get("/manage")
    found = re.search(
        r"invitation=([\w-]+)", zoe.post("/manage/invitations", {"role": "admin"}).text
    )
    assert found is not None
    back = link(zoe, "ada")
    give_role(admin, "zoe", Role.LEARNER)
    assert not holds(app, back)
    visitor = Browser(app)
    visitor.get("/sign-up")
    form = {"name": "zoe2", "password": PASSWORD, "again": PASSWORD, "invitation": found[1]}
    assert visitor.post("/sign-up", form).status_code == 422


CHANGES = ["own password", "reset link", "promoted", "closed and opened"]


@pytest.mark.parametrize("change", CHANGES)
def test_sessions_and_tokens_end(
    app: Any, course: Class, learner: Browser, admin: Browser, change: str
) -> None:
    other, headers = Browser(app), token_of(learner)
    other.get("/sign-in")
    other.post("/sign-in", {"name": "lea", "password": PASSWORD})
    assert (signed_in(learner), signed_in(other), opens(app, headers)) == (True, True, True)
    if change == "own password":
        learner.get("/profile")
        assert learner.post("/profile/password", {"old": PASSWORD, **NEW}).status_code == 303
    elif change == "reset link":
        assert signed_in(use(app, link(course.teacher, "lea")))
    elif change == "promoted":
        give_role(admin, "lea", Role.INSTRUCTOR)
    else:
        give_role(admin, "lea", Role.LEARNER, "no")
        give_role(admin, "lea", Role.LEARNER)
    stays = change == "own password"  # in the browser in which one did it oneself
    assert (signed_in(learner), signed_in(other), opens(app, headers)) == (stays, False, False)


def test_the_person_is_told(app: Any, course: Class, learner: Browser) -> None:
    path = link(course.teacher, "lea")
    told = re.compile(r'data-notice="\w+"><p>([^<]*)</p>')
    (made,) = told.findall(learner.get("/").text)
    assert re.fullmatch(
        r"An instructor, terry, made a reset link for your account on [\d: -]+ UTC; it has not been"
        r" used\.",
        made,
    )
    dismiss = re.search(r'action="(/profile/notices/\d+/dismiss)"', learner.get("/").text)
    assert dismiss is not None
    answer = learner.post(dismiss[1], {"next": "/progress"})
    assert (answer.status_code, answer.location) == (303, "/progress")
    assert told.findall(learner.get("/").text) == []

    # it is told anew, since it was used; whoever used it cannot hide it for good
    thief = use(app, path)
    (used,) = told.findall(thief.get("/").text)
    assert re.fullmatch(
        r"An instructor, terry, made a reset link for your account on [\d: -]+ UTC; it was used on"
        r" [\d: -]+ UTC\.",
        used,
    )
    assert thief.post(dismiss[1]).status_code == 303
    owner = use(app, link(course.teacher, "lea"))
    assert used in owner.get("/profile").text.split("What others did")[1]
    owner.client.set_cookie("language", "zh")
    assert "老师 terry 于" in owner.get("/").text


def test_made_and_used_are_in_the_audit_log(app: Any, course: Class, admin: Browser) -> None:
    use(app, link(course.teacher, "lea"))
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", admin.get("/manage/audit").text))
    assert re.search(r"terry reset link lea account \d+, link 1", page)
    assert re.search(r"lea reset used lea account \d+, link 1, made by terry", page)


def test_no_log_has_the_code(app: Any, course: Class, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    path = link(course.teacher, "lea")
    assert holds(app, path)
    fields = [
        record.__dict__["fields"] for record in caplog.records if record.name == "server.request"
    ]
    assert "/reset/<code>" in {line["path"] for line in fields}
    assert path.removeprefix("/reset/") not in str(fields) + caplog.text


def test_making_links_is_limited(make_app: MakeApp) -> None:
    app = make_app(link_limit="3/hour")
    admin, lea = user_of(app, "ada", Role.ADMIN), Browser(app).sign_up("lea")
    number = number_of(lea, "lea")
    codes = [admin.post(f"/manage/users/{number}/reset").status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    other = user_of(app, "zoe", Role.ADMIN)  # by account, not by address
    assert other.post(f"/manage/users/{number}/reset").status_code == 200
    assert [
        other.post("/manage/invitations", {"role": "learner"}).status_code for _ in range(4)
    ] == [200, 200, 200, 429]


def test_using_links_and_changing_a_password_are_limited(make_app: MakeApp) -> None:
    app = make_app(sign_up_limit="3/hour", sign_in_limit="3/hour")
    visitor = Browser(app)
    visitor.get("/sign-in")
    assert [visitor.post("/reset/guess", NEW).status_code for _ in range(4)] == [404, 404, 404, 429]


def test_somebody_elses_notice_is_not_there(app: Any, course: Class, learner: Browser) -> None:
    link(course.teacher, "lea")
    assert course.teacher.post("/profile/notices/1/dismiss").status_code == 404
    assert "data-notice" in learner.get("/").text
