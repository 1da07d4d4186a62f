"""One site and one browser for all tests of a run; a page for each test, whose console must stay
clean.
"""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip(
    "playwright.sync_api", reason="pip install playwright"
) if "CI" not in os.environ else None

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from tests.browser import site as sites  # noqa: E402

NAMES = count(1)


def need(reason: str) -> None:
    """Skip here, fail in CI."""
    if not reason:
        return
    if "CI" in os.environ:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser."""
    need(sites.missing())
    with sync_playwright() as playwright:
        browser = sites.launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sites.Site]:
    """A server with a small bank, judging in the real room."""
    need(sites.missing())
    with sites.served(tmp_path_factory.mktemp("site")) as served:
        room = served.ready().get("room", "")
        need("" if room == "ok" else f"no room can be built here: {room}")
        yield served


@pytest.fixture(scope="session")
def lived_in(site: sites.Site, chromium: Browser) -> sites.LivedIn:
    """The site with a learner's day in it."""
    return sites.live_in(site, chromium)


class Console:
    """What the console of a page complained of."""

    def __init__(self) -> None:
        self.complaints: list[str] = []

    def listen(self, page: Page) -> Page:
        """Hear a page."""
        page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text)
                if message.type in ("error", "warning")
                else None
            ),
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def forgive(self, text: str) -> None:
        """Take back what a test provoked; it must have come."""
        kept = [complaint for complaint in self.complaints if text not in complaint]
        assert len(kept) < len(self.complaints), f"the console never said {text!r}"
        self.complaints = kept


@pytest.fixture
def console() -> Iterator[Console]:
    """Fails the test in which a console complained."""
    heard = Console()
    yield heard
    assert heard.complaints == []


@pytest.fixture
def open_page(chromium: Browser, console: Console) -> Iterator[Callable[..., Page]]:
    """Pages in contexts of their own, closed after the test."""
    contexts = []

    def make(**options: object) -> Page:
        contexts.append(chromium.new_context(**options))  # type: ignore[arg-type]
        return console.listen(contexts[-1].new_page())

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def learner(open_page: Callable[..., Page], site: sites.Site) -> Page:
    """A page of somebody who has just signed up."""
    page = open_page()
    sites.sign_up(page, site, f"learner-{os.getpid()}-{next(NAMES)}")
    return page


@pytest.fixture
def axe() -> str:
    """The source of axe-core."""
    path = Path(sites.REPOSITORY / "server/web/frontend/node_modules/axe-core/axe.min.js")
    need("" if path.exists() else "axe-core is not installed: cd server/web/frontend && npm ci")
    return path.read_text()
