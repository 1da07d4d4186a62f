"""Finds the lessons of a bank, and reads the folder of one."""

import re
import textwrap
from pathlib import Path

from grader.errors import ProblemError, UsageError
from grader.findings.text import T_, Text
from grader.lessons.definition import Lesson
from grader.lessons.questions import read_questions
from grader.problem import bank_root, did_you_mean
from grader.problem.files import digest, read_text, read_toml
from grader.problem.table import Table

FILES = {".toml", ".md", ".py"}
LONGEST_TITLE, LONGEST_SUMMARY = 80, 300
MINUTES = range(1, 61)
BEGIN = re.compile(r"\s*# \[([a-z][a-z0-9_]{0,39})\]\s*")
END = re.compile(r"\s*# \[end\]\s*")


def slugs(bank: Path) -> list[str]:
    """Returns the slugs of a bank's lessons in alphabetical order."""
    return sorted(p.parent.name for p in (bank_root(bank) / "lessons").glob("*/lesson.toml"))


def load_lessons(bank: Path) -> list[Lesson]:
    """Reads every lesson of a bank and returns them in teaching order.

    Raises `ProblemError` for the first one that is malformed.
    """
    return sorted((load(bank, slug) for slug in slugs(bank)), key=lambda each: each.order)


def load(bank: Path, slug: str) -> Lesson:
    """Reads one lesson.

    Raises `UsageError` when the bank has none of that name, `ProblemError` when it is malformed.
    """
    folder = bank_root(bank) / "lessons" / slug
    known = slugs(bank)
    if slug not in known:
        words = T_(
            "no lesson '%(slug)s' in %(folder)s%(meant)s",
            slug=slug,
            folder=str(folder.parent),
            meant=did_you_mean(slug, known),
        )
        raise UsageError(words)
    return _read(slug, folder)


def _read(slug: str, folder: Path) -> Lesson:
    path = folder / "lesson.toml"
    toml = Table(read_toml(path), path, manual="docs/lessons.md")
    why = T_("it computes the lesson's numbers and figures")
    program = read_text(folder / "lesson.py", why)
    lesson = Lesson(
        slug=slug,
        title=_short(toml, "title", LONGEST_TITLE),
        title_zh=_short(toml, "title_zh", LONGEST_TITLE, ""),
        order=toml.integer("order"),
        minutes=_minutes(toml),
        summary=_short(toml, "summary", LONGEST_SUMMARY),
        summary_zh=_short(toml, "summary_zh", LONGEST_SUMMARY, ""),
        requires=toml.strings("requires", ()),
        problems=toml.strings("problems", ()),
        uses=toml.strings("uses", ()),
        texts=_texts(folder),
        program=program,
        regions=regions(program, folder / "lesson.py"),
        questions=read_questions(folder),
        digest=digest(_contents(folder)),
        folder=folder,
    )
    toml.reject_unknown()
    return lesson


def _short(toml: Table, key: str, most: int, *default: str) -> str:
    text = toml.string(key, *default).strip()
    if len(text) > most:
        words = T_(
            "%(key)s has %(count)d characters; use at most %(most)d",
            key=toml.where(key),
            count=len(text),
            most=most,
        )
        raise ProblemError(words)
    if not text and not default:
        raise ProblemError(T_("%(key)s is empty", key=toml.where(key)))
    return text


def _minutes(toml: Table) -> int:
    minutes = toml.integer("minutes")
    if minutes not in MINUTES:
        words = T_(
            "%(key)s is %(value)d; give %(least)d to %(most)d",
            key=toml.where("minutes"),
            value=minutes,
            least=MINUTES.start,
            most=MINUTES.stop - 1,
        )
        raise ProblemError(words)
    return minutes


def _texts(folder: Path) -> dict[str, str]:
    texts = {"en": read_text(folder / "lesson.md", T_("the learner reads it"))}
    if (folder / "lesson.zh.md").exists():
        texts["zh"] = read_text(folder / "lesson.zh.md", "")
    return texts


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in FILES and "__pycache__" not in path.parts
    }


def regions(program: str, path: Path) -> dict[str, str]:
    """Returns what stands between `# [name]` and `# [end]`, by name. Raises `ProblemError`."""
    contents: dict[str, list[str]] = {}
    name, begun = "", 0
    for number, line in enumerate(program.splitlines(), 1):
        begin = BEGIN.fullmatch(line)
        if END.fullmatch(line):
            if not name:
                raise _wrong(path, number, T_("'# [end]' ends no region"))
            name = ""
        elif begin and name:
            words = T_(
                "region '%(inner)s' begins inside '%(name)s' (line %(begun)d); write '# [end]'"
                " before it",
                inner=begin[1],
                name=name,
                begun=begun,
            )
            raise _wrong(path, number, words)
        elif begin:
            name, begun = begin[1], number
            if name in contents:
                raise _wrong(path, number, T_("region '%(name)s' is there twice", name=name))
            contents[name] = []
        elif name:
            contents[name].append(line)
    if name:
        raise _wrong(path, begun, T_("region '%(name)s' has no '# [end]'", name=name))
    return {name: textwrap.dedent("\n".join(lines)).strip("\n") for name, lines in contents.items()}


def _wrong(path: Path, line: int, what: Text) -> ProblemError:
    return ProblemError(
        T_("%(path)s, line %(line)d: %(what)s", path=str(path), line=line, what=what)
    )
