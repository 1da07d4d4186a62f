"""The lessons as they lie in the bank; a change of a file counts within a second."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import GradeError
from grader.lessons import Lesson, Word, digest_of, load, read_why, read_words, slugs
from grader.problem import Problem
from server.messages import sentence
from server.services.problems.bank import Bank

CHECK_S = 1.0

Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: the lessons in teaching order, and why others could not be, by slug."""

    lessons: tuple[Lesson, ...] = ()
    faults: Mapping[str, str] = field(default_factory=dict)
    words: tuple[Word, ...] = ()


class Lessons:
    """The current lessons. Safe to use from several threads."""

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self._read, self._stamp, self._checked = Read(), Stamp(), 0.0
        self._lock = threading.Lock()

    def all(self) -> Sequence[Lesson]:
        """Every lesson that can be read, in teaching order."""
        return self._current().lessons

    def faults(self) -> Mapping[str, str]:
        """Why the other lessons cannot be read, by slug."""
        return self._current().faults

    def words(self) -> Sequence[Word]:
        """The words that are explained, in alphabetical order."""
        return self._current().words

    def why(self, problem: str, language: str) -> str:
        """Why the reference of a problem works; empty where nothing is written about it."""
        try:
            return read_why(self.bank.root(), problem, language)
        except GradeError:  # no folder is there, or the text is too long: the page does without
            return ""

    def get(self, slug: str) -> Lesson | None:
        """One lesson."""
        return next((lesson for lesson in self.all() if lesson.slug == slug), None)

    def about(self, problem: str) -> list[Lesson]:
        """The lessons that lead to a problem."""
        return [lesson for lesson in self.all() if problem in lesson.problems]

    def problems(self) -> dict[str, Problem]:
        """The problems of the bank by slug."""
        return {problem.slug: problem for problem in self.bank.problems()}

    def digest(self, lesson: Lesson) -> str:
        """Under which a lesson's values are kept. Raises `ProblemError`."""
        return digest_of(lesson, self.problems())

    def _current(self) -> Read:
        with self._lock:
            if time.monotonic() - self._checked >= CHECK_S or not self._checked:
                self._refresh()
                self._checked = time.monotonic()
            return self._read

    def _refresh(self) -> None:
        try:
            root = self.bank.root()
        except GradeError:  # every problem was published here, and no folder is there
            return
        stamp = _stamp(root / "lessons")
        if stamp != self._stamp:
            self._read, self._stamp = _read(root), stamp


def _stamp(folder: Path) -> Stamp:
    """The names, times and sizes of all files of a folder."""
    own = folder.glob("*/lesson*"), folder.glob("*/questions.toml"), folder.glob("words.toml")
    paths = (path for some in own for path in some)
    files = sorted(path for path in paths if path.is_file())
    stats = ((str(path), path.stat()) for path in files)
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


def _read(root: Path) -> Read:
    lessons, faults = [], {}
    for slug in slugs(root):
        try:
            lessons.append(load(root, slug))
        except GradeError as error:
            faults[slug] = sentence(error)
    try:
        words = read_words(root)
    except GradeError as error:
        words, faults["words"] = (), sentence(error)
    return Read(tuple(sorted(lessons, key=lambda each: (each.order, each.slug))), faults, words)
