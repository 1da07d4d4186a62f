"""An instructor at a draft: the editor saves without leaving the page, shows the statement as it
will be, and watches verify.
"""

import os
import re
from collections.abc import Callable
from itertools import count

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.site import PASTE, PATIENCE_MS, Site
from tests.browser.teaching import FIT, SLUG, UNFIT, upload, verify

NAMES = count(1)


@pytest.fixture
def teacher(open_page: Callable[..., Page], site: Site) -> Page:
    """A page of an instructor who has a draft open that is not fit."""
    page, name = open_page(), f"teacher-{os.getpid()}-{next(NAMES)}"
    site.begin_session(page.context, name, "instructor")
    page.goto(site.url + upload(page, site, UNFIT, f"{SLUG}_{next(NAMES)}"))
    return page


def write(page: Page, text: str) -> None:
    """Paste a text over what is in the editor."""
    editor = page.locator(".cm-content")
    editor.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    editor.evaluate(PASTE, text)


def test_the_statement_is_shown_while_it_is_written(teacher: Page) -> None:
    write(teacher, "# Another title\n\nEvery row sums to $1$.\n")
    expect(teacher.locator("[data-preview-slot]")).to_have_text(
        re.compile(r"^\s*Every row sums to")
    )
    expect(teacher.locator("[data-preview-slot] math")).to_have_count(1)
    expect(teacher.locator("[data-saved]")).to_have_text("not saved yet")


def test_it_is_saved_without_leaving_the_page(teacher: Page) -> None:
    teacher.evaluate("window.stayed = true")
    for title in ("A first title", "A second title"):
        write(teacher, f"# {title}\n\nText.\n")
        teacher.keyboard.press("ControlOrMeta+s")
        expect(teacher.locator("[data-saved]")).to_have_text("saved")
    assert teacher.evaluate("window.stayed")
    teacher.reload()
    expect(teacher.locator(".cm-content")).to_contain_text("# A second title")
    expect(teacher.locator(".editor-note")).to_have_count(0)


def test_what_was_not_saved_is_there_again(teacher: Page) -> None:
    write(teacher, "# Half a thought\n")
    teacher.reload()
    expect(teacher.locator(".cm-content")).to_contain_text("# Half a thought")
    teacher.get_by_role("button", name="Show what is saved").click()
    expect(teacher.locator(".cm-content")).to_contain_text("# Sigmoid attention")


def test_a_file_that_was_changed_elsewhere_is_not_overwritten(
    teacher: Page, console: Console
) -> None:
    other = console.listen(teacher.context.new_page())
    other.goto(teacher.url)
    for page, said in ((other, "saved"), (teacher, "not saved yet")):
        write(page, f"# {said}\n")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator("[data-saved]")).to_have_text(said)
    expect(teacher.get_by_role("alert")).to_contain_text("was changed elsewhere")
    expect(teacher.locator(".draft-conflict .diff-changed")).to_contain_text("# saved")
    # what was written here is here again, and still made from what was there before
    teacher.reload()
    expect(teacher.locator(".cm-content")).to_contain_text("# not saved yet")
    teacher.get_by_role("button", name="Save", exact=True).click()
    expect(teacher.get_by_role("alert")).to_contain_text("was changed elsewhere")
    teacher.get_by_role("button", name="Save mine over it").click()
    expect(teacher.locator("[data-saved]")).to_have_text("saved")
    expect(teacher.locator(".draft-conflict")).to_have_count(0)
    teacher.reload()
    expect(teacher.locator(".cm-content")).to_contain_text("# not saved yet")
    expect(teacher.locator(".editor-note")).to_have_count(0)
    console.forgive("409")


def test_a_surviving_mistake_stands_out_until_a_case_kills_it(teacher: Page) -> None:
    teacher.get_by_role("link", name="cases.py").click()
    expect(teacher.locator(".draft-preview")).to_have_count(0)
    teacher.get_by_role("button", name="Save and verify").click()
    title = teacher.locator(".verify-title")
    expect(title).to_contain_text("Not fit yet", timeout=2 * PATIENCE_MS)
    expect(teacher.locator(".kills-survivor")).to_contain_text(
        re.compile("scaled_in_place.*add a case that kills it", re.DOTALL)
    )
    expect(teacher.get_by_role("button", name=re.compile("Publish"))).to_have_count(0)
    write(teacher, FIT["problems/cases.py"])
    teacher.keyboard.press("ControlOrMeta+Enter")
    expect(title).to_contain_text("Fit to use", timeout=2 * PATIENCE_MS)
    expect(teacher.locator("[data-announce]")).to_contain_text("Fit to use")
    expect(teacher.locator(".kills-survivor")).to_have_count(0)
    expect(teacher.get_by_role("button", name="Publish version 1")).to_be_visible()
    assert teacher.locator("button.go:visible").count() == 1
    expect(teacher.locator(".draft-preview .sample")).to_have_count(1)


def test_the_samples_are_previewed_when_they_are_computed(teacher: Page) -> None:
    preview = teacher.locator("[data-preview-slot]")
    expect(preview.locator(".sample-missing")).to_have_count(1)
    write(teacher, "# T\n\nNot saved: $x$.\n\n[[sample: two queries, three keys]]\n")
    expect(preview).to_contain_text("Not saved:")
    verify(teacher, "Not fit yet")  # a mistake survives; the samples are right all the same
    expect(preview.locator(".sample-missing")).to_have_count(0)
    expect(preview.locator(".sample")).to_contain_text("Expected")
    expect(preview.locator(".picture, .heat, svg, table").first).to_be_visible()
    expect(preview).to_contain_text("Not saved:")


CLICKS = """form => [1, 2].map(
  () => form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true })))"""


def test_a_double_click_sends_a_form_once(teacher: Page) -> None:
    """What is dispatched is not sent; a handler that stops it answers with false."""
    assert teacher.locator("form[action$='/verify']").evaluate(CLICKS) == [True, False]
    assert teacher.locator("form[action$='/delete']").evaluate(CLICKS) == [True, False]


def test_a_title_of_one_long_word_does_not_make_a_page_wider(teacher: Page, site: Site) -> None:
    teacher.set_viewport_size({"width": 360, "height": 800})
    teacher.goto(f"{site.url}/teach")
    teacher.get_by_label("Name in the address").fill("x" * 60)
    teacher.get_by_role("button", name="Begin").click()
    expect(teacher.get_by_role("heading", level=1)).to_contain_text("x" * 60)
    sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert teacher.evaluate(sideways) == 0
    teacher.goto(f"{site.url}/courses")
    teacher.get_by_label("Title", exact=True).first.fill("W" * 120)
    teacher.get_by_role("button", name="Make it").click()
    expect(teacher.get_by_role("heading", level=1)).to_have_text("W" * 120)
    assert teacher.evaluate(sideways) == 0
