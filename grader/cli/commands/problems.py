"""The commands with which a learner reads problems: `list`, `show`, `start` and `twin`."""

import io
from pathlib import Path

import click

from grader import output
from grader import problem as bank_module
from grader.cli.language import _, choose, chosen, command, option
from grader.cli.options import bank_option, framework_option, isolation_option
from grader.cli.terminal import ACCEPTED, console, guarded
from grader.errors import UsageError
from grader.findings.catalogue import languages
from grader.findings.text import T_


@command("list")
@bank_option
@guarded
def list_problems(bank: Path | None) -> int:
    """Show the problems in teaching order, what each builds on, and what you have solved."""
    from grader.cli.progress import solved
    from grader.cli.render.listing import listing, missing

    problems = bank_module.load_bank(bank or bank_module.default_bank())
    out = console()
    out.print(listing(problems, solved()))
    for line in missing(problems):
        out.print(line, style="yellow", markup=False, highlight=False)
    return ACCEPTED


@command()
@click.argument("problem")
@option("--lang", help="Language of the statement: en, zh (or GRADE_LANG).")
@bank_option
@isolation_option
@guarded
def show(problem: str, lang: str | None, bank: Path | None, isolation: str) -> int:
    """Print the statement of PROBLEM, its samples worked out by the reference."""
    from grader.answers import sample_answers
    from grader.cli.render.listing import missing
    from grader.cli.render.statement import footer, render
    from grader.sandbox import open_sandbox
    from grader.verdict.translate import translator

    loaded = bank_module.load(bank or bank_module.default_bank(), problem)
    if lang is not None and lang not in loaded.statements:
        raise UsageError(
            T_(
                "%(problem)s has no statement in '%(language)s'; it has %(known)s (--lang)",
                problem=problem,
                language=lang,
                known=", ".join(loaded.statements),
            )
        )
    if lang in languages():
        choose(lang)
    lang = lang or (chosen() if chosen() in loaded.statements else "en")
    with open_sandbox(isolation) as sandbox:
        out = console()
        out.print(
            render(
                loaded,
                lang,
                lambda: sample_answers(loaded, sandbox),
                translator(loaded, chosen()),
            )
        )
        out.print(footer(loaded))
    for line in missing([loaded]):
        out.print(line, style="yellow", markup=False, highlight=False)
    return ACCEPTED


@command()
@click.argument("problem")
@framework_option
@bank_option
@guarded
def start(problem: str, framework: str | None, bank: Path | None) -> int:
    """Write the starter of PROBLEM into this folder; an existing file is never overwritten."""
    loaded = bank_module.load(bank or bank_module.default_bank(), problem)
    chosen = loaded.named(framework) if framework else loaded.frameworks[0]
    path = Path(f"{loaded.slug}_{chosen}.py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(loaded.starters[chosen])
    except FileExistsError:
        raise UsageError(
            T_("%(path)s exists and is not touched; rename it to start again", path=str(path))
        ) from None
    except OSError as error:
        path.unlink(missing_ok=True)  # a full disk leaves no half of it
        raise UsageError(
            T_("%(path)s: cannot be written: %(reason)s", path=str(path), reason=error.strerror)
        ) from None
    command = f"grade run {path}"
    click.echo(
        _("%(path)s: write the solution there, then: %(command)s")
        % {"path": path, "command": command}
    )
    return ACCEPTED


@command()
@click.argument("problem")
@click.argument("case")
@framework_option
@option(
    "--save",
    type=click.Path(path_type=Path),
    help="Keep the arrays in this .npz file instead of printing them.",
)
@bank_option
@isolation_option
@guarded
def twin(
    problem: str,
    case: str,
    framework: str | None,
    save: Path | None,
    bank: Path | None,
    isolation: str,
) -> int:
    """Print CASE of PROBLEM with public inputs, and what is expected, as a Python script."""
    from grader.answers import public_answers
    from grader.cli.render.twin import arrays, script
    from grader.sandbox import open_sandbox

    loaded = bank_module.load(bank or bank_module.default_bank(), problem)
    chosen = loaded.framework(framework or loaded.frameworks[0])
    output.check(save)
    with open_sandbox(isolation) as sandbox:
        answers = {answer.case.name: answer for answer in public_answers(loaded, chosen, sandbox)}
    if case not in answers:  # perhaps as a report in another language calls it
        names = {
            told: name for words in loaded.words.values() for name, told in words.names.items()
        }
        case = names.get(case, case)
    if case not in answers:
        words = T_(
            "%(problem)s has no case '%(case)s'%(meant)s; it has %(known)s",
            problem=problem,
            case=case,
            meant=bank_module.did_you_mean(case, answers),
            known=", ".join(f"'{name}'" for name in answers),
        )
        raise UsageError(words)
    text = script(loaded, chosen, answers[case], save)
    if save is not None:
        import numpy as np

        file = io.BytesIO()
        np.savez_compressed(file, **arrays(answers[case]))  # type: ignore[arg-type]
        output.write(save, file.getvalue())
    click.echo(text, nl=False)
    return ACCEPTED
