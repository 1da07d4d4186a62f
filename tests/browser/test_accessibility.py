"""Every role's pages at two widths, by day and by night, with everything opened: axe-core finds
nothing, not even a small target, and no page goes on below its footer. The judge is a fake, so that this needs no room.
"""

import re
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import update
from werkzeug.serving import make_server

from server.models.base import now
from server.models.courses import Assignment, Start
from server.models.submissions import Submission
from tests.attacks.web_routes import site as fake_site
from tests.browser.test_every_page import OF_COLOURS, TOLD
from tests.server.world import World

PAGES = {
    "visitor": """
        / /sign-in /sign-up /leaderboard /problems/{slug} /api /certificates/{token}
    """,
    "lea": """
        / /problems/{slug} /submissions/{submission_id} /problems/{slug}/submissions /progress
        /problems/{slug}/compare?a={submission_id}&b={second_id} /problems/{slug}/solution
        /problems/{slug}/leaderboard /explorations/{exploration_id} /profile
        /model /model/runs/{model_run_id}?layer=2
        /courses /courses/{course_id}
    """,
    "tess": """
        /courses /teach /teach/courses/{course_id} /teach/courses/{course_id}/mistakes
        /teach/courses/{course_id}/roster
        /teach/assignments/{assignment_id}/submissions/{submission_id}
        /teach/assignments/{assignment_id} /teach/assignments/{assignment_id}/learners/{lea_id}
        /teach/assignments/{assignment_id}/mistakes/{slug} /teach/drafts/{draft_id}
        /teach/problems/published_by_tess /teach/problems/published_by_tess/compare?a=1&b=2
        /teach/rejudges/{rejudge_id} /manage
    """,
    "ada": "/courses /manage /manage/audit /manage/platforms",
}
CASES = [(person, path) for person, paths in PAGES.items() for path in paths.split()]
OPEN_ALL = "for (const part of document.querySelectorAll('details')) part.open = true"
RUN = "axe.run(document, %s).then(found => found.violations)"
ALL = f"{{{TOLD}, rules: {{'target-size': {{enabled: true}}}}}}"
BELOW_THE_FOOTER = """document.documentElement.scrollHeight - scrollY
    - document.querySelector(".site-footer").getBoundingClientRect().bottom"""
WIDTHS = (360, 1280)


@pytest.fixture(scope="module")
def world() -> Iterator[tuple[World, str]]:
    """Two classes and an admin, and where they are served."""
    with fake_site() as found:
        server = make_server("127.0.0.1", 0, found.app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    opened = chromium.new_context(reduced_motion="reduce")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def reader(chromium: Browser) -> Iterator[BrowserContext]:
    """One tab for pages that are only looked at: no renderer is started for each."""
    opened = chromium.new_context(reduced_motion="reduce")
    yield opened
    opened.close()


def visit(world: tuple[World, str], context: BrowserContext, person: str, path: str) -> Page:
    """A page as somebody sees it."""
    found, url = world
    cookie = found.identities[person].cookie
    context.add_cookies([{"name": "judge_session", "value": cookie, "url": url}])
    page = context.pages[0] if context.pages else context.new_page()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme="light")
    answer = page.goto(url + path.format(**found.objects))
    assert answer is not None
    assert answer.status == 200
    return page


@pytest.mark.parametrize(("person", "path"), CASES)
def test_axe_finds_nothing(
    world: tuple[World, str], reader: BrowserContext, axe: str, person: str, path: str
) -> None:
    page = visit(world, reader, person, path)
    page.evaluate(OPEN_ALL)
    page.evaluate(axe)
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for scheme, rules in (("light", ALL), ("dark", OF_COLOURS)):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for fault in page.evaluate(RUN % rules):
                found[fault["id"], width, scheme] = [n["html"][:160] for n in fault["nodes"]]
    assert found == {}
    page.set_viewport_size({"width": WIDTHS[0], "height": 800})
    assert page.evaluate(BELOW_THE_FOOTER) < 2


def test_long_lines_of_code_scroll_in_a_box_that_the_keyboard_reaches(
    world: tuple[World, str], context: BrowserContext, axe: str
) -> None:
    found, _ = world
    with found.service.database.write() as session:
        session.execute(update(Submission).values(source="x = " + "1 + " * 80 + "1\n"))
    path = "/teach/assignments/{assignment_id}/submissions/{submission_id}"
    page = visit(world, context, "tess", path)
    page.set_viewport_size({"width": WIDTHS[0], "height": 800})
    page.evaluate(axe)
    assert page.evaluate(RUN % "{runOnly: ['scrollable-region-focusable']}") == []
    box = page.locator(".scroll:has(> .code)")
    assert box.evaluate("box => box.scrollWidth > 2 * box.clientWidth")
    found.restore()


def test_links_of_a_list_are_large_enough_for_a_finger(
    world: tuple[World, str], context: BrowserContext
) -> None:
    page = visit(world, context, "tess", "/teach")
    page.evaluate(OPEN_ALL)
    row = page.locator(".shipped li").first.bounding_box()
    assert row is not None
    assert row["height"] >= 24


@pytest.mark.parametrize("width", WIDTHS)
def test_the_keyboard_reaches_the_editor_at_once(
    world: tuple[World, str], context: BrowserContext, width: int
) -> None:
    page = visit(world, context, "lea", "/problems/{slug}")
    page.locator(".cm-content").wait_for()
    page.set_viewport_size({"width": width, "height": 800})
    for key in ("Tab", "Tab", "Enter", "Tab"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.closest('#bench') !== null")


def test_typing_over_a_selection_keeps_to_the_policy(
    world: tuple[World, str], context: BrowserContext
) -> None:
    complaints: list[str] = []
    page = visit(world, context, "lea", "/problems/{slug}")
    page.on("console", lambda message: complaints.append(message.text))
    editor = page.locator(".cm-content")
    editor.click()
    for text in ("x", " = 12", "("):
        if text != " = 12":
            page.keyboard.press("Control+a")
        page.keyboard.type(text)
    assert (editor.inner_text(), complaints) == ("(x = 12)", [])


def test_the_last_attempt_is_asked_for(world: tuple[World, str], context: BrowserContext) -> None:
    """Refused at first, then sent."""
    found, _ = world
    with found.service.database.write() as session:
        session.execute(update(Assignment).values(attempts=4))
    page, asked = visit(world, context, "lea", "/problems/{slug}"), list[str]()
    answers = iter((False, True))
    page.on(
        "dialog",
        lambda dialog: (
            asked.append(dialog.message),
            dialog.accept() if next(answers) else dialog.dismiss(),
        ),
    )
    page.locator("[data-action=submit]").click()
    expect(page.locator(".send-error")).to_contain_text("the attempt is still yours")
    expect(page.locator("[data-assigned]")).to_contain_text("one left")
    page.locator("[data-action=submit]").click()
    expect(page.locator("[data-assigned]")).to_contain_text("none left")
    assert len(asked) == 2
    assert asked[0].startswith("This is your last attempt that counts for 'Week 1 of tess'.")
    found.restore()


def test_the_start_of_a_time_limit_and_its_clock(
    world: tuple[World, str], context: BrowserContext, axe: str
) -> None:
    """The start page has no faults; then the clock counts down from what the server said."""
    found, _ = world
    path = "/problems/{slug}"
    with found.service.database.write() as session:
        session.execute(update(Assignment).values(minutes=60, late="cutoff", attempts=None))
    page = visit(world, context, "lea", path)
    page.evaluate(axe)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate(RUN % ALL) == []
    page.get_by_role("button", name="Start now").click()
    with found.service.database.write() as session:
        session.execute(update(Start).values(started_at=now() - timedelta(minutes=54, seconds=30)))
    page.clock.install()
    page.goto(page.url)
    clock = page.get_by_role("timer")
    expect(clock).to_have_text(re.compile(r"^5:[0-3]\d left$"))
    page.clock.run_for(60_000)
    expect(clock).to_have_text(re.compile(r"^4:[0-3]\d left$"))
    expect(page.locator("[data-announce]")).to_have_text("5 minutes left")
    page.evaluate(axe)
    assert page.evaluate(RUN % ALL) == []
    page.reload()  # the server's time did not go on
    expect(clock).to_have_text(re.compile(r"^5:[0-3]\d left$"))
    page.clock.run_for(400_000)
    expect(clock).to_have_text("Your time is over")
