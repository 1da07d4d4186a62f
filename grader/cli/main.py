"""The commands of `grade` with their options.

Each loads the module that carries it out only when it is called.
"""

import io
import os
import sys
from pathlib import Path

import click

from grader import problem as bank_module
from grader.cli.language import Group, Language, Option, _, choose, chosen, option, speak
from grader.cli.options import (
    MOST,
    WholeNumber,
    bank_option,
    framework_option,
    isolation_option,
    lang_option,
    split,
)
from grader.cli.terminal import (
    ACCEPTED,
    JUDGE_FAILED,
    NOBODY_READS,
    NOT_ACCEPTED,
    USAGE,
    console,
    guarded,
)
from grader.errors import UsageError
from grader.findings.catalogue import languages


def main() -> None:
    """The entry point of the `grade` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal without ✓ gets a question mark, not a traceback
            stream.reconfigure(errors="replace")
    status = ACCEPTED
    try:
        status = grade(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        status = end.exit_code
    except click.ClickException as error:
        error.show()
        status = USAGE
    except (KeyboardInterrupt, click.Abort):
        status = 130
    # whoever read has gone away; click makes a SystemExit of that, and of nothing else here
    except (BrokenPipeError, SystemExit):
        _silence()
        status = NOBODY_READS
    except OSError as error:
        click.echo(f"grade: {error.filename or 'output'}: {error.strerror}", err=True)
        _silence()
        status = JUDGE_FAILED
    sys.exit(status)


def _silence() -> None:
    """Let what is still to be written to a broken output go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@option(
    "--lang",
    type=Language(),
    callback=speak,
    is_eager=True,
    expose_value=False,
    help="Language of what grade says (or GRADE_LANG).",
)
@click.version_option(package_name="attention-judge", cls=Option)
def grade() -> None:
    """Learn attention by writing it: judge a file against a problem, in a sealed room."""


@grade.command("list")
@bank_option
@guarded
def list_problems(bank: Path | None) -> int:
    """Show the problems in teaching order, what each builds on, and what you have solved."""
    from grader.cli.listing import listing
    from grader.cli.progress import solved

    problems = bank_module.load_bank(bank or bank_module.default_bank())
    console().print(listing(problems, solved()))
    return ACCEPTED


@grade.command()
@click.argument("problem")
@option("--lang", help="Language of the statement: en, zh (or GRADE_LANG).")
@bank_option
@isolation_option
@guarded
def show(problem: str, lang: str | None, bank: Path | None, isolation: str) -> int:
    """Print the statement of PROBLEM, its samples worked out by the reference."""
    from grader.answers import sample_answers
    from grader.cli.statement import footer, render
    from grader.sandbox import open_sandbox
    from grader.translate import translator

    found = bank_module.load(bank or bank_module.default_bank(), problem)
    if lang is not None and lang not in found.statements:
        raise UsageError(
            _("%(problem)s has no statement in '%(language)s'; it has %(known)s (--lang)")
            % {"problem": problem, "language": lang, "known": ", ".join(found.statements)}
        )
    if lang in languages():
        choose(lang)
    lang = lang or (chosen() if chosen() in found.statements else "en")
    with open_sandbox(isolation) as sandbox:
        out = console()
        out.print(
            render(
                found,
                lang,
                lambda: sample_answers(found, sandbox),
                translator(found, chosen()),
            )
        )
        out.print(footer(found))
    return ACCEPTED


@grade.command()
@click.argument("problem")
@framework_option
@bank_option
@guarded
def start(problem: str, framework: str | None, bank: Path | None) -> int:
    """Write the starter of PROBLEM into this folder; an existing file is never overwritten."""
    found = bank_module.load(bank or bank_module.default_bank(), problem)
    chosen = found.framework(framework) if framework else found.frameworks[0]
    path = Path(f"{found.slug}_{chosen}.py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(found.starters[chosen])
    except FileExistsError:
        raise UsageError(
            _("%(path)s exists and is not touched; rename it to start again") % {"path": path}
        ) from None
    except OSError as error:
        raise UsageError(
            _("%(path)s: cannot be written: %(reason)s") % {"path": path, "reason": error.strerror}
        ) from None
    command = f"grade run {path}"
    click.echo(
        _("%(path)s: write the solution there, then: %(command)s")
        % {"path": path, "command": command}
    )
    return ACCEPTED


@grade.command()
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
    from grader.cli.twin import arrays, script
    from grader.sandbox import open_sandbox

    found = bank_module.load(bank or bank_module.default_bank(), problem)
    chosen = found.framework(framework) if framework else found.frameworks[0]
    with open_sandbox(isolation) as sandbox:
        answers = {answer.case.name: answer for answer in public_answers(found, chosen, sandbox)}
    if case not in answers:
        raise UsageError(
            _("%(problem)s has no case '%(case)s'%(meant)s; it has %(known)s")
            % {
                "problem": problem,
                "case": case,
                "meant": bank_module.did_you_mean(case, answers),
                "known": ", ".join(answers),
            }
        )
    text = script(found, chosen, answers[case], save)
    if save is not None:
        import numpy as np

        with save.open("wb") as file:
            np.savez_compressed(file, **arrays(answers[case]))  # type: ignore[arg-type]
    click.echo(text, nl=False)
    return ACCEPTED


@grade.command()
@click.argument("targets", metavar="[PROBLEM] FILE...", nargs=-1, required=True)
@framework_option
@option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "gradescope"]),
    default="text",
    show_default=True,
)
@isolation_option
@option(
    "--seed", type=WholeNumber(0, MOST), default=0, show_default=True, help="Other hidden inputs."
)
@option("--watch", is_flag=True, help="Judge again at every save, until Ctrl-C.")
@option(
    "--jobs", type=WholeNumber(1, 64), default=1, show_default=True, help="Files judged at once."
)
@option("--no-rules", is_flag=True, help="Judge without the forbidden names.")
@lang_option
@bank_option
@guarded
def run(
    targets: tuple[str, ...],
    framework: str | None,
    form: str,
    isolation: str,
    seed: int,
    watch: bool,
    jobs: int,
    no_rules: bool,
    lang: str,
    bank: Path | None,
) -> int:
    """Judge one FILE, or several, against PROBLEM (may be left out when a file is named after its
    problem).
    """
    from grader.cli.run import Request, judge_files, watch_file

    root = bank or bank_module.default_bank()
    slug, files = split(targets, root)
    requests = [Request(file, slug, framework, seed, not no_rules, lang) for file in files]
    if watch:
        if len(requests) != 1:
            raise UsageError(_("--watch takes one file"))
        return watch_file(requests[0], root, isolation)
    return judge_files(requests, root, isolation, form, jobs)


@grade.command()
@click.argument("slugs", metavar="[PROBLEM]...", nargs=-1)
@option("--references", is_flag=True, help="Only judge the references, as submissions.")
@option(
    "--write",
    "target",
    type=click.Path(path_type=Path),
    help="Write the kill matrix of all as Markdown.",
)
@option("--seed", type=WholeNumber(0, MOST), default=0, show_default=True)
@option("--brief", is_flag=True, help="One line a problem; the matrix only where a rule is broken.")
@isolation_option
@bank_option
@guarded
def verify(
    slugs: tuple[str, ...],
    references: bool,
    target: Path | None,
    seed: int,
    brief: bool,
    isolation: str,
    bank: Path | None,
) -> int:
    """Is PROBLEM (or every problem) fit to use? Print the kill matrix and each broken rule."""
    from grader.cli.verify import check_references, verify_all
    from grader.sandbox import open_sandbox

    root = bank or bank_module.default_bank()
    problems = [bank_module.load(root, slug) for slug in slugs] or bank_module.load_bank(root)
    with open_sandbox(isolation) as sandbox:
        if references:
            return check_references(problems, sandbox, seed, console())
        return verify_all(problems, sandbox, seed, target, brief, console())


@grade.command()
@click.argument("slug")
@bank_option
@guarded
def new(slug: str, bank: Path | None) -> int:
    """Write a new problem folder that explains itself; it fails `grade verify` until it is filled
    in.
    """
    from grader.cli.new import create

    for path in create(bank or bank_module.default_bank(), slug):
        click.echo(path)
    click.echo(_("fill these in, then: %(command)s") % {"command": f"grade verify {slug}"})
    return ACCEPTED


@grade.command()
@guarded
def doctor() -> int:
    """Say what the sealed room needs: present or missing, and the command that mends it."""
    from rich.text import Text

    from grader.cli.doctor import examine

    out, broken = console(), False
    for check in examine():
        sign, colour = (
            ("✓", "green") if check.ok else ("✕", "red") if check.needed else ("–", "yellow")
        )
        line = Text(f"{sign} ", colour).append(f"{check.name}: {check.found}", "default")
        if not check.ok and check.remedy:
            line.append("\n    " + _("remedy: %(remedy)s") % {"remedy": check.remedy}, "dim")
        out.print(line, highlight=False)
        broken = broken or (check.needed and not check.ok)
    if broken:
        out.print(Text(_("rooms cannot be sealed here"), "bold red"))
    else:
        out.print(Text(_("rooms can be sealed here"), "bold green"))
    return USAGE if broken else ACCEPTED


@grade.command()
@click.argument("url")
@option("--token", help="The token; asked for when left out.")
@guarded
def login(url: str, token: str | None) -> int:
    """Keep a token of the server at URL for `grade submit` (readable by you only)."""
    from grader.cli import remote

    name = remote.login(
        url, token or click.prompt(_("token (from your profile page)"), hide_input=True)
    )
    click.echo(
        _("logged in to %(url)s as %(name)s; kept in %(file)s")
        % {"url": url, "name": name, "file": remote.login_file()}
    )
    return ACCEPTED


@grade.command()
@click.argument("targets", metavar="[PROBLEM] FILE", nargs=-1, required=True)
@framework_option
@option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "gradescope"]),
    default="text",
    show_default=True,
)
@lang_option
@bank_option
@guarded
def submit(
    targets: tuple[str, ...], framework: str | None, form: str, lang: str, bank: Path | None
) -> int:
    """Send FILE to the server that you are logged in to; the report is the same as that of `grade
    run`.
    """
    from grader.cli.run import Request, submit_file

    slug, files = split(targets, bank or bank_module.default_bank())
    if len(files) != 1:
        raise UsageError(_("submit takes one file"))
    return submit_file(
        Request(files[0], slug, framework, 0, True, lang), bank or bank_module.default_bank(), form
    )


@grade.command()
@click.argument("url")
@click.argument("slug", metavar="PROBLEM")
@option("--note", default="", help="What is new in this version.")
@bank_option
@guarded
def publish(url: str, slug: str, note: str, bank: Path | None) -> int:
    """Send PROBLEM to the server at URL, where it is verified and, when it is fit, published."""
    from grader.cli import publish as publishing

    problem = bank_module.load(bank or bank_module.default_bank(), slug)
    with console().status(slug) as status:
        done = publishing.publish(url, problem, note, status.update)
    for finding in done.findings:
        click.echo(f"  {finding}")
    end = (
        _("✕ not fit, not published")
        if done.findings
        else _("✓ version %(number)s is published") % {"number": done.number}
    )
    click.echo(f"{slug}: {end}; {done.url}")
    return NOT_ACCEPTED if done.findings else ACCEPTED
