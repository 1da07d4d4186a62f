"""The model in the browser and in the real room: text that grows, maps, a certificate; with a script
and without one.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from grader.capstone.parts import SLUGS
from tests.bank.test_solutions import RIGHT, framework
from tests.browser import site as sites
from tests.browser.conftest import Console, need

SERIOUS = ("serious", "critical")
pytestmark = pytest.mark.torch  # the model is a program of PyTorch


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sites.Site]:
    """A server whose bank has the eight parts."""
    need(sites.missing())
    with sites.served(tmp_path_factory.mktemp("model"), SLUGS, ()) as served:
        room = served.ready().get("room", "")
        need("" if room == "ok" else f"no room can be built here: {room}")
        yield served


@pytest.fixture(scope="module")
def solved(site: sites.Site, chromium: Browser) -> Iterator[Page]:
    """Somebody who has solved every part."""
    context = chromium.new_context()
    page = context.new_page()
    sites.sign_up(page, site, "somebody")
    for slug in SLUGS:
        path = next(path for path in RIGHT if path.parent.name == slug)
        sites.submit(page, site, path.read_text(), slug, str(framework(path)))
    yield page
    context.close()


def write(page: Page, site: sites.Site, prompt: str, count: int) -> None:
    page.goto(f"{site.url}/model")
    page.get_by_label("How the text begins").fill(prompt)
    page.get_by_label("Characters").fill(str(count))
    page.get_by_role("button", name="Write").click()


def test_text_grows_and_maps_follow(solved: Page, site: sites.Site, console: Console) -> None:
    console.listen(solved)
    write(solved, site, "The mask of a query", 500)
    solved.locator("[data-run][data-state=running] .model-text").wait_for()
    early = solved.locator(".model-text").inner_text()
    solved.locator("[data-run][data-state=done]").wait_for(timeout=sites.PATIENCE_MS)
    whole = solved.locator(".model-text").inner_text()
    assert whole.startswith("The mask of a query")
    assert len(early) < len(whole)
    assert whole.startswith(early.rstrip())
    expect(solved.locator(".attention-map")).to_have_count(4)
    solved.get_by_role("link", name="Layer 2").click()
    expect(solved.locator(".model-layers [aria-current]")).to_have_text("Layer 2")
    assert solved.locator(".model-text").inner_text() == whole


def test_a_certificate_for_everybody(
    solved: Page, site: sites.Site, chromium: Browser, axe: str
) -> None:
    solved.goto(f"{site.url}/model")
    solved.get_by_label("The name on the certificate").fill("Some Body")
    solved.get_by_role("button", name="Compare, and make").click()
    link = solved.get_by_role("link", name="The certificate", exact=True)
    link.wait_for(timeout=sites.PATIENCE_MS)
    address = str(link.get_attribute("href"))
    context = chromium.new_context()
    stranger = context.new_page()
    stranger.goto(site.url + address)
    expect(stranger.get_by_role("heading", level=1)).to_have_text(
        "Every part of this model is mine"
    )
    expect(stranger.locator(".certificate-name")).to_have_text("Some Body")
    context.close()
    for width in (360, 1280):
        solved.set_viewport_size({"width": width, "height": 800})
        solved.goto(f"{site.url}/model")
        solved.evaluate(axe)
        faults = solved.evaluate("axe.run().then(result => result.violations)")
        assert [f["id"] for f in faults if f["impact"] in SERIOUS] == []
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert solved.evaluate(wide) == 0


def test_without_a_script_the_page_loads_itself_again(
    solved: Page, site: sites.Site, chromium: Browser
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    context.add_cookies(solved.context.cookies())  # type: ignore[arg-type]
    page = context.new_page()
    write(page, site, "How many ", 60)
    page.locator("[data-run][data-state=done]").wait_for(timeout=sites.PATIENCE_MS)
    assert len(page.locator(".model-text").inner_text()) > 40
    expect(page.locator(".attention-map")).to_have_count(4)
    context.close()
