"""Which file is which part, and what the judge says of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.capstone.parts import SLUGS
from grader.cli import progress
from grader.cli.judging.request import Request, find_framework
from grader.errors import UsageError
from grader.findings.text import T_
from grader.judge import judge
from grader.model import Outcome, Submission, Verdict
from grader.problem import Problem, did_you_mean
from grader.sandbox import SandboxPool
from grader.source import read


@dataclass(frozen=True, slots=True)
class Judged:
    """A file that somebody gives as a part, and its verdict."""

    file: Path
    submission: Submission
    verdict: Verdict

    @property
    def accepted(self) -> bool:
        """Is it used in the model?"""
        return self.verdict.verdict is Outcome.ACCEPTED


def find(folder: Path | None, named: Sequence[str]) -> dict[str, Path]:
    """Returns the file of each part that there is one for: in a folder by name, or named one by
    one as SLUG=FILE. Raises `UsageError`.
    """
    files = _in(folder) if folder is not None else {}
    for word in named:
        slug, sign, file = word.partition("=")
        if not sign or not file:
            words = T_(
                "--part takes SLUG=FILE, such as %(example)s; there is '%(text)s'",
                example="rms_norm=my_norm.py",
                text=word,
            )
            raise UsageError(words)
        if slug not in SLUGS:
            words = T_(
                "'%(slug)s' is not a part of the model%(hint)s; the parts are %(known)s",
                slug=slug,
                hint=did_you_mean(slug, SLUGS),
                known=", ".join(SLUGS),
            )
            raise UsageError(words)
        files[slug] = Path(file)
    return files


def _in(folder: Path) -> dict[str, Path]:
    """The files of a folder that are named after a part, with or without its framework."""
    if not folder.is_dir():
        raise UsageError(T_("%(path)s: no such folder", path=str(folder)))
    names = {slug: (f"{slug}.py", f"{slug}_numpy.py", f"{slug}_torch.py") for slug in SLUGS}
    files = {slug: [folder / name for name in names[slug]] for slug in SLUGS}
    there = {slug: [path for path in paths if path.is_file()] for slug, paths in files.items()}
    return {slug: paths[0] for slug, paths in there.items() if paths}


def judge_files(
    files: Mapping[str, Path], problems: Mapping[str, Problem], sandbox: SandboxPool
) -> dict[str, Judged]:
    """Judges each file with its own problem's cases, and remembers what is solved.

    Raises `GradeError`.
    """
    return {slug: _judged(path, problems[slug], sandbox) for slug, path in files.items()}


def _judged(file: Path, problem: Problem, sandbox: SandboxPool) -> Judged:
    source = read(file)
    framework = find_framework(Request(file, problem.slug, None, 0, True), problem, source)
    submission = Submission(framework, source)
    verdict = judge(problem, submission, sandbox)
    progress.remember(verdict)
    return Judged(file, submission, verdict)
