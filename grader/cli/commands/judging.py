"""The commands that judge a learner's files: `run` here, `submit` on a server."""

from pathlib import Path

import click

from grader import problem as bank_module
from grader.cli.language import command, option
from grader.cli.options import (
    MOST,
    WholeNumber,
    bank_option,
    framework_option,
    hint_option,
    isolation_option,
    keep_option,
    lang_option,
    split,
    verbose_option,
)
from grader.cli.terminal import guarded
from grader.errors import UsageError
from grader.findings.text import T_


@command()
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
@keep_option
@option(
    "--seed", type=WholeNumber(0, MOST), default=0, show_default=True, help="Other hidden inputs."
)
@option("--watch", is_flag=True, help="Judge again at every save, until Ctrl-C.")
@option(
    "--jobs", type=WholeNumber(1, 64), default=1, show_default=True, help="Files judged at once."
)
@option("--no-rules", is_flag=True, help="Judge without the forbidden names.")
@hint_option
@verbose_option
@lang_option
@bank_option
@guarded
def run(
    targets: tuple[str, ...],
    framework: str | None,
    form: str,
    isolation: str,
    keep: bool | None,
    seed: int,
    watch: bool,
    jobs: int,
    no_rules: bool,
    hint_steps: int,
    verbose: bool,
    lang: str,
    bank: Path | None,
) -> int:
    """Judge one FILE, or several, against PROBLEM (may be left out when a file is named after its
    problem).
    """
    from grader.cli.judging.keeping import rooms_kept
    from grader.cli.judging.request import Request
    from grader.cli.judging.run import judge_files, told, watch_file
    from grader.sandbox.rooms import Rooms

    with told(form):
        root = bank or bank_module.default_bank()
        slug, files = split(targets, root)
        requests = [
            Request(file, slug, framework, seed, not no_rules, lang, verbose, hint_steps)
            for file in files
        ]
        rooms = Rooms(isolation, keep=rooms_kept(keep))
        if watch:
            if len(requests) != 1:
                raise UsageError(T_("--watch takes one file"))
            return watch_file(requests[0], root, rooms)
        return judge_files(requests, root, rooms, form, jobs)


@command()
@click.argument("targets", metavar="[PROBLEM] FILE", nargs=-1, required=True)
@framework_option
@option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "gradescope"]),
    default="text",
    show_default=True,
)
@option(
    "--use-last",
    is_flag=True,
    help="Use the last attempt that counts for an assignment without asking.",
)
@verbose_option
@lang_option
@bank_option
@guarded
def submit(
    targets: tuple[str, ...],
    framework: str | None,
    form: str,
    use_last: bool,
    verbose: bool,
    lang: str,
    bank: Path | None,
) -> int:
    """Send FILE to the server that you are logged in to; the report is the same as that of `grade
    run`.
    """
    from grader.cli.judging.request import Request
    from grader.cli.judging.run import submit_file, told

    with told(form):
        root = bank or bank_module.default_bank()
        slug, files = split(targets, root, elsewhere=True)
        if len(files) != 1:
            raise UsageError(T_("submit takes one file"))
        request = Request(files[0], slug, framework, 0, True, lang, verbose)
        return submit_file(request, root, form, use_last)
