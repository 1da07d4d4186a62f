"""The editor: text that is never lost, keys, frameworks, files, and what happens without a
connection.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.site import (
    BROKEN,
    FRAMEWORK,
    PATIENCE_MS,
    RIGHT,
    SLUG,
    UNSCALED,
    Site,
    editor,
    sign_up,
    submit,
    write,
)

TORCH = f"/problems/{SLUG}?framework=torch"


def text(page: Page) -> str:
    """The editor's text, as the form would send it."""
    return page.locator("[data-source]").input_value()


def test_text_survives_a_reload(learner: Page, site: Site) -> None:
    learner.goto(site.url + TORCH)
    write(learner, "# mine\n")
    expect(learner.locator("[data-saved]")).to_have_text("saved")
    learner.reload()
    expect(editor(learner)).to_contain_text("# mine")


def test_each_framework_keeps_its_own_text(learner: Page, site: Site) -> None:
    learner.goto(site.url + TORCH)
    write(learner, "# in torch\n")
    learner.get_by_role("link", name="NumPy").click()
    expect(editor(learner)).to_contain_text("import numpy")
    assert learner.url.endswith("framework=numpy")
    write(learner, "# in numpy\n")
    learner.get_by_role("link", name="PyTorch").click()
    expect(editor(learner)).to_contain_text("# in torch")
    assert learner.locator("input[name=framework]").input_value() == "torch"


def test_text_written_before_signing_in_is_there_afterwards(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page()
    page.goto(site.url + TORCH)
    write(page, "# before\n")
    expect(page.locator("[data-saved]")).to_have_text("saved")
    sign_up(page, site, "came-later")
    page.goto(site.url + TORCH)
    expect(editor(page)).to_contain_text("# before")


def test_reset_brings_the_starter_and_undo_the_text(learner: Page, site: Site) -> None:
    learner.goto(site.url + TORCH)
    expect(learner.get_by_role("button", name="Reset")).to_be_visible()
    starter = text(learner)
    write(learner, "# mine\n")
    learner.get_by_role("button", name="Reset").click()
    assert text(learner) == starter
    learner.keyboard.press("ControlOrMeta+z")
    assert text(learner) == "# mine\n"


def test_a_file_is_read_into_the_editor(learner: Page, site: Site, tmp_path: Path) -> None:
    learner.goto(site.url + TORCH)
    expect(learner.get_by_role("button", name="Reset")).to_be_visible()
    (tmp_path / "mine.py").write_text(RIGHT)
    learner.locator("[data-upload]").set_input_files(tmp_path / "mine.py")
    expect(learner.locator("[data-saved]")).to_contain_text("read into the editor")
    assert text(learner) == RIGHT


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"# coding: latin-1\n# caf\xe9\n", "# coding: latin-1\n# café\n"),
        (b"#!/usr/bin/python\r\n# -*- coding: cp1252 -*-\r\n# \x80\r\n", "€"),
        ("# vim: set fileencoding=gbk :\n# 注意力\n".encode("gbk"), "# 注意力"),
        (b"\xef\xbb\xbf# caf\xc3\xa9\n", "# café"),
        (b"\xef\xbb\xbf# coding: utf_8\n# caf\xc3\xa9\n", "# café"),
        (b"x = 1\n# coding: latin-1\n# caf\xc3\xa9\n", "# café"),  # too late to count
    ],
    ids=["latin-1", "second line", "gbk", "mark", "mark and line", "after code"],
)
def test_a_file_is_read_in_the_encoding_that_it_declares(
    learner: Page, site: Site, tmp_path: Path, content: bytes, shown: str
) -> None:
    learner.goto(site.url + TORCH)
    expect(learner.get_by_role("button", name="Reset")).to_be_visible()
    (tmp_path / "mine.py").write_bytes(content)
    learner.locator("[data-upload]").set_input_files(tmp_path / "mine.py")
    expect(learner.locator("[data-saved]")).to_contain_text("read into the editor")
    assert shown in text(learner)
    assert "\ufeff" not in text(learner)


def test_a_file_in_latin_1_is_judged_as_what_it_shows(
    learner: Page, site: Site, tmp_path: Path
) -> None:
    learner.goto(site.url + TORCH.replace("torch", FRAMEWORK))
    expect(learner.get_by_role("button", name="Reset")).to_be_visible()
    source = f"# coding: latin-1\n{RIGHT}\nassert len('é') == 1 and ord('é') == 0xE9\n"
    (tmp_path / "mine.py").write_text(source, encoding="latin-1")
    learner.locator("[data-upload]").set_input_files(tmp_path / "mine.py")
    expect(learner.locator("[data-saved]")).to_contain_text("read into the editor")
    learner.get_by_role("button", name="Submit").click()
    expect(learner.locator(".verdict-title")).to_contain_text("Accepted", timeout=PATIENCE_MS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"# " + b"x" * 70_000, "larger than the service accepts", id="too large"),
        pytest.param(b"\xff\xfe# no", "not UTF-8", id="not text"),
        pytest.param(b"# coding: nonsense\n", "not UTF-8", id="unknown encoding"),
        pytest.param(b"# coding: utf-16\n", "not UTF-8", id="an encoding that no line can name"),
        pytest.param(b"\xef\xbb\xbf# coding: latin-1\n", "not UTF-8", id="a mark against a line"),
    ],
)
def test_a_file_that_cannot_be_used_changes_nothing(
    learner: Page, site: Site, tmp_path: Path, content: bytes, said: str
) -> None:
    learner.goto(site.url + TORCH)
    expect(learner.get_by_role("button", name="Reset")).to_be_visible()
    before = text(learner)
    (tmp_path / "mine.py").write_bytes(content)
    learner.locator("[data-upload]").set_input_files(tmp_path / "mine.py")
    expect(learner.get_by_role("alert")).to_contain_text(said)
    assert text(learner) == before


def test_it_indents_matches_brackets_and_lets_the_keyboard_go(learner: Page, site: Site) -> None:
    learner.goto(site.url + TORCH)
    write(learner, "")
    learner.keyboard.type("def f(x):\nreturn (x", delay=5)
    assert text(learner) == "def f(x):\n    return (x)"
    expect(learner.locator(".cm-matchingBracket")).to_have_count(2)
    learner.keyboard.press("Escape")
    learner.keyboard.press("Tab")
    expect(editor(learner)).not_to_be_focused()


def test_the_line_of_an_error_is_marked(learner: Page, site: Site) -> None:
    learner.goto(site.url + TORCH)
    write(learner, BROKEN)
    learner.keyboard.press("ControlOrMeta+Enter")
    expect(learner.locator(".verdict-title")).to_contain_text("Compile error", timeout=PATIENCE_MS)
    expect(learner.locator(".cm-blamed")).to_contain_text("return ((q")


def test_an_empty_source_is_refused_in_words(learner: Page, site: Site, console: Console) -> None:
    learner.goto(site.url + TORCH)
    write(learner, " ")
    learner.keyboard.press("ControlOrMeta+Enter")
    expect(learner.get_by_role("alert")).to_contain_text(re.compile("empty", re.IGNORECASE))
    console.forgive("422")


def test_without_a_connection_the_text_is_kept_and_sent_later(
    learner: Page, site: Site, console: Console
) -> None:
    learner.goto(site.url + TORCH)
    write(learner, RIGHT)
    learner.context.set_offline(True)
    expect(learner.locator(".banner.offline")).to_contain_text("No connection.")
    learner.keyboard.press("ControlOrMeta+Enter")
    expect(learner.get_by_role("alert")).to_contain_text("Nothing was sent")
    console.forgive("ERR_INTERNET_DISCONNECTED")
    learner.context.set_offline(False)
    expect(learner.locator(".banner.offline")).to_be_hidden()
    learner.keyboard.press("ControlOrMeta+Enter")
    expect(learner.locator(".verdict-title")).to_contain_text("Accepted", timeout=PATIENCE_MS)
    expect(learner.get_by_role("alert")).to_have_count(0)


def test_a_form_that_was_open_for_too_long_is_sent_all_the_same(
    learner: Page, site: Site, console: Console
) -> None:
    learner.goto(site.url + TORCH)
    write(learner, RIGHT)
    learner.locator("form[data-editor] input[name=csrf_token]").evaluate(
        "field => (field.value = 'of yesterday')"
    )
    learner.keyboard.press("ControlOrMeta+Enter")
    expect(learner.locator(".verdict-title")).to_contain_text("Accepted", timeout=PATIENCE_MS)
    console.forgive("400")


def test_what_was_accepted_stays_where_the_draft_is_a_later_submission(
    learner: Page, site: Site
) -> None:
    page = site.url + TORCH.replace("torch", FRAMEWORK)
    submit(learner, site, RIGHT)
    wrong = submit(learner, site, UNSCALED)
    for _ in range(2):
        learner.goto(page)
        expect(editor(learner)).to_contain_text("* factor")
        assert text(learner) == RIGHT
        expect(learner.locator(".verdict-title")).to_have_count(0)  # of another text
    expect(learner.locator(".editor-note a")).to_have_text([re.compile("acc"), re.compile("lat")])
    learner.locator(f".editor-note a[href='{wrong}']").click()
    expect(learner.locator(".verdict-title")).to_contain_text("Wrong")
    assert text(learner) == UNSCALED
    learner.goto(page)
    write(learner, UNSCALED + "# newer\n")
    expect(learner.locator("[data-saved]")).to_have_text("saved")
    learner.reload()
    expect(editor(learner)).to_contain_text("# newer")


def test_what_was_accepted_stays_where_another_framework_is_left_for_it(
    learner: Page, site: Site
) -> None:
    submit(learner, site, RIGHT)
    submit(learner, site, UNSCALED)
    other, own = ("NumPy", "PyTorch") if FRAMEWORK == "torch" else ("PyTorch", "NumPy")
    learner.get_by_role("link", name=other).click()
    expect(editor(learner)).to_contain_text("NotImplementedError")
    learner.get_by_role("link", name=own).click()
    expect(editor(learner)).to_contain_text("* factor")


def test_an_earlier_submission_is_shown_without_losing_the_newer_text(
    learner: Page, site: Site
) -> None:
    learner.goto(site.url + TORCH)
    write(learner, RIGHT)
    learner.keyboard.press("ControlOrMeta+Enter")
    expect(learner.locator(".verdict-title")).to_contain_text("Accepted", timeout=PATIENCE_MS)
    write(learner, "# newer\n")
    expect(learner.locator("[data-saved]")).to_have_text("saved")
    learner.reload()
    expect(learner.locator(".verdict-title")).to_contain_text("Accepted")
    expect(editor(learner)).to_contain_text("# newer")
    learner.get_by_role("link", name="Your submissions").click()
    learner.locator(".history th a").click()
    expect(editor(learner)).to_contain_text("softmax")
    learner.get_by_role("button", name="Show my text").click()
    expect(editor(learner)).to_contain_text("# newer")
