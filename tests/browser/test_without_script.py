"""Without JavaScript every form still does its work."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.site import PATIENCE_MS, RIGHT, SLUG, UNSCALED, Site, sign_up


@pytest.fixture
def plain(open_page: Callable[..., Page], site: Site, request: pytest.FixtureRequest) -> Page:
    """A signed-in page that runs no script."""
    page = open_page(java_script_enabled=False)
    sign_up(page, site, f"plain-{os.getpid()}-{abs(hash(request.node.name)) % 10**6}")
    page.goto(f"{site.url}/problems/{SLUG}?framework=torch")
    return page


def test_a_plain_form_submits_and_shows_the_verdict(plain: Page) -> None:
    plain.get_by_label("Source").fill(UNSCALED)
    plain.get_by_role("button", name="Submit").click()
    expect(plain.locator(".verdict-title")).to_contain_text("Wrong answer", timeout=PATIENCE_MS)
    expect(plain.locator("details[open] figure")).to_have_count(3)
    assert re.search(r"/submissions/\d+", plain.url)
    for _ in range(2):
        plain.get_by_role("button", name="Next step").first.click()
    expect(plain.locator(".hint").first).to_contain_text("softmax at full size")


def test_a_plain_form_sends_a_file(plain: Page, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RIGHT)
    plain.locator("[data-upload]").set_input_files(tmp_path / "mine.py")
    plain.get_by_role("button", name="Submit").click()
    expect(plain.locator(".verdict-title")).to_contain_text("Accepted", timeout=PATIENCE_MS)


def test_a_plain_link_switches_the_framework(plain: Page) -> None:
    plain.get_by_role("link", name="NumPy").click()
    expect(plain.get_by_label("Source")).to_have_value(re.compile("import numpy"))


def test_a_plain_form_filters_the_bank(plain: Page, site: Site) -> None:
    plain.goto(site.url)
    plain.get_by_label("Search").fill("softmax")
    plain.get_by_role("button", name="Filter").click()
    expect(plain.locator("tr[data-problem]")).to_have_count(1)
