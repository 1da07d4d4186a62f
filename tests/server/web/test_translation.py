"""Catalogues are complete, and every text of every page comes from them: in a made-up language that
marks each text, nothing unmarked is left on any page of any role.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from grader.errors import ProblemError
from grader.findings import catalogue
from grader.findings.text import T_
from grader.model import Outcome
from grader.problem import DIFFICULTIES, track_order
from server.messages import Message, Saying, counted, sentence, storable, stored
from server.models.accounts import Role
from server.models.submissions import State
from server.web import names, texts
from tests.attacks.web_routes import site
from tests.conftest import ROOT
from tests.server import route_matrix
from tests.server.conftest import REPOSITORY
from tests.server.world import World

SERVER = Path(texts.__file__).parents[1]
TEMPLATES = SERVER / "web" / "templates"
MADE_UP = "eo"  # a language of Babel's list that has two plural forms, as English has
SHOWN = ("aria-label", "placeholder", "title", "alt", "label", "aria-description")
# what is content, code or drawn: not said by the pages themselves
CONTENT = {"code", "pre", "textarea", "datalist", "template", "time", "svg", "math", "script"}
VOID = {"col", "meta", "link", "input", "br", "hr", "img", "path", "rect"}
# names of people, problems, products and formats; and labels that another product has in English
OWN = re.compile(
    # what the core says of a verdict, and the problem's own words
    r"It is not doubled\.|two by three|hidden one|Any size\.|Small\.|weights: 6 of 6 values differ"
    r"|weights: 3 of 6 values differ, in row 0|A lesson|About nothing\.|Is it\?|It is\.|\b(?:Yes|No)\b"
    r"|https?://\S+|\b\w+/\S+|\b[\w.]+\.(?:py|md|toml)\b|Attention, by hand|Class of \w+|Week \d of \w+"
    r"|A short course|Two weeks\.|The lesson|The problem\b|Twice the input|Nobody 2020|\b\w+_(?:by|of)_\w+|the first\b|the second\b|a stricter case"
    r"|\b(?:lea|bob|tess|theo|ada|root|double|test|laptop|Campus|two|client|sigmoid_attention"
    r"|Esperanto|EN|UTC|API|CSV|JSON|NumPy|PyTorch|Ctrl|ms)\b"
    r"|Initiate login URL|OpenID Connect Initiation Url|Target Link URI, Redirect URIs|Public keyset"
    r"|Tool URL, Redirection URI\(s\), Content Selection URL|Public JWK URL"
)
MARKED = re.compile(r"«[^«»]*»")


class Visible(HTMLParser):
    """Collects what a reader sees or hears of a page, content left out."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        content = (
            tag in CONTENT
            or "statement" in (found.get("class") or "").split()
            or found.get("translate") == "no"
        )
        if not self.inside:
            self.said += [found[name] or "" for name in SHOWN if name in found]
        if (content or self.inside) and tag not in VOID:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and tag not in VOID:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.said.append(data)


def unmarked(page: str) -> set[str]:
    """The words on a page that come from no catalogue and are no content."""
    reader = Visible()
    reader.feed(page)
    text = " ".join(" ".join(reader.said).split())
    while MARKED.search(text):  # a text may have another one in it
        text = MARKED.sub(" ", text)
    return set(re.findall(r"[A-Za-z]{2,}", OWN.sub(" ", text)))


def mark(folder: Path, domain: str, source: Path) -> None:
    """Writes the made-up language: each text of a catalogue as it is in the code, «marked»."""
    made_up = Catalog(locale=MADE_UP)
    with (source / "zh" / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        entries = [entry for entry in read_po(file, locale="zh") if entry.id]
    for entry in entries:
        forms = entry.id if isinstance(entry.id, tuple) else (entry.id,)
        marked = tuple(f"«{form}»" for form in forms)
        text = marked if len(marked) > 1 else marked[0]
        made_up.add(entry.id, text, context=entry.context)
    path = folder / MADE_UP / "LC_MESSAGES" / f"{domain}.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_mo(file, made_up)


@pytest.fixture(scope="module")
def marking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The site with a language more: a copy of both folders, each text of which is «marked»."""
    folder = tmp_path_factory.mktemp("locale")
    mark(folder, "server", texts.CATALOGUES)
    mark(folder, "grader", catalogue.FOLDER)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(texts, "CATALOGUES", folder)
        patched.setattr(catalogue, "FOLDER", folder)
        with site() as world:
            yield world


def test_the_catalogues_are_in_step_with_the_code() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/messages.py", "--check"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_wrong_with_a_catalogue_is_named(tmp_path: Path) -> None:
    """An entry that is missing, one that is stale, and one with another placeholder."""
    sys.path.insert(0, str(REPOSITORY / "scripts"))
    try:
        import messages
    finally:
        sys.path.pop(0)
    folder = tmp_path / "server" / "locale" / "zh" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (tmp_path / "server" / "page.py").write_text(
        '_("Saved.")\n_("New: %(name)s")\n_("Old: %(name)s")\n'
    )
    (folder / "server.po").write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Plural-Forms: nplurals=1; plural=0;\\n"\n'
        '\nmsgid "Gone."\nmsgstr "没了。"\n'
        '\n#, python-format\nmsgid "Old: %(name)s"\nmsgstr "旧：%(who)s"\n'
        '\n#, fuzzy\nmsgid "Saved."\nmsgstr "已保存。"\n',
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(messages, "ROOT", tmp_path)
        domain = messages.Domain("server", "server", (("**.py", "python"),))
        said = "\n".join(messages.check(domain))
        for words in ("missing: 'New", "stale: 'Gone", "fuzzy: 'Saved", "'Old", "not compiled"):
            assert words in said, words
        left = "\n".join(messages.update(domain))
        assert "no translation of 'New" in left and "Gone" not in left
        assert "Gone" not in (folder / "server.po").read_text(encoding="utf-8")
        assert "not compiled" not in "\n".join(messages.check(domain))


def pages(world: World, person: str, case: route_matrix.Case) -> Iterator[tuple[str, str]]:
    """(path, page) of what somebody gets in the made-up language, and where there is no object."""
    for missing in (False, True):
        asked = route_matrix.fill(world, case, missing=missing)
        headers = {"Accept-Language": MADE_UP}
        answer = world.ask(person, case.method, asked.path, headers=headers, **asked.options)
        if case.method != "GET" and answer.status_code < 400:
            world.restore()
        if answer.mimetype == "text/html" and answer.status_code not in (302, 303):
            yield asked.path, answer.text
        elif answer.is_json and "html" in (answer.json or {}):
            yield asked.path, answer.json["html"]


@pytest.mark.parametrize("case", route_matrix.cases(), ids=lambda case: case.name)
def test_no_text_of_a_page_is_unmarked(marking: World, case: route_matrix.Case) -> None:
    """As a visitor, a learner, an instructor and an admin; also what is refused, and what a form
    answers.
    """
    for person in ("visitor", "lea", "tess", "ada") if case.method == "GET" else ("lea", "ada"):
        for path, page in pages(marking, person, case):
            assert unmarked(page) == set(), (person, path)


TEMPLATE = re.compile(
    r"\{% block (?:page|layout) %\}\w*\{% endblock %\}|\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL
)
IN_TEMPLATES = {"ms", "API"}  # a unit and a name


@pytest.mark.parametrize(
    "path",
    sorted(TEMPLATES.rglob("*.html")),
    ids=lambda path: path.relative_to(TEMPLATES).as_posix(),
)
def test_a_template_has_no_text_of_its_own(path: Path) -> None:
    """Also where no test brings about what the page would show."""
    assert unmarked(TEMPLATE.sub(" ", path.read_text())) - IN_TEMPLATES == set()


REFUSING = {
    "UsageError",
    "SubmissionError",
    "ProblemError",
    "OutOfReach",
    "abort",
    "flash",
    "failure",
}
# Refusals that no page shows: what a worker writes down, and what the command line says.
UNSEEN = {
    "the source of this submission is no longer kept",
    "the version that this rejudge is against is gone",
}


def test_every_refusal_can_be_translated() -> None:
    """Each sentence that pages and services refuse with is a message, not a text."""
    plain = set()
    for folder in ("api", "lti", "services", "web"):
        for path in (SERVER / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSING:
                    texts_of = [a for a in node.args if isinstance(a, ast.Constant | ast.JoinedStr)]
                    plain |= {
                        f"{path.name}: {ast.unparse(text)}"
                        for text in texts_of
                        if not (isinstance(text, ast.Constant) and not isinstance(text.value, str))
                        and getattr(text, "value", "") not in UNSEEN
                    }
    assert sorted(plain) == []


def test_what_is_not_so_is_said_in_plain_english() -> None:
    """Not "'X' is no slug", which a reader from elsewhere stumbles over; "there is no 'X'" and "is
    no longer kept" are plain.
    """
    said = []
    for domain in ("server", "grader"):
        path = REPOSITORY / domain / "locale" / "zh" / "LC_MESSAGES" / f"{domain}.po"
        with path.open("rb") as file:
            said += [str(entry.id) for entry in read_po(file, locale="zh") if entry.id]
    assert len(said) > 1000
    stilted = r"(?<!here )\b(is|are|was|were) no (?!longer\b)"
    assert [text for text in said if re.search(stilted, text)] == []


def test_every_name_of_a_closed_set_is_known() -> None:
    shown = [
        *Outcome,
        *State,
        *Role,
        *track_order(ROOT),
        *DIFFICULTIES,
        "opening",
        "ready",
        "unavailable",
    ]
    assert sorted(set(map(str, shown)) - set(names.LABELS)) == []


def test_a_message_keeps_its_parts() -> None:
    inner = Message("the name")
    message = counted("%(field)s: %(num)s byte", "%(field)s: %(num)s bytes", 70_000, field=inner)
    assert message == "the name: 70,000 bytes"
    again = stored(storable(message))
    assert (again, again.pattern, again.number) == (message, "%(field)s: %(num)s byte", 70_000)
    assert isinstance(again.parameters["field"], Message)
    assert str(counted("%(num)s byte", "%(num)s bytes", 1)) == "1 byte"
    assert Message("100 % of %s") == "100 % of %s"  # nothing is filled in where there is nothing


def test_a_text_of_the_judge_keeps_its_parts() -> None:
    words = T_("%(key)s is missing; see %(manual)s", key="'a'", manual="b.md")
    said = sentence(ProblemError(words))
    assert said == "'a' is missing; see b.md" and isinstance(said, Saying)
    again = stored(storable(said))
    assert (again, again.text) == (said, words)
    message = stored(storable(Message("Not saved: %(reason)s.", reason=said)))
    assert message == f"Not saved: {said}." and isinstance(message.parameters["reason"], Saying)
    assert type(sentence(ValueError(1))) is str


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("zh-CN,zh;q=0.9", "zh"),
        ("zh-Hant-TW", "zh"),
        ("en;q=0.5, zh;q=0.8", "zh"),
        ("zh;q=0, en", "en"),
        ("fr, de;q=0.5", "en"),
        ("", "en"),
        ("*", "en"),
    ],
)
def test_the_language_that_a_browser_asks_for(marking: World, asked: str, language: str) -> None:
    known = {"en": "EN", "zh": "中文"}
    with marking.app.test_request_context(headers={"Accept-Language": asked}):
        marking.app.extensions["languages"], kept = known, marking.app.extensions["languages"]
        try:
            assert texts.language() == language
        finally:
            marking.app.extensions["languages"] = kept


def test_values_are_escaped_in_a_text_with_html(marking: World) -> None:
    from markupsafe import Markup

    with marking.app.test_request_context():
        link = Markup("<b>x</b>")
        said = texts.translate("%(left)s and %(right)s", left=link, right="<i>")
        assert said == "<b>x</b> and &lt;i&gt;" and hasattr(said, "__html__")
        assert not hasattr(
            texts.translate("%(left)s and %(right)s", left="<", right=""), "__html__"
        )
