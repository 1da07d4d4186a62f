"""Accounts, roles, invitations, password links, tokens, sessions, limits."""

import re
import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text, update

from server.models.accounts import Invitation, PasswordReset, Role, User
from server.models.base import now
from server.models.submissions import State, Submission, WorkerSeen
from server.services import accounts, password_resets
from server.services.audit import note
from server.web.context import NAME
from tests.server.conftest import GOOD, PASSWORD, SLUG, Browser, MakeApp, token_of, user_of


def test_sign_up_out_and_in(visitor: Browser) -> None:
    visitor.sign_up("Ada")
    assert "Ada" in visitor.get("/profile").text
    visitor.post("/sign-out")
    assert visitor.get("/profile").status_code == 302
    visitor.get("/sign-in?next=/progress")
    # names are compared case folded
    answer = visitor.post("/sign-in", {"name": "ada", "password": PASSWORD, "next": "/progress"})
    assert (answer.status_code, answer.location) == (303, "/progress")


@pytest.mark.parametrize(
    ("name", "password", "again", "message"),
    [
        ("x", PASSWORD, PASSWORD, "A name has 2 to 39"),
        ("a b", PASSWORD, PASSWORD, "A name has 2 to 39"),
        ("<script>", PASSWORD, PASSWORD, "A name has 2 to 39"),
        ("nul\0nul", PASSWORD, PASSWORD, "A name has 2 to 39"),
        ("a" * 60, PASSWORD, PASSWORD, "A name has 2 to 39"),
        ("LEA", PASSWORD, PASSWORD, "is taken"),
        ("ｌｅａ", PASSWORD, PASSWORD, "is taken"),
        ("otto", "short", "short", "at least 8"),
        ("otto", "p" * 300, "p" * 300, "at most 256"),
        ("otto.otto", "Otto.Otto", "Otto.Otto", "is not the name"),
        ("otto", PASSWORD, "another one", "passwords differ"),
    ],
)
def test_sign_up_says_what_is_wrong(
    app: Any, learner: Browser, name: str, password: str, again: str, message: str
) -> None:
    visitor = Browser(app)
    visitor.get("/sign-up")
    answer = visitor.post("/sign-up", {"name": name, "password": password, "again": again})
    assert (answer.status_code, message in answer.text) == (422, True), answer.text
    assert password not in answer.text.replace(name, "")


@pytest.mark.parametrize("name", ["林黛玉", "Zoë", "o.o-o_1", "Ωmega"])
def test_names_in_any_script(visitor: Browser, name: str) -> None:
    assert name in visitor.sign_up(name).get("/profile").text


@pytest.mark.parametrize(
    ("name", "password"),
    [("lea", "wrong password"), ("nobody", PASSWORD), ("", ""), ("lea", ""), ("lea\0", PASSWORD)],
)
def test_wrong_sign_in(app: Any, learner: Browser, name: str, password: str) -> None:
    visitor = Browser(app)
    visitor.get("/sign-in")
    answer = visitor.post("/sign-in", {"name": name, "password": password})
    assert (answer.status_code, "The name or the password is wrong." in answer.text) == (401, True)


@pytest.mark.parametrize(
    "target",
    [
        "https://elsewhere.example",
        "//elsewhere.example",
        "/\\elsewhere.example",
        "javascript:alert(1)",
        "\n/x",
    ],
)
def test_sign_in_leads_nowhere_else(app: Any, learner: Browser, target: str) -> None:
    visitor = Browser(app)
    visitor.get("/sign-in")
    assert (
        visitor.post("/sign-in", {"name": "lea", "password": PASSWORD, "next": target}).location
        == "/"
    )


def test_invitation_works_once_and_gives_its_role(make_app: MakeApp) -> None:
    app = make_app(sign_up="invitation")
    visitor = Browser(app)
    visitor.get("/sign-up")
    form = {"name": "ines", "password": PASSWORD, "again": PASSWORD}
    assert "needs an invitation" in visitor.post("/sign-up", form).text
    assert (
        "unknown, used or expired"
        in visitor.post("/sign-up", {**form, "invitation": "made-up"}).text
    )
    with visitor.service.database.write() as session:
        code = accounts.invite(session, Role.INSTRUCTOR, None)
        late = accounts.invite(session, Role.LEARNER, None)
        session.flush()
        old = Invitation.code_hash == accounts.hash_code(late)
        session.execute(
            update(Invitation).where(old).values(expires_at=now() - timedelta(seconds=1))
        )
    assert "unknown, used or expired" in visitor.post("/sign-up", {**form, "invitation": late}).text
    # a mistake does not use it up
    assert visitor.post("/sign-up", {**form, "name": "x", "invitation": code}).status_code == 422
    assert visitor.post("/sign-up", {**form, "invitation": code}).status_code == 303
    assert visitor.get("/manage").status_code == 200
    second = Browser(app)
    second.get("/sign-up")
    assert (
        "unknown, used or expired"
        in second.post("/sign-up", {**form, "name": "otto", "invitation": code}).text
    )


def test_closed(make_app: MakeApp) -> None:
    visitor = Browser(make_app(sign_up="closed"))
    assert "no new accounts" in visitor.get("/sign-up").text
    visitor.get("/sign-in")
    assert (
        visitor.post(
            "/sign-up", {"name": "lea", "password": PASSWORD, "again": PASSWORD}
        ).status_code
        == 422
    )
    with visitor.service.database.write() as session:
        code = accounts.invite(session, Role.ADMIN, None)
    assert 'name="password"' in visitor.get(f"/sign-up?invitation={code}").text


def test_first_invitation_is_for_an_admin_and_ends(app: Any) -> None:
    service = app.extensions[NAME]
    with service.database.write() as session:
        first = accounts.first_invitation(session)
    with service.database.write() as session:
        second = accounts.first_invitation(session)
    with service.database.read() as session:
        assert first is not None
        assert second is not None
        assert accounts.find_invitation(session, first) is None
        assert accounts.find_invitation(session, second) is not None
    user_of(app, "ada", Role.ADMIN)
    with service.database.write() as session:
        assert accounts.first_invitation(session) is None


def test_changing_the_password_ends_other_sessions(app: Any, learner: Browser) -> None:
    other = Browser(app)
    other.get("/sign-in")
    other.post("/sign-in", {"name": "lea", "password": PASSWORD})
    assert other.get("/profile").status_code == 200
    learner.get("/profile")
    form = {"old": PASSWORD, "password": "quite another one", "again": "quite another one"}
    assert "old password is wrong" in learner.post("/profile/password", {**form, "old": "x"}).text
    assert learner.post("/profile/password", form).status_code == 303
    assert learner.get("/profile").status_code == 200
    assert other.get("/profile").status_code == 302


def test_reset_link(app: Any, learner: Browser) -> None:
    ines = user_of(app, "ines", Role.INSTRUCTOR)
    assert ines.post("/manage/users/1/reset").status_code == 404  # teaches nobody
    ada = user_of(app, "ada", Role.ADMIN)
    page = ada.post("/manage/users/1/reset").text
    link = re.search(r"/reset/[\w-]+", page)
    assert link is not None
    assert link[0] not in ada.get("/manage").text
    visitor = Browser(app)
    assert "lea" in visitor.get(link[0]).text
    assert visitor.post(link[0], {"password": "short", "again": "short"}).status_code == 422
    assert (
        visitor.post(link[0], {"password": "a new password", "again": "a new password"}).status_code
        == 303
    )
    assert visitor.get("/profile").status_code == 200
    assert learner.get("/profile").status_code == 302
    assert Browser(app).get(link[0]).status_code == 404  # used
    with learner.service.database.write() as session:
        code = password_resets.make(session, session.get_one(User, 1), None)
        session.flush()
        session.execute(update(PasswordReset).values(expires_at=now() - timedelta(seconds=1)))
    assert Browser(app).get(f"/reset/{code}").status_code == 404


ROLES = [
    # path, method, fields, what learner, instructor and admin get
    ("/manage", "get", {}, (403, 200, 200)),
    ("/manage/invitations", "post", {"role": "learner"}, (403, 200, 200)),
    ("/manage/invitations", "post", {"role": "admin"}, (403, 403, 200)),
    ("/manage/invitations", "post", {"role": "emperor"}, (403, 403, 403)),
    ("/manage/users/1/reset", "post", {}, (403, 404, 200)),
    ("/manage/users/2/reset", "post", {}, (403, 404, 200)),
    ("/manage/users/99/reset", "post", {}, (403, 404, 404)),
    (
        "/manage/users/1/role",
        "post",
        {"role": "instructor", "active": "yes", "reason": "teaches"},
        (403, 403, 303),
    ),
    (
        "/manage/users/1/role",
        "post",
        {"role": "instructor", "active": "yes", "reason": " "},
        (403, 403, 422),
    ),
    ("/manage/users/1/role", "post", {"role": "emperor"}, (403, 403, 422)),
    ("/manage/submissions/1/judge-again", "post", {}, (403, 403, 404)),
    ("/progress", "get", {}, (200, 200, 200)),
    ("/profile", "get", {}, (200, 200, 200)),
]


@pytest.mark.parametrize(("path", "method", "fields", "codes"), ROLES)
def test_roles(
    app: Any, path: str, method: str, fields: dict[str, str], codes: tuple[int, ...]
) -> None:
    people = [
        user_of(app, name, role)
        for name, role in (("lea", Role.LEARNER), ("ines", Role.INSTRUCTOR), ("ada", Role.ADMIN))
    ]
    visitor = Browser(app)
    visitor.get("/sign-in")
    asked = [
        person.get(path) if method == "get" else person.post(path, fields) for person in people
    ]
    assert tuple(answer.status_code for answer in asked) == codes
    assert (visitor.get(path) if method == "get" else visitor.post(path, fields)).status_code == 302


def test_the_last_admin_stays(app: Any) -> None:
    ada = user_of(app, "ada", Role.ADMIN)
    assert (
        ada.post(
            "/manage/users/1/role", {"role": "learner", "active": "yes", "reason": "x"}
        ).status_code
        == 422
    )
    assert (
        ada.post(
            "/manage/users/1/role", {"role": "admin", "active": "no", "reason": "x"}
        ).status_code
        == 422
    )


def test_a_closed_account_is_out_at_once(app: Any, learner: Browser) -> None:
    headers = {"Authorization": "Bearer x"}
    with learner.service.database.write() as session:
        headers = {
            "Authorization": f"Bearer {accounts.make_token(session, session.get_one(User, 1), 't')}"
        }
    assert app.test_client().get("/api/v1/me", headers=headers).status_code == 200
    ada = user_of(app, "ada", Role.ADMIN)
    assert (
        ada.post(
            "/manage/users/1/role", {"role": "learner", "active": "no", "reason": "has left"}
        ).status_code
        == 303
    )
    assert learner.get("/profile").status_code == 302
    assert app.test_client().get("/api/v1/me", headers=headers).status_code == 401
    learner.get("/sign-in")
    assert learner.post("/sign-in", {"name": "lea", "password": PASSWORD}).status_code == 401


def test_token_is_shown_once_stored_hashed_and_revoked(app: Any, learner: Browser) -> None:
    learner.get("/profile")
    page = learner.post("/profile/tokens", {"name": "laptop"}).text
    found = re.search(r"aj_[\w-]{40,}", page)
    assert found is not None
    token = found[0]
    assert token not in learner.get("/profile").text
    headers = {"Authorization": f"Bearer {token}"}
    program = app.test_client()
    assert program.get("/api/v1/me", headers=headers).json["name"] == "lea"
    with learner.service.database.read() as session:
        database = "\n".join(
            str(tuple(r)) for r in session.connection().exec_driver_sql("SELECT * FROM tokens")
        )
    assert token not in database
    assert learner.post("/profile/tokens/1/revoke").status_code == 303
    assert program.get("/api/v1/me", headers=headers).status_code == 401
    assert user_of(app, "otto", Role.LEARNER).post("/profile/tokens/1/revoke").status_code == 404


def test_moments_of_any_age_stand_after_a_colon(learner: Browser) -> None:
    """The script says "now", "2 minutes ago" or a date: none of them fits after "on" or "since"."""
    learner.get("/profile")
    learner.post("/profile/tokens", {"name": "laptop"})
    page = learner.get("/profile").text
    assert re.search(r"<span>joined: <time", page)
    assert re.search(r'<span class="soft">made: <time', page)
    learner.get("/language/zh")
    page = learner.get("/profile").text
    assert ("注册时间：<time" in page, "创建时间：<time" in page) == (True, True)


def test_the_audit_log_says_roles_and_what_was_not_there(app: Any) -> None:
    ada = user_of(app, "ada", Role.ADMIN)
    ada.get("/manage")
    ada.post("/manage/invitations", {"role": Role.INSTRUCTOR, "note": "Ines"})
    with ada.service.database.write() as session:
        note(session, None, "extension", "lea, Week 1", was=None, due="2099-03-01")
    page = ada.get("/manage/audit").text
    assert ("before none, due 2099-03-01" in page, "<td>Instructor</td>" in page) == (True, True)
    ada.get("/language/zh")
    page = ada.get("/manage/audit").text
    assert ("原为 没有" in page, "扣分前" in page) == (True, False)
    assert re.search(r"<td>[^<a-z]+</td><td>Ines</td>", page)


def test_a_token_is_for_the_api_only(app: Any) -> None:
    headers = token_of(app, "prog")
    program = app.test_client()
    assert program.get("/profile", headers=headers).status_code == 302
    assert (
        program.post(
            f"/problems/{SLUG}/submit", data={"framework": "numpy", "source": GOOD}, headers=headers
        ).status_code
        == 400
    )
    for value in ("Bearer", "Bearer ", "Basic abc", "Bearer nope", "Bearer aj_" + "x" * 43):
        assert program.get("/api/v1/me", headers={"Authorization": value}).status_code == 401


def test_session_cookie_is_strict(make_app: MakeApp) -> None:
    for https in (False, True):
        found = Browser(make_app(https=https)).get("/sign-up").headers["Set-Cookie"]
        assert found.startswith("judge_session=")
        assert "HttpOnly" in found
        assert "SameSite=Strict" in found
        assert ("Secure" in found) is https


def test_too_many_sign_ins(make_app: MakeApp) -> None:
    browser = Browser(make_app(sign_in_limit="3/minute"))
    browser.get("/sign-in")
    codes = [
        browser.post("/sign-in", {"name": "lea", "password": "wrong"}).status_code for _ in range(4)
    ]
    assert codes == [401, 401, 401, 429]
    assert browser.get("/sign-in").status_code == 200


def test_too_many_sign_ups(make_app: MakeApp) -> None:
    browser = Browser(make_app(sign_up_limit="1/hour"))
    browser.get("/sign-up")
    answers = [browser.post("/sign-up", {"name": "x"}) for _ in range(2)]
    assert [a.status_code for a in answers] == [422, 429]
    assert 0 < int(answers[1].headers["Retry-After"]) <= 3600


def test_display_name_is_a_choice(app: Any, learner: Browser) -> None:
    learner.judged(GOOD)
    assert "Nobody is here yet." in learner.get("/leaderboard").text
    assert "Nobody is here yet." in learner.get(f"/problems/{SLUG}/leaderboard").text
    learner.post("/profile/display-name", {"display_name": "  <b>Lea</b>  the  great "})
    for path in ("/leaderboard", f"/problems/{SLUG}/leaderboard"):
        assert "&lt;b&gt;Lea&lt;/b&gt; the great" in Browser(app).get(path).text
    assert learner.post("/profile/display-name", {"display_name": "x" * 41}).status_code == 422
    learner.post("/profile/display-name", {"display_name": " "})
    assert "Nobody is here yet." in learner.get("/leaderboard").text


def test_command_line(app: Any, tmp_path: Any) -> None:
    run = app.test_cli_runner().invoke
    password = run(args=["users", "add", "otto", "--role", "instructor"]).output.strip()
    browser = Browser(app)
    browser.get("/sign-in")
    assert browser.post("/sign-in", {"name": "otto", "password": password}).status_code == 303
    token = run(args=["users", "add", "prog", "--role", "learner", "--token"]).output.strip()
    assert (
        app.test_client()
        .get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
        .json["name"]
        == "prog"
    )
    again = run(args=["users", "add", "Otto"])
    assert (again.exit_code, "is taken" in again.output) == (1, True)
    code = run(args=["users", "invite"]).output.strip()
    with app.extensions[NAME].database.read() as session:
        assert accounts.find_invitation(session, code) is not None
    assert Browser(app).get(run(args=["users", "reset", "otto"]).output.strip()).status_code == 200
    assert run(args=["users", "reset", "nobody"]).exit_code == 1
    for words, output in (
        (["otto", "--role", "admin"], "otto: admin, open"),
        (["otto", "--role", "learner"], "Error: This is the last admin; make another one first."),
        (["otto", "--close"], "Error: This is the last admin; make another one first."),
        (["prog", "--close"], "prog: learner, closed"),
        (["prog", "--open", "--role", "admin"], "prog: admin, open"),
        (["otto", "--close"], "otto: admin, closed"),
        (["nobody", "--close"], "Error: there is no account 'nobody'"),
    ):
        done = run(args=["users", "change", *words, "--reason", "of a test"])
        assert (done.output.strip(), done.exit_code) == (output, output.startswith("Error"))
    assert "`users change otto --open`" in run(args=["users", "reset", "otto"]).output
    said = run(args=["users", "change", "otto", "--reason", "x"])
    assert (said.exit_code, "--role, --close or --open" in said.output) == (2, True)
    blank = run(args=["users", "change", "otto", "--open", "--reason", " "])
    assert (blank.exit_code, "Say why" in blank.output) == (1, True)
    half = run(args=["users", "change", "otto", "--open", "--reason", "half \udcff"])
    assert (half.exit_code, "half a character" in half.output) == (1, True)
    assert run(args=["bank", "sync"]).output.strip() == "2 problems."
    assert "revision" in run(args=["db", "upgrade"]).output
    assert run(args=["db", "check"]).exit_code == 0


def test_no_password_is_hashed_while_the_database_is_locked(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hashing takes a tenth of a second: twenty who sign up at once must not stop every other write
    for two seconds.
    """
    app = make_app(busy_timeout=0.5, work=False)
    service = app.extensions[NAME]
    real = accounts.hasher.hash

    def watched(password: str) -> str:
        with service.database.write() as session:
            session.execute(text("SELECT 1"))  # "database is locked" while another write is open
            return str(real(password))

    monkeypatch.setattr(
        accounts,
        "hasher",
        type("Watched", (), {"hash": staticmethod(watched), "verify": accounts.hasher.verify}),
    )
    learner = Browser(app).sign_up("lea")
    learner.get("/profile")
    form = {"old": PASSWORD, "password": "quite another one", "again": "quite another one"}
    assert learner.post("/profile/password", form).status_code == 303
    with service.database.write() as session:
        code = password_resets.make(session, session.get_one(User, 1), None)
    visitor = Browser(app)
    visitor.get(f"/reset/{code}")
    assert (
        visitor.post(
            f"/reset/{code}", {"password": "a third password", "again": "a third password"}
        ).status_code
        == 303
    )


def test_two_passwords_are_hashed_at_once_and_no_more(
    app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes 64 MiB, and nobody needs an account to ask for it."""
    now_hashing, most, lock = [0], [0], threading.Lock()

    class Slow:
        def verify(self, *_: Any) -> bool:
            with lock:
                now_hashing[0] += 1
                most[0] = max(most[0], now_hashing[0])
            time.sleep(0.05)
            with lock:
                now_hashing[0] -= 1
            return False

    monkeypatch.setattr(accounts, "hasher", Slow())
    visitors = [Browser(app) for _ in range(8)]
    for visitor in visitors:
        visitor.get("/sign-in")
    threads = [
        threading.Thread(target=v.post, args=("/sign-in", {"name": "nobody", "password": "x" * 9}))
        for v in visitors
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most[0] == 2


def test_an_admin_sees_in_one_line_how_the_judge_does(make_app: MakeApp) -> None:
    app = make_app(work=False)
    ada, ines = user_of(app, "ada", Role.ADMIN), user_of(app, "ines", Role.INSTRUCTOR)
    about = {"user_id": 1, "problem": SLUG, "framework": "numpy", "source": "x", "round": 0}
    failed = {"state": State.DONE, "outcome": "judge_error", "judged_at": now()}
    with ada.service.database.write() as session:
        session.add_all([Submission(**about), Submission(**about, **failed)])
        session.add(Submission(**about, **{**failed, "judged_at": now() - timedelta(days=2)}))
        session.add_all(
            [WorkerSeen(owner="a", room="ready"), WorkerSeen(owner="b", room="opening")]
        )
        silent = now() - timedelta(minutes=1)
        session.add(WorkerSeen(owner="c", room="ready", seen_at=silent))
    line = " ".join(re.findall(r'class="health">(.*?)</p>', ada.get("/manage").text)[0].split())
    assert line.startswith("1 submission waits (the first for 0 s) · 1 of 2 rooms ready · ")
    assert re.search(r"[\d.]+ [MGT]B of [\d.]+ [MGT]B on the disk are free", line)
    assert "1 failure of the judge within a day (the last: " in line
    assert 'class="health"' not in ines.get("/manage").text


def test_what_only_admins_do_stands_under_manage(app: Any) -> None:
    ada, ines = user_of(app, "ada", Role.ADMIN), user_of(app, "ines", Role.INSTRUCTOR)
    assert "/manage/audit" not in ada.get("/teach").text
    for path in ("/manage", "/manage/audit", "/manage/platforms"):
        page = ada.get(path).text
        assert 'href="/manage/audit"' in page
        assert page.count('aria-current="page"') == 2  # in the site's navigation, and in this one
    assert "/manage/audit" not in ines.get("/manage").text
