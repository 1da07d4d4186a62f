"""Each page and endpoint × each role: who is let in, who is told 403, who is sent to sign in.

A new endpoint fails until it is listed.
"""

from typing import Any

import pytest

from server.models.accounts import Role
from tests.server.conftest import Browser, user_of

VISITOR, LEARNER, INSTRUCTOR, ADMIN = range(4)

TABLE: dict[int, str] = {  # the least role that is let in
    VISITOR: (
        """
        static openapi.spec reference.reference
        start.show start.run start.live lessons.words lessons.home lessons.show questions.show questions.answer
        learn.bank learn.problem learn.problem_leaderboard learn.leaderboard
        auth.sign_in auth.sign_up auth.reset auth.sign_out texts.choose theme.choose
        health.alive health.ready health.metrics
        api.problems api.problem
        lti.login lti.launch lti.keys
        model.certificate
    """
    ),
    LEARNER: (
        """
        model.home model.write model.certify model.show model.live model.withdraw
        lessons.read today.show learn.progress learn.solution learn.give_up
        submit.send submit.cancel submit.ask_again submit.show submit.live submit.history submit.compare hints.ask
        explorations.own_input explorations.begin explorations.show explorations.live explored.explore explored.exploration
        practice.home practice.begin practice.step practice.show practice.answer
        profile.show profile.display_name profile.password profile.make_token profile.revoke_token profile.dismiss
        api.submit api.cancel api.submission api.submissions api.account
        study.home study.join study.start study.show
    """
    ),
    INSTRUCTOR: (
        """
        manage.show manage.invite manage.reset documents.show
        draft_list.home draft_list.begin draft_list.upload drafts.show drafts.save drafts.remove drafts.discard drafts.export drafts.preview
        drafts.verify drafts.live drafts.publish drafts.schedule
        versions.show versions.compare versions.export versions.edit versions.roll_back versions.audience
        rejudges.choose rejudges.begin rejudges.show rejudges.live rejudges.apply rejudges.discard
        courses.home courses.create courses.create_from courses.show courses.settings courses.remove roster.show roster.send roster.remove memberships.ask memberships.store assignments.create assignments.change assignments.show
        comments.add assignments.live assignments.learner assignments.override assignments.extend assignments.submission assignments.discard
        histogram.assignment histogram.course histogram.problem
        gradebook.export gradebook.export_course similar.show lti.pick lti.again
        publish.courses publish.send publish.run publish.publish publish.schedule groups.propose groups.promote
    """
    ),
    ADMIN: (
        """
        manage.change_role manage.give_back manage.judge_again audit.show histogram.submission
        platforms.show platforms.add platforms.deploy platforms.remove
    """
    ),
}
LEAST = {endpoint: role for role, names in TABLE.items() for endpoint in names.split()}
# ids are 9: nobody has it
VALUES = {"slug": "no_such_problem", "code": "en", "form": "csv", "filename": "dist/nothing.css"}


def endpoints(app: Any) -> list[tuple[str, str, str]]:
    """(endpoint, method, path) of the application; signing out comes last."""
    found = []
    for rule in app.url_map.iter_rules():
        with app.test_request_context():
            from flask import url_for

            path = url_for(rule.endpoint, **{name: VALUES.get(name, 9) for name in rule.arguments})
        found += [
            (rule.endpoint, method, path) for method in sorted(rule.methods - {"HEAD", "OPTIONS"})
        ]
    return sorted(found, key=lambda row: (row[0] == "auth.sign_out", row))


def test_the_table_is_whole(app: Any) -> None:
    assert {endpoint for endpoint, _, _ in endpoints(app)} - set(LEAST) == set()


# a platform sends these forms: tests/server/lti/test_lti.py has who is let in
FROM_ELSEWHERE = {"/lti/login", "/lti/launch"}


def seen(browser: Browser, method: str, path: str) -> str:
    """in, 403, sign in."""
    if method == "POST" and path.startswith("/api/"):  # which takes no forms
        answer = browser.client.post(path, json={}, headers={"X-CSRFToken": browser.csrf})
    else:
        answer = browser.get(path) if method == "GET" else browser.post(path)
    if (answer.status_code == 401 and "/sign-in" not in path) or (
        answer.status_code == 302 and "/sign-in" in answer.location
    ):
        return "sign in"
    assert answer.status_code < 500 or answer.status_code == 503, (
        f"{method} {path}: {answer.status_code}"
    )
    return "403" if answer.status_code == 403 and path not in FROM_ELSEWHERE else "in"


@pytest.mark.parametrize(
    "role", [VISITOR, LEARNER, INSTRUCTOR, ADMIN], ids=["visitor", "learner", "instructor", "admin"]
)
def test_roles(app: Any, role: int) -> None:
    browser = Browser(app) if role == VISITOR else user_of(app, "somebody", list(Role)[role - 1])
    browser.get("/sign-in" if role == VISITOR else "/")
    found = {
        f"{method} {endpoint}": seen(browser, method, path)
        for endpoint, method, path in endpoints(app)
    }
    expected = {
        f"{method} {endpoint}": (
            "in" if role >= LEAST[endpoint] else "sign in" if role == VISITOR else "403"
        )
        for endpoint, method, _ in endpoints(app)
    }
    assert found == expected


def test_a_forged_form_does_nothing(app: Any) -> None:
    browser = user_of(app, "terry", Role.INSTRUCTOR)
    posts = [
        path
        for endpoint, method, path in endpoints(app)
        if method == "POST" and not path.startswith("/api/") and path not in FROM_ELSEWHERE
    ]
    assert {
        browser.client.post(path, data={"csrf_token": "forged"}).status_code for path in posts
    } == {400}
