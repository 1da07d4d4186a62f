"""A file of a draft in two windows, without a script: neither text is lost, and one replaces the
other only where that was asked for.
"""

import html
import re
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import update

from server.models.teaching import VerifyRun
from tests.server.conftest import Browser
from tests.server.instructors import FIT, send_zip

PATH = "problems/statement.md"
FIELD = re.compile(r'name="(path|was)" value="([^"]*)"')
TEXT = re.compile(r'<textarea id="content"[^>]*>\n(.*?)</textarea>', re.DOTALL)
SAVED = re.compile(
    r'<textarea class="source" rows="12" readonly[^>]*>\n(.*?)</textarea>', re.DOTALL
)
OVER = re.compile(r'name="over" value="([^"]+)"')


@dataclass
class Window:
    """The page of a file, as somebody has it open: its form and what they write."""

    browser: Browser
    draft: int
    page: str = ""
    status: int = 0

    def load(self, path: str = PATH) -> "Window":
        return self._shows(self.browser.get(f"/teach/drafts/{self.draft}?file={path}"))

    def _shows(self, answer: Any) -> "Window":
        self.page, self.status = answer.text, answer.status_code
        return self

    @property
    def text(self) -> str:
        """What the editor holds."""
        return html.unescape(TEXT.findall(self.page)[0])

    @property
    def saved(self) -> str:
        """What the page says was saved in the meantime."""
        return html.unescape(SAVED.findall(self.page)[0])

    def save(self, text: str | None = None, over: bool = False) -> "Window":
        """Press *Save*, or *Save mine over it*."""
        form = self.page[self.page.index('id="file-form"') :]
        fields = dict(FIELD.findall(form)[:2]) | {"content": self.text if text is None else text}
        extra = {"over": OVER.findall(self.page)[0]} if over else {"then": "save"}
        return self._shows(
            self.browser.post(f"/teach/drafts/{self.draft}/file", {**fields, **extra})
        )


@pytest.fixture
def windows(teacher: Browser) -> tuple[Window, Window]:
    """Two windows with the same file open."""
    draft = send_zip(teacher, FIT)
    return Window(teacher, draft).load(), Window(teacher, draft).load()


def stands(window: Window) -> str:
    return Window(window.browser, window.draft).load().text


def test_the_second_is_refused_and_both_are_shown(windows: tuple[Window, Window]) -> None:
    first, second = windows
    assert first.save("# Theirs\n").status == 303
    assert second.save("# Mine\n").status == 409
    assert (second.text, second.saved, "was changed elsewhere" in second.page) == (
        "# Mine\n",
        "# Theirs\n",
        True,
    )
    assert re.search(r"diff-changed.*# Theirs.*# Mine", second.page)


def test_saving_again_says_the_same(windows: tuple[Window, Window]) -> None:
    first, second = windows
    first.save("# Theirs\n")
    for _ in range(3):
        assert (
            second.save("# Mine\n" if second.status != 409 else None).status,
            stands(first),
        ) == (409, "# Theirs\n")


def test_over_it_when_asked(windows: tuple[Window, Window]) -> None:
    first, second = windows
    first.save("# Theirs\n")
    second.save("# Mine\n")
    assert (second.save("# Both\n", over=True).status, stands(first)) == (303, "# Both\n")


def test_over_what_was_shown_and_nothing_later(windows: tuple[Window, Window]) -> None:
    first, second = windows
    first.save("# Theirs\n")
    second.save("# Mine\n")
    first.load().save("# Theirs, once more\n")
    assert (second.save(over=True).status, second.saved, stands(first)) == (
        409,
        "# Theirs, once more\n",
        "# Theirs, once more\n",
    )
    assert second.save(over=True).status == 303


def test_the_same_text_twice_is_no_quarrel(windows: tuple[Window, Window]) -> None:
    assert [window.save("# The same\n").status for window in windows] == [303, 303]


def test_a_file_that_was_removed_meanwhile(windows: tuple[Window, Window]) -> None:
    first, second = windows
    first.browser.post(f"/teach/drafts/{first.draft}/remove", {"path": PATH})
    assert (second.save("# Mine\n").status, second.text, second.saved) == (409, "# Mine\n", "")
    assert (second.save(over=True).status, stands(first)) == (303, "# Mine\n")


def test_a_text_that_is_refused_stays_in_the_editor(windows: tuple[Window, Window]) -> None:
    first, second = windows
    assert (first.save("# Half\0\n").status, first.text.startswith("# Half")) == (422, True)
    second.save("# Theirs\n")
    # the refusal has not made it forget what it was made from
    assert first.save("# Whole\n").status == 409


def test_a_new_file_that_cannot_be_does_not_empty_another(windows: tuple[Window, Window]) -> None:
    window = windows[0]
    answer = window.browser.post(
        f"/teach/drafts/{window.draft}/file", {"path": "problems/x.exe", "content": "", "was": ""}
    )
    assert (answer.status_code, "end in .md, .py, .toml" in answer.text) == (422, True)
    assert 'name="path" value="problems/statement.md"' not in answer.text


def test_what_is_watched_says_when_the_draft_has_changed(windows: tuple[Window, Window]) -> None:
    window = windows[0]
    window.browser.post(f"/teach/drafts/{window.draft}/verify")
    (run,) = set(re.findall(r'data-run="(\d+)"', window.load().page))
    seen = window.browser.get(f"/teach/runs/{run}/live?wait=20").json
    # the room of these tests judges nothing
    with window.browser.service.database.write() as session:
        session.execute(update(VerifyRun).values(report={"findings": [], "matrices": []}, fit=True))
    assert (
        seen["state"],
        "has changed since" in window.browser.get(f"/teach/runs/{run}/live").json["html"],
    ) == ("done", False)
    window.save("# Another\n")
    assert "has changed since" in window.browser.get(f"/teach/runs/{run}/live").json["html"]
