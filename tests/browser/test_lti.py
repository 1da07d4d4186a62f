"""A launch from another site, as a browser does it: into a new tab and signed in; never into a
frame. The platform is `localhost`, another site than 127.0.0.1 to a browser, so cookies behave as
between two real sites.
"""

import json
import os
import re
import urllib.request
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.site import PATIENCE_MS, RIGHT, SLUG, Site, write
from tests.server.lti.platform import CLIENT, DEPLOYMENT, Platform, key, running

NAMES = count(1)


def test_an_admin_registers_a_platform(
    open_page: Callable[..., Page], site: Site, console: Console
) -> None:
    """What the page gives to be copied is what the platform needs; what is written into the form
    lets its people in.
    """
    admin, teacher = open_page(), open_page()
    operator, name = f"operator-{os.getpid()}-{next(NAMES)}", f"College {os.getpid()} {next(NAMES)}"
    site.begin_session(admin.context, operator, "admin")
    admin.goto(site.url)
    admin.get_by_role("link", name="Manage").click()
    admin.get_by_role("link", name="Learning platforms").click()
    expect(admin.locator("[data-copy]")).to_have_text(
        [f"{site.url}/lti/{path}" for path in ("login", "launch", "keys")]
    )
    expect(admin.get_by_role("button", name="Copy")).to_have_count(3)
    with running(key(), "localhost") as platform:
        for label, text in {
            "Name": name,
            "Issuer": platform.issuer,
            "Client id": CLIENT,
            "Deployment ids": DEPLOYMENT,
            "Authentication address": "http://elsewhere.example/auth",
            "Token address": platform.address("/token"),
            "Its public keys": platform.address("/jwks"),
        }.items():
            admin.locator("label", has_text=re.compile(f"^{label}")).get_by_role("textbox").fill(
                text
            )
        admin.get_by_role("button", name="Register").click()
        expect(admin.get_by_role("alert")).to_contain_text("is not a valid https address")
        console.forgive("422")
        # the rest is still there
        admin.get_by_label("Authentication address").fill(platform.address("/auth"))
        admin.get_by_role("button", name="Register").click()
        expect(admin.get_by_text(f"{name} is registered.")).to_be_visible()
        platform.tool_keys = _keys(site)
        tab = launch(
            teacher, site, platform, sub="t1", name=f"Tim {next(NAMES)}", role="Instructor"
        )
        expect(tab.get_by_role("button", name="Sign out")).to_be_visible()
        admin.get_by_label(f"Why {name} is let in no longer").fill("a test")
        admin.get_by_role("button", name=f"Revoke {name}").click()
        expect(admin.get_by_text(f"{name} is removed.")).to_be_visible()
        expect(admin.get_by_role("row", name=name)).to_have_count(0)


@pytest.fixture
def campus(site: Site) -> Iterator[Platform]:
    """A platform that the site knows."""
    with running(key(), "localhost") as platform:
        site.command("lti", "add", f"Campus {os.getpid()} {next(NAMES)}", *platform.registration())
        platform.tool_keys = _keys(site)
        yield platform


def _keys(site: Site) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{site.url}/lti/keys", timeout=10) as answer:
        return list(json.load(answer)["keys"])


def course_page(site: Site, platform: Platform, markup: str, **person: Any) -> None:
    """What the platform shows, and who is signed in there."""
    asked = {
        "iss": platform.issuer,
        "login_hint": "h",
        "client_id": CLIENT,
        "target_link_uri": f"{site.url}/lti/launch",
    }
    platform.person = person | {
        "page": markup.format(f"{site.url}/lti/login?{urlencode(asked)}".replace("&", "&amp;"))
    }


def launch(page: Page, site: Site, platform: Platform, **person: Any) -> Page:
    """Click the link of the course; the tab that opens, behind the platform's own sign-in."""
    course_page(
        site, platform, '<a target="_blank" rel="noopener" href="{}">Attention</a>', **person
    )
    page.goto(platform.address("/course"))
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Attention").click()
    opened.value.get_by_role("button", name="Open").click()
    return opened.value


def test_from_a_course_there_to_a_score_there(
    open_page: Callable[..., Page], site: Site, campus: Platform
) -> None:
    teacher, learner = open_page(), open_page()
    tab = launch(
        teacher, site, campus, sub="t1", name=f"Tilda {next(NAMES)}", role="Instructor", deep=True
    )
    expect(tab.get_by_role("heading", name="What should the link open?")).to_be_visible()
    tab.get_by_label("Assignment or problem").select_option(value=f"problem:{SLUG}")
    tab.get_by_role("button", name="Choose").click()
    tab.get_by_role("button", name="Back to Campus").click()
    expect(tab.get_by_text("the link is made")).to_be_visible()
    (item,) = campus.returned[0]["https://purl.imsglobal.org/spec/lti-dl/claim/content_items"]

    tab = launch(learner, site, campus, sub="u1", name=f"Lea {next(NAMES)}", **item["custom"])
    expect(tab.get_by_role("button", name="Sign out")).to_be_visible()
    expect(tab).to_have_url(f"{site.url}/problems/{SLUG}")
    tab.goto(f"{site.url}/problems/{SLUG}?framework=torch")
    write(tab, RIGHT)
    tab.get_by_role("button", name="Submit").click()
    expect(tab.locator(".verdict")).to_contain_text("Accepted", timeout=PATIENCE_MS)
    for _ in range(600):
        if campus.scores:
            break
        learner.wait_for_timeout(100)
    assert [
        (score["userId"], score["scoreGiven"], score["scoreMaximum"]) for score in campus.scores
    ] == [("u1", 10.0, 10.0)]


def test_not_into_a_frame(
    open_page: Callable[..., Page], site: Site, campus: Platform, console: Console
) -> None:
    page = open_page()
    course_page(
        site,
        campus,
        '<iframe name="tool" src="{}"></iframe>',
        sub="t2",
        name=f"Theo {next(NAMES)}",
        role="Instructor",
    )
    page.goto(campus.address("/course"))
    page.frame_locator("iframe").get_by_role("button", name="Open").click()
    expect(page.frame_locator("iframe").get_by_role("button", name="Open")).to_have_count(0)
    (_, framed) = page.frames
    assert framed.url.startswith("chrome-error:")
    console.forgive("frame-ancestors")
    # and without HTTPS the cookie of the launch is not sent from a frame either
    console.forgive("403")


@pytest.mark.parametrize("width", [1280, 360])
def test_the_roster_is_read_from_the_platform(
    open_page: Callable[..., Page], site: Site, campus: Platform, width: int
) -> None:
    """A preview that fits a phone, in which whoever is left out is named; then it is stored."""
    person = {"user_id": "u1", "roles": ["Learner"], "name": "Ada Lovelace", "email": "ada@x.org"}
    long = {"name": "Grace Brewster Murray Hopper", "email": "grace.brewster@navy.example.org"}
    campus.members = [
        person,
        person | long | {"user_id": "u2"},
        {"user_id": "u3", "roles": ["Learner"], "name": "Emmy Noether"},
        {"user_id": "u4", "roles": ["Instructor"], "name": "Tim"},
    ]
    teacher = launch(open_page(), site, campus, sub="t1", name="Tim", role="Instructor")
    teacher.set_viewport_size({"width": width, "height": 900})
    expect(teacher).to_have_url(re.compile(r"/teach/courses/\d+$"))
    teacher.goto(f"{teacher.url}/roster")
    teacher.get_by_role("button", name=re.compile("^Read the list of Campus")).click()
    expect(teacher.get_by_role("alert")).to_have_text("Emmy Noether has no e-mail address there.")
    expect(teacher.get_by_text("1 person is left out: no learner there.")).to_be_visible()
    assert teacher.evaluate("document.documentElement.scrollWidth") <= width
    teacher.get_by_role("button", name="Import the list").click()
    expect(teacher.get_by_text("Saved.")).to_be_visible()
    expect(teacher.get_by_role("rowheader")).to_have_text(["Ada Lovelace", str(long["name"])])
