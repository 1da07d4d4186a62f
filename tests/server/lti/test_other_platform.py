"""A platform that others have written, from the launch to the score and the list of people: both ends
of LTI 1.3 are not by the same hands.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from server.services.courses import roster
from tests.server.conftest import GOOD, SLUG, Browser
from tests.server.lti.other_platform import LAUNCH, Launch, OtherPlatform, running
from tests.server.lti.test_lti import finish, target
from tests.server.lti.test_lti_grades import until

ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"


@pytest.fixture
def platform(app: Any) -> Iterator[OtherPlatform]:
    with running() as found:
        done = app.test_cli_runner().invoke(args=["lti", "add", "College", *found.words()])
        assert done.exit_code == 0, done.output
        found.registration.set_tool_key_set(Browser(app).get("/lti/keys").json)
        yield found


def asked(browser: Browser, platform: OtherPlatform, person: str) -> Launch:
    """The first step: the browser is sent here and back."""
    parts = urlsplit(platform.login(person))
    answer = browser.client.get(f"{parts.path}?{parts.query}")
    assert answer.status_code == 302, answer.text
    return platform.launch(dict(parse_qsl(urlsplit(answer.location).query)))


def sent(browser: Browser, launch: Launch) -> Any:
    """The second step."""
    form = launch.lti_launch()
    assert form["launch_url"] == LAUNCH
    return finish(browser, form["state"], form["id_token"])


def test_launch_choice_score_and_list(app: Any, platform: OtherPlatform) -> None:
    teacher, learner = Browser(app), Browser(app)
    launch = asked(teacher, platform, "t1")
    launch.set_user_data("t1", [ROLE + "Instructor"], "Tilda Teacher")
    launch.set_dl(f"{platform.issuer}/return", extra_data="kept")  # type: ignore[arg-type]
    page = sent(teacher, launch)
    assert page.status_code == 200, page.text
    fields = dict(re.findall(r'name="(pick|csrf_token)" value="([^"]+)"', page.text))
    chosen = teacher.client.post("/lti/pick", data=fields | {"what": f"problem:{SLUG}"})
    (token,) = re.findall(r'name="JWT" value="([^"]+)"', chosen.text)
    (item,) = platform.tool.validate_deeplinking_resp({"JWT": token})
    assert item["type"] == "ltiResourceLink"

    launch = asked(learner, platform, "u1")
    launch.set_user_data("u1", [ROLE + "Learner"], "Lea Learner", "lea@x.org")
    launch.set_custom_parameters_claim(item["custom"])
    assert target(sent(learner, launch)) == f"/problems/{SLUG}"
    learner.get("/")
    learner.judged(GOOD)
    until(lambda: platform.scores)
    score = platform.scores[0]
    assert (score["userId"], score["scoreGiven"], score["scoreMaximum"]) == ("u1", 10.0, 10.0)

    platform.people = [
        {"user_id": f"u{i}", "roles": [ROLE + "Learner"], "name": f"P{i}", "email": f"p{i}@x.org"}
        for i in range(1, 6)
    ]
    path = "/teach/courses/1/roster"
    (button,) = re.findall(r'action="([^"]+/platform/\d+)"', teacher.get(path).text)
    (signed,) = re.findall(r'name="list" value="([^"]+)"', teacher.post(button, {}).text)
    assert teacher.post(f"{path}/platform", {"list": signed}).status_code == 303
    with teacher.service.database.read() as session:
        names = [(e.name, e.user.name if e.user else "") for e in roster.entries(session, 1)]
    assert names == [("P1", "Lea.Learner"), ("P2", ""), ("P3", ""), ("P4", ""), ("P5", "")]
