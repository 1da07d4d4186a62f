"""The documents for authors, as pages."""

import re
from typing import Any

import pytest

from server.models.accounts import Role
from server.services.rendering import documents
from tests.server.conftest import Browser, user_of
from tests.server.instructors import FIT, send_zip

LINK = re.compile(r'href="(/docs/([\w-]+))?(?:#([\w-]*))?"')


@pytest.fixture
def teacher(app: Any) -> Browser:
    return user_of(app, "terry", Role.INSTRUCTOR)


@pytest.mark.parametrize("name", documents.TITLES)
def test_every_link_of_a_document_leads_somewhere(teacher: Browser, name: str) -> None:
    page = teacher.get(f"/docs/{name}").text
    article = page.split('<article class="statement" lang="en">')[1].split("</article>")[0]
    addresses = re.findall(r'href="([^"]*)"', article)
    assert [a for a in addresses if not a.startswith(("http", "/docs/", "#"))] == []
    for path, other, anchor in LINK.findall(page):
        html = teacher.get(path).text if path else page
        assert not other or other in documents.TITLES
        assert not anchor or f'id="{anchor}"' in html, (path, anchor)
    assert page.count(f'aria-current="page">{documents.TITLES[name]}') == 1


@pytest.mark.parametrize("name", documents.TITLES)
def test_the_title_is_the_first_heading(name: str) -> None:
    first = (documents.FOLDER / f"{name}.md").read_text().partition("\n")[0]
    assert first == f"# {documents.TITLES[name]}"


def test_a_document_is_set_as_a_statement_is(teacher: Browser) -> None:
    page = teacher.get("/docs/problem-format").text
    assert re.findall(r"<h1>(.*)</h1>", page) == ["The format of a problem"]
    assert '<h2 id="casespy">cases.py</h2>' in page
    assert '<pre class="code"><code>' in page
    assert "<table>" in teacher.get("/docs/lessons").text
    assert "[[sample: two queries, three keys]]" in teacher.get("/docs/add-a-problem").text


@pytest.mark.parametrize("name", ["server", "settings", "..%2fREADME", "design/libraries", ""])
def test_other_files_are_no_documents(teacher: Browser, name: str) -> None:
    assert teacher.get(f"/docs/{name}").status_code == 404


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("problems/cases.py", "casespy"),
        ("problems/problem.toml", "problemtoml"),
        ("problems/statement.md", "statementmd"),
        ("problems/driver_torch.py", "drivers"),
        ("reference/numpy.py", ""),
    ],
)
def test_a_draft_leads_to_the_section_about_its_file(
    teacher: Browser, path: str, section: str
) -> None:
    files = FIT | {"problems/driver_torch.py": "def run(make):\n    pass\n"}
    page = teacher.get(f"/teach/drafts/{send_zip(teacher, files)}?file={path}").text
    anchor = f"#{section}" if section else ""
    assert f'href="/docs/problem-format{anchor}"' in page


def test_the_list_of_drafts_names_the_documents(teacher: Browser) -> None:
    page = teacher.get("/teach").text
    for name in documents.TITLES:
        assert f'<a href="/docs/{name}">{documents.TITLES[name]}</a>' in page


def test_a_reader_of_chinese_is_told_that_it_is_english(teacher: Browser) -> None:
    assert "This document is in English." not in teacher.get("/docs/lessons").text
    teacher.client.set_cookie("language", "zh")
    assert "本文档为英文。" in teacher.get("/docs/lessons").text
    assert 'href="/docs/lessons"' in teacher.get("/teach").text


def test_an_installation_without_documentation_links_to_none(
    teacher: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(documents, "FOLDER", tmp_path)
    assert "/docs/" not in teacher.get("/teach").text
    assert teacher.get("/docs/problem-format").status_code == 404
    draft = send_zip(teacher, FIT)
    assert "/docs/" not in teacher.get(f"/teach/drafts/{draft}").text
