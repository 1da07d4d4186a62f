"""The commands around a solution: `practice` on the way to it, `solution` after it."""

from pathlib import Path

import click

from grader import problem as bank_module
from grader.cli.language import command, option
from grader.cli.options import bank_option, isolation_option, lang_option
from grader.cli.terminal import console, guarded
from grader.model import Framework

STEPS = ("predict", "arrange", "fill", "bug", "beat")

by_default_the_first = option(
    "--framework",
    type=click.Choice([str(f) for f in Framework]),
    help="By default the first one of the problem.",
)


@command()
@click.argument("slug", metavar="PROBLEM")
@option("--step", type=click.Choice(STEPS), help="Only items of this kind.")
@option("--list", "listed", is_flag=True, help="List the items; ask nothing.")
@option("--item", "name", metavar="ID", help="One item, such as fill-1.")
@option(
    "--answer",
    "texts",
    multiple=True,
    metavar="TEXT",
    help="The answer to --item; once for each blank.",
)
@option(
    "--input",
    "inputs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="For `beat`: a file with inputs, as `grade try` takes it; may be repeated.",
)
@option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@by_default_the_first
@isolation_option
@lang_option
@bank_option
@guarded
def practice(
    slug: str,
    step: str | None,
    listed: bool,
    name: str | None,
    texts: tuple[str, ...],
    inputs: tuple[Path, ...],
    form: str,
    framework: str | None,
    isolation: str,
    lang: str,
    bank: Path | None,
) -> int:
    """Practise on the way to PROBLEM: predict a result, arrange lines, fill in blanks, find a
    bug; at last, write inputs on which known mistakes fail.

    Without --item, asks one item after another; an empty answer goes on to the next one.
    """
    from grader.cli.practice.session import Wish, run
    from grader.practice.item import Step

    problem = bank_module.load(bank or bank_module.default_bank(), slug)
    chosen = problem.framework(framework or problem.frameworks[0])
    wish = Wish(Step(step) if step else None, name, texts, inputs, listed, form == "json")
    return run(problem, chosen, wish, isolation)


@command()
@click.argument("slug", metavar="PROBLEM")
@by_default_the_first
@option("--yes", "sure", is_flag=True, help="Show it unasked, also before PROBLEM is solved.")
@lang_option
@bank_option
@guarded
def solution(slug: str, framework: str | None, sure: bool, lang: str, bank: Path | None) -> int:
    """Show the reference of PROBLEM, why it works, and other right programs; asks first where
    nothing of yours was accepted.
    """
    from grader.cli.practice.solution import show

    root = bank or bank_module.default_bank()
    problem = bank_module.load(root, slug)
    chosen = problem.named(framework) if framework else problem.declared[0]
    return show(problem, chosen, root, sure, console())
