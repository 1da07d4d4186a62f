"""What must hold for every page: no serious fault for assistive technology by day and by night, no
sideways scroll, a clean console.
"""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Console
from tests.browser.site import PAGES, LivedIn

WIDTHS = (360, 768, 1440)
SERIOUS = ("serious", "critical")
TOLD = "resultTypes: ['violations'], selectors: false"  # what passes is not written down at length
ALL = f"{{{TOLD}}}"
# nothing else changes by night
OF_COLOURS = f"{{{TOLD}, runOnly: ['color-contrast', 'link-in-text-block']}}"


def visit(lived_in: LivedIn, name: str, console: Console) -> Page:
    """A page, as the one who may see it sees it: each in the one tab that they have open, so that
    neither a renderer is started nor scripts and styles are read anew.
    """
    context = lived_in.who_sees(name)
    page = console.listen(context.pages[0] if context.pages else context.new_page())
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(lived_in.site.url + lived_in.paths[name])
    if page.locator("form:is([data-editor], [data-draft])").count():
        page.locator(".cm-content").wait_for()
    if name == "not_found":
        console.forgive("404")
    return page


@pytest.mark.parametrize("name", PAGES)
def test_every_page(lived_in: LivedIn, console: Console, axe: str, name: str) -> None:
    """The page is opened once for all that is asked of it."""
    page = visit(lived_in, name, console)
    it_has_one_heading_and_the_keyboard_can_skip_to_it(page)
    nothing_scrolls_sideways(page)
    axe_finds_nothing_serious(page, axe)
    console.leave(page)


def it_has_one_heading_and_the_keyboard_can_skip_to_it(page: Page) -> None:
    assert page.locator("h1").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert (
        page.evaluate("document.querySelector('header').contains(document.activeElement)") is False
    )


def nothing_scrolls_sideways(page: Page) -> None:
    over = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        over[width] = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
    assert over == dict.fromkeys(WIDTHS, 0)


def axe_finds_nothing_serious(page: Page, axe: str) -> None:
    if page.evaluate("window.axe === undefined"):
        page.evaluate(axe)
    found = {}
    for scheme, rules in (("light", ALL), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        faults = page.evaluate(f"axe.run({rules}).then(result => result.violations)")
        found[scheme] = [
            (fault["id"], [node["html"][:200] for node in fault["nodes"]])
            for fault in faults
            if fault["impact"] in SERIOUS
        ]
    assert found == {"light": [], "dark": []}
