"""One site and one browser for all tests of a run; a page for each test, whose console must stay
clean.
"""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from server.services import accounts

pytest.importorskip(
    "playwright.sync_api", reason="pip install playwright"
) if "CI" not in os.environ else None

from playwright.sync_api import (  # noqa: E402
    Browser,
    ConsoleMessage,
    Error,
    Page,
    expect,
    sync_playwright,
)

from tests.browser import site as sites  # noqa: E402

NAMES = count(1)


def need(reason: str) -> None:
    """Skip here, fail in CI."""
    if not reason:
        return
    if "CI" in os.environ:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hashing is slow on purpose. A server checks each hash at the cost that it was made with, so
    accounts of the command line are quick to sign in.
    """
    with pytest.MonkeyPatch.context() as patch:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(accounts, "hasher", cheap)
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser."""
    need(sites.missing())
    expect.set_options(timeout=sites.PATIENCE_MS)  # a busy machine needs more than 5 seconds
    with sync_playwright() as playwright:
        browser = sites.launch(playwright, flags=[*sites.FLAGS, *sites.BRIEFLY])
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
        page.on("console", self._said)
        page.on("pageerror", self._failed)
        return page

    def leave(self, page: Page) -> None:
        """Hear a page no longer that another test goes on with."""
        page.remove_listener("console", self._said)
        page.remove_listener("pageerror", self._failed)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _failed(self, error: Error) -> None:
        self.complaints.append(str(error))

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
    """A page of somebody who has an account and is signed in."""
    page = open_page()
    site.begin_session(page.context, f"learner-{os.getpid()}-{next(NAMES)}")
    return page


@pytest.fixture
def axe() -> str:
    """The source of axe-core."""
    path = Path(sites.REPOSITORY / "server/web/frontend/node_modules/axe-core/axe.min.js")
    need("" if path.exists() else "axe-core is not installed: cd server/web/frontend && npm ci")
    return path.read_text()
