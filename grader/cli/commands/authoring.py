"""The commands of an instructor: `new`, `verify`, `mutants`, `lessons` and `publish`."""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

import click

from grader import output
from grader import problem as bank_module
from grader.cli.language import _, command, option
from grader.cli.options import MOST, WholeNumber, bank_option, isolation_option
from grader.cli.terminal import ACCEPTED, NOT_ACCEPTED, console, guarded
from grader.errors import UsageError
from grader.findings.text import T_
from grader.frameworks import INSTALL, TITLES
from grader.model import Kind
from grader.problem import Problem


@command()
@click.argument("slug")
@option("--like", metavar="PROBLEM", default="", help="Begin with a copy of this problem.")
@option("--torch", is_flag=True, help="For PyTorch too.")
@option("--module", is_flag=True, help="Learners write an nn.Module.")
@option("--class", "class_", is_flag=True, help="Learners write a class, which a driver calls.")
@bank_option
@guarded
def new(slug: str, like: str, torch: bool, module: bool, class_: bool, bank: Path | None) -> int:
    """Write a new problem folder that explains itself; it fails `grade verify` until it is filled
    in.
    """
    from grader.cli.new import create

    if module + class_ + bool(like) > 1 or (like and torch):
        raise UsageError(
            T_("--like copies a problem as it is; choose one of --like, --module and --class")
        )
    kind = Kind.MODULE if module else Kind.CLASS if class_ else Kind.FUNCTION
    for path in create(bank or bank_module.default_bank(), slug, like, kind, torch):
        click.echo(path)
    told = _("change these, then: %(command)s") if like else _("fill these in, then: %(command)s")
    click.echo(told % {"command": f"grade verify {slug}"})
    return ACCEPTED


@command()
@click.argument("slugs", metavar="[PROBLEM|SYLLABUS]...", nargs=-1)
@option("--references", is_flag=True, help="Only judge the references, as submissions.")
@option(
    "--write",
    "target",
    type=click.Path(path_type=Path),
    help="Write the kill matrix of all as Markdown.",
)
@option("--seed", type=WholeNumber(0, MOST), default=0, show_default=True)
@option(
    "--seeds",
    type=WholeNumber(1, 1000),
    default=1,
    show_default=True,
    help="Verify with so many seeds, from --seed on.",
)
@option(
    "--mistake",
    "mistakes",
    multiple=True,
    metavar="NAME",
    help="Verify these mistakes only (repeatable); rules about all mistakes are not checked.",
)
@option(
    "--case",
    "cases",
    multiple=True,
    metavar="NAME",
    help="Verify these cases of one PROBLEM only (repeatable); rules about all cases are not"
    " checked.",
)
@option("--brief", is_flag=True, help="One line a problem; the matrix only where a rule is broken.")
@isolation_option
@bank_option
@guarded
def verify(
    slugs: tuple[str, ...],
    references: bool,
    target: Path | None,
    seed: int,
    seeds: int,
    mistakes: tuple[str, ...],
    cases: tuple[str, ...],
    brief: bool,
    isolation: str,
    bank: Path | None,
) -> int:
    """Check that PROBLEM (or every problem and syllabus) is publishable; print the kill matrix and
    each broken rule.
    """
    from grader.cli.verify import (
        check_references,
        check_syllabi,
        verify_one,
        verify_seeds,
        verifying,
    )
    from grader.mutation.record import FILE, read
    from grader.sandbox import open_sandbox
    from grader.syllabi import names

    root = bank or bank_module.default_bank()
    courses, slugs = _apart(slugs, names(root), bank_module.slugs(root))
    if courses and not slugs:
        return check_syllabi(root, courses, console())
    problems = _here(root, slugs, target)
    _check_mistakes(problems, mistakes)
    if cases and len(slugs) != 1:
        raise UsageError(
            T_("--case needs the name of one problem: grade verify PROBLEM --case NAME")
        )
    known = {*bank_module.slugs(root), *bank_module.slugs(bank_module.SHIPPED)}
    counted = read(root / "docs" / FILE)
    if target is not None:
        read(target.with_name(FILE))  # what is no such file is said before the work
    check = partial(verify_one, only=mistakes, cases=cases, known=known, counted=counted)

    if references:
        with open_sandbox(isolation) as sandbox:
            return check_references(problems, sandbox, seed, console())
    with verifying(isolation, len(problems), check) as verifier:
        every = range(seed, seed + seeds)
        status = verify_seeds(problems, verifier, every, target, brief, console())
    if not (slugs or mistakes):
        courses = names(root)
    return max(status, check_syllabi(root, courses, console()))


def _apart(
    words: tuple[str, ...], courses: Sequence[str], problems: Sequence[str]
) -> tuple[list[str], tuple[str, ...]]:
    """Syllabi and problems apart: a name that both have means the problem."""
    named = [word for word in words if word in courses and word not in problems]
    return named, tuple(word for word in words if word not in named)


def _here(root: Path, slugs: Collection[str], target: Path | None) -> list[Problem]:
    """Returns the problems named, or all for which a framework is installed; the others are said.

    Raises `UsageError` for a named one without, and for a page that would lack a framework.
    """
    problems = [bank_module.load(root, slug) for slug in slugs] or bank_module.load_bank(root)
    lacking = [problem for problem in problems if problem.missing]
    output.check(target)
    if target is not None and lacking:
        lack = T_(
            "--write needs every framework, and %(title)s is not installed; %(command)s",
            title=TITLES[lacking[0].missing[0]],
            command=INSTALL,
        )
        raise UsageError(lack)
    for problem in problems if slugs else ():
        problem.framework(problem.frameworks[0])
    absent = [problem.slug for problem in problems if not problem.runnable]
    if absent:
        words = _("left out, since their framework is not installed here: %(problems)s")
        console().print(words % {"problems": ", ".join(absent)}, markup=False, highlight=False)
    return [problem for problem in problems if problem.runnable]


def _check_mistakes(problems: list[Problem], names: tuple[str, ...]) -> None:
    known = [mistake.name for problem in problems for mistake in problem.mistakes]
    for name in names:
        if name not in known:
            words = T_(
                "no mistake '%(mistake)s'%(meant)s; --mistake takes a name in mistakes.toml",
                mistake=name,
                meant=bank_module.did_you_mean(name, known),
            )
            raise UsageError(words)


@command()
@click.argument("slugs", metavar="[PROBLEM]...", nargs=-1)
@option("--sample", type=WholeNumber(1, MOST), help="Judge so many of each reference.")
@option(
    "--write",
    "target",
    type=click.Path(path_type=Path),
    help="Add the counts to a JSON file; beside docs/bank.md, that page has them.",
)
@option("--seed", type=WholeNumber(0, MOST), default=0, show_default=True)
@isolation_option
@bank_option
@guarded
def mutants(
    slugs: tuple[str, ...],
    sample: int | None,
    target: Path | None,
    seed: int,
    isolation: str,
    bank: Path | None,
) -> int:
    """Judge every small change of the references of PROBLEM (or every problem); list each that is
    wrong and accepted.
    """
    from grader.cli.mutants import count_all
    from grader.mutation.record import read
    from grader.sandbox import open_sandbox

    root = bank or bank_module.default_bank()
    problems = _here(root, slugs, target)
    if target is not None:
        read(target)  # what is no such file is said before the work
    with open_sandbox(isolation) as sandbox:
        return count_all(problems, sandbox, seed, sample, target, console())


@command()
@click.argument("slugs", metavar="[LESSON]...", nargs=-1)
@isolation_option
@bank_option
@guarded
def lessons(slugs: tuple[str, ...], isolation: str, bank: Path | None) -> int:
    """Run the program of LESSON (or of every lesson), and check its links, figures and texts."""
    from grader import lessons as shelf
    from grader.cli.lessons import check_lessons
    from grader.sandbox import open_sandbox

    root = bank or bank_module.default_bank()
    everything = shelf.load_lessons(root)
    chosen = [shelf.load(root, slug) for slug in slugs] or everything
    problems = bank_module.load_bank(root)
    with open_sandbox(isolation) as sandbox:
        return check_lessons(chosen, everything, problems, sandbox, console())


@command()
@click.argument("url")
@click.argument("slug", metavar="PROBLEM")
@option("--note", default="", help="What is new in this version.")
@option(
    "--course",
    "courses",
    multiple=True,
    metavar="CODE",
    help="For the learners of this course only, until you open it (repeatable); CODE is the one"
    " with which they join.",
)
@bank_option
@guarded
def publish(url: str, slug: str, note: str, courses: tuple[str, ...], bank: Path | None) -> int:
    """Send PROBLEM to the server at URL, where it is verified and, when it is fit, published."""
    from grader.cli import publish as publishing

    problem = bank_module.load(bank or bank_module.default_bank(), slug)
    with console().status(slug) as status:
        done = publishing.publish(url, problem, note, courses, status.update)
    for finding in done.findings:
        click.echo(f"  {finding}")
    end = (
        _("✕ not fit, not published")
        if done.findings
        else _("✓ version %(number)s is published") % {"number": done.number}
    )
    click.echo(f"{slug}: {end}; {done.url}")
    return NOT_ACCEPTED if done.findings else ACCEPTED
