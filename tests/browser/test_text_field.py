"""The field before the editor is there: it takes keys at once, and nothing of them is lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console
from tests.browser.site import PATIENCE_MS, RIGHT, SLUG, Site, editor

TORCH = f"/problems/{SLUG}?framework=torch"
SCRIPT = "**/dist/editor-*.js"


@contextmanager
def held(page: Page) -> Iterator[None]:
    """The editor's script comes when the block ends."""
    routes: list[Route] = []
    page.route(SCRIPT, lambda route: routes.append(route))
    yield
    for route in routes:
        route.continue_()
    page.unroute(SCRIPT)


def test_who_types_at_once_goes_on_in_the_editor(learner: Page, site: Site) -> None:
    with held(learner):
        learner.goto(site.url + TORCH)
        field = learner.locator("[data-source]")
        starter = field.input_value()
        field.click()
        learner.keyboard.press("ControlOrMeta+Home")
        learner.keyboard.type("# one\n# two\n")
        learner.keyboard.press("ArrowUp")
        expect(learner.locator("[data-saved]")).to_have_text("saved")
    expect(editor(learner)).to_be_focused()
    learner.keyboard.type("# before two\n")
    expected = "# one\n# before two\n# two\n" + starter
    expect(learner.locator("[data-source]")).to_have_value(expected)
    for _ in range(5):  # what was typed in the editor may be several steps
        learner.keyboard.press("ControlOrMeta+z")
    expect(learner.locator("[data-source]")).to_have_value(starter)


def test_a_reset_before_the_editor_is_there_is_undone_in_it(learner: Page, site: Site) -> None:
    with held(learner):
        learner.goto(site.url + TORCH)
        field = learner.locator("[data-source]")
        starter = field.input_value()
        field.fill("# mine\n")
        learner.get_by_role("button", name="Reset").click()
        expect(field).to_have_value(starter)
    editor(learner).click()
    learner.keyboard.press("ControlOrMeta+z")
    expect(learner.locator("[data-source]")).to_have_value("# mine\n")


def test_without_the_script_of_the_editor_the_field_submits(
    learner: Page, site: Site, console: Console
) -> None:
    learner.route(SCRIPT, lambda route: route.abort())
    learner.goto(site.url + TORCH)
    learner.locator("[data-source]").fill(RIGHT)
    learner.keyboard.press("ControlOrMeta+Enter")
    expect(learner.locator(".verdict-title")).to_contain_text("Accepted", timeout=PATIENCE_MS)
    assert editor(learner).count() == 0
    console.forgive("ERR_FAILED")


def test_on_a_phone_the_editor_is_loaded_when_it_is_near(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site.url + TORCH, wait_until="networkidle")
    assert not [url for url in asked if "/editor-" in url]
    page.get_by_role("link", name="To the editor", exact=True).click()
    expect(editor(page)).to_be_visible()


def test_nothing_moves_when_the_editor_takes_its_place(learner: Page, site: Site) -> None:
    with held(learner):
        learner.goto(site.url + TORCH)
        expect(learner.get_by_role("button", name="Reset")).to_be_visible()
        before = learner.locator(".verdict-empty").bounding_box()
        field = learner.locator("[data-source]").bounding_box()
    expect(editor(learner)).to_be_visible()
    assert learner.locator(".verdict-empty").bounding_box() == before
    assert learner.locator(".editor-host").bounding_box() == field
