"""A made-up language in which every text of the catalogue stands between « and »: whatever a report
or `grade` says outside of them cannot be translated. It is made as any language is: by a folder.
"""

import gettext
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from click.testing import CliRunner
from rich.console import Console

from grader.cli import language
from grader.cli.main import grade
from grader.cli.render import report
from grader.findings import catalogue, sentences
from grader.findings.codes import Code, Pattern, Place
from grader.findings.finding import Finding
from grader.findings.sentences import sentence
from grader.model import Diagnosis, Outcome, Twin, Verdict
from grader.sandbox import SandboxPool
from grader.verdict.translate import translator
from tests.grader import test_findings
from tests.grader.cli import test_cli, test_report

LANGUAGE = "qps"
folder = test_cli.folder  # a fixture
# what a submission said, and nothing else
ITS_OWN = (Code.RAISED, Code.SYNTAX_ERROR)
OK = test_report.result("C2", Outcome.ACCEPTED)


@pytest.fixture(autouse=True)
def pseudo(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The language, beside the real ones."""
    for command in (grade, *grade.commands.values()):
        # click keeps it, in the language of another test of this process
        monkeypatch.setattr(command, "_help_option", None)
    place = tmp_path_factory.mktemp("locale")
    with (catalogue.FOLDER / "zh" / "LC_MESSAGES" / "grader.po").open("rb") as file:
        known = read_po(file)
    marked = Catalog(locale="en", domain="grader", fuzzy=False)
    for message in known:
        if message.id:
            both = isinstance(message.id, tuple)
            text = tuple(f"«{one}»" for one in message.id) if both else f"«{message.id}»"
            marked.add(message.id, text, context=message.context)
    out = io.BytesIO()
    write_mo(out, marked)
    target = place / LANGUAGE / "LC_MESSAGES" / "grader.mo"
    target.parent.mkdir(parents=True)
    target.write_bytes(out.getvalue())
    monkeypatch.setattr(catalogue, "FOLDER", place)
    monkeypatch.setenv("LANGUAGE", "")
    yield
    language.choose("en")


def unmarked(text: str) -> list[str]:
    """The words outside of all marks."""
    depth, rest = 0, []
    for character in text:
        depth += {"«": 1, "»": -1}.get(character, 0)
        rest.append(character if depth == 0 and character not in "«»" else " ")
    assert depth == 0, text
    return re.findall(r"[A-Za-z]{3,}", "".join(rest))


def test_marks_are_counted() -> None:
    assert unmarked("one «two «three»» (four)") == ["one", "four"]


def test_the_language_is_there() -> None:
    assert catalogue.languages() == ("en", LANGUAGE)
    assert gettext.find("grader", catalogue.FOLDER, [LANGUAGE])


@pytest.mark.parametrize(
    "found",
    [row[0] for row in test_findings.SENTENCES if row[0].code not in ITS_OWN],
    ids=[row[1][:50] for row in test_findings.SENTENCES if row[0].code not in ITS_OWN],
)
def test_every_finding_is_marked(found: Finding) -> None:
    words = catalogue.catalogue(LANGUAGE)
    assert unmarked(sentence(found, words)) == []


@pytest.mark.parametrize("code", [*Place, *Pattern])
def test_every_place_and_pattern_is_marked(code: Place | Pattern) -> None:
    """By itself, since inside the marks of a sentence English would be hidden."""
    said = sentences._detail(test_findings.examples(code), catalogue.catalogue(LANGUAGE))
    assert said and unmarked(said) == []


def shown(verdict: Verdict) -> str:
    """The report in the made-up language."""
    out = io.StringIO()
    console = Console(file=out, width=10_000, highlight=False, emoji=False)
    for verbose in (False, True):
        report.text(verdict, console, translator(None, LANGUAGE), verbose)
    return out.getvalue()


@pytest.mark.parametrize("isolation", ["bubblewrap", "process"])
def test_every_line_of_a_report_is_marked(isolation: str) -> None:
    cases = [
        replace(
            test_report.result("C0", Outcome.WRONG_ANSWER, sample=True, printed="1"),
            findings=(found,),
            note="",
        )
        for found, _, _ in test_findings.SENTENCES
        if found.code not in ITS_OWN
    ]
    twin = replace(cases[0], name="C1", sample=False, twin=Twin.FAILS)
    seen = Diagnosis("M1", "", ("C0",))
    for first in (cases, [twin]):
        verdict = test_report.verdict(*first, OK, diagnosis=seen, isolation=isolation)
        said = shown(verdict)
        assert set(unmarked(said)) <= {"scores", "numpy", "mask", "causal", "True"}, said
        assert "«what it looks like»" in said
    unloaded = replace(cases[0], verdict=Outcome.COMPILE_ERROR)
    assert set(unmarked(shown(test_report.verdict(unloaded, unloaded)))) <= {"scores", "numpy"}


def said(*words: str) -> str:
    """What a command prints in the made-up language."""
    found = CliRunner(env={"COLUMNS": "1000", "GRADE_LANG": LANGUAGE}).invoke(
        grade, list(words), prog_name="grade"
    )
    assert not isinstance(found.exception, Exception) or isinstance(found.exception, SystemExit), (
        found.exception
    )
    return found.output


# what is no prose: options, choices, what stands for a word, and the commands themselves
NO_PROSE = re.compile(r"--[a-z-]+|\[[a-z|]+\]|[A-Z_.]{3,}|\b(?:grade)\b|range|'[^']*'")


@pytest.mark.parametrize("command", ["", *sorted(grade.commands)])
def test_the_help_is_marked(command: str) -> None:
    # the list of commands cuts long lines, and their closing mark
    told = re.sub(
        r"«([^»\n]*)\.\.\.$", r"«\1»", said(*command.split(), "--help"), flags=re.MULTILINE
    )
    assert set(unmarked(NO_PROSE.sub("", told))) <= {command, *grade.commands}, told
    assert "«Usage:»" in told and "«Show this message and exit.»" in told


REFUSALS = {
    "no command": ("nonsense",),
    "no option": ("list", "--nonsense"),
    "no file": ("run",),
    "a number": ("run", "--jobs", "0", "x.py"),
    "a choice": ("run", "--format", "yaml", "x.py"),
    "a language": ("run", "--lang", "tlh", "x.py"),
    "two files": ("submit", "a.py", "b.py"),
    "a watched pair": ("run", "--watch", "a.py", "b.py"),
    "a file of no problem": ("run", "x.py"),
    "a problem without a file": ("run", "scores"),
    "a statement": ("show", "scores", "--lang", "tlh"),
    "a slug": ("new", "No Slug"),
    "no problem": ("run", "nope", "x.py"),
    "a misspelt problem": ("run", "score", "x.py"),
    "no bank": ("list", "--bank", "nowhere"),
    "another framework": ("run", "scores", "x.py", "--framework", "torch"),
    "no lesson": ("lessons", "nope"),
    "no case": ("verify", "scores", "--case", "nope"),
    "not logged in": ("submit", "scores", "x.py"),
    "no address": ("login", "nowhere", "--token", "secret"),
    "no server": ("login", "http://127.0.0.1:9", "--token", "secret"),
    "malformed": ("show", "both"),
}


@pytest.mark.parametrize("words", REFUSALS.values(), ids=REFUSALS.keys())
def test_a_refusal_is_marked(folder: Path, words: tuple[str, ...]) -> None:
    for name in ("a.py", "b.py", "x.py"):
        (folder / name).write_text("pass\n")
    (folder.parent / "bank" / "problems" / "both" / "problem.toml").write_text("titel = 1\n")
    told = said(*words)
    assert told and set(unmarked(NO_PROSE.sub("", told))) <= {*grade.commands}, told


def test_list_is_marked(folder: Path) -> None:
    told = said("list")
    assert set(unmarked(told)) <= {"scores", "both", "numpy", "torch"} and "«builds on»" in told


def test_show_start_and_twin_are_marked(folder: Path, sandbox: SandboxPool) -> None:
    assert "«sample: two by three»" in said("show", "scores")
    assert unmarked(said("start", "scores")) == []
    script = said("twin", "scores", "five by seven")
    told = [line for line in script.splitlines() if "#" in line or "print" in line]
    assert len(told) == 3 and set(unmarked("\n".join(told))) <= {"print"}


def test_doctor_is_marked(sandbox: SandboxPool) -> None:
    told = said("doctor")
    titles = [line.partition(":")[0] for line in told.splitlines() if line[:1] in "✓✕–"]
    names = {"python", "linux", "numpy", "torch", "safetensors", "pyseccomp", "libseccomp"}
    assert set(unmarked("\n".join(titles))) <= {*names, "bubblewrap", "docker"}
    assert "«rooms can" in told
