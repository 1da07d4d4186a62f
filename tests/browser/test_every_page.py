"""What must hold for every page: no serious fault for assistive technology by day and by night, no
sideways scroll, a clean console.
"""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Console
from tests.browser.site import PAGES, LivedIn

WIDTHS = (360, 768, 1440)
SERIOUS = ("serious", "critical")


def visit(lived_in: LivedIn, name: str, console: Console, scheme: str = "light") -> Page:
    """A page, as the one who may see it sees it."""
    page = console.listen(lived_in.who_sees(name).new_page())
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(lived_in.site.url + lived_in.paths[name])
    if page.locator("form:is([data-editor], [data-draft])").count():
        page.locator(".cm-content").wait_for()
    if name == "not_found":
        console.forgive("404")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(
    lived_in: LivedIn, console: Console, axe: str, name: str, scheme: str
) -> None:
    page = visit(lived_in, name, console, scheme)
    page.evaluate(axe)
    found = page.evaluate("axe.run().then(result => result.violations)")
    page.close()
    assert [
        (v["id"], [node["html"][:200] for node in v["nodes"]])
        for v in found
        if v["impact"] in SERIOUS
    ] == []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_scrolls_sideways(lived_in: LivedIn, console: Console, name: str) -> None:
    page = visit(lived_in, name, console)
    over = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        over[width] = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
    page.close()
    assert over == dict.fromkeys(WIDTHS, 0)


@pytest.mark.parametrize("name", PAGES)
def test_it_has_one_heading_and_the_keyboard_can_skip_to_it(
    lived_in: LivedIn, console: Console, name: str
) -> None:
    page = visit(lived_in, name, console)
    assert page.locator("h1").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert (
        page.evaluate("document.querySelector('header').contains(document.activeElement)") is False
    )
    page.close()
