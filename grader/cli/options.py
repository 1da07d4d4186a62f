"""Options and arguments that several commands take."""

from pathlib import Path
from typing import Any

import click

from grader import problem as bank_module
from grader.cli.language import Language, _, option, speak
from grader.errors import UsageError
from grader.findings.text import T_
from grader.model import ISOLATIONS, Framework

MOST = 2**63 - 1  # a seed


class WholeNumber(click.IntRange):
    """A number of an option; what is none is told what would be one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Raises `click.BadParameter`."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            words = _("'%(value)s' is not a whole number from %(least)d to %(most)d.")
            values = {"value": value, "least": self.min, "most": self.max}
            self.fail(words % values, param, ctx)


bank_option = option(
    "--bank",
    type=click.Path(path_type=Path),
    help="Folder with problems/ and reference/ (or GRADE_BANK).",
)
isolation_option = option(
    "--isolation",
    type=click.Choice(ISOLATIONS),
    default="bubblewrap",
    show_default=True,
    help="Where the code runs; 'process' does not isolate it at all.",
)
framework_option = option(
    "--framework",
    type=click.Choice([str(f) for f in Framework]),
    help="Needed only when the file does not tell.",
)
keep_option = option(
    "--keep/--no-keep",
    default=None,
    help="Leave the room warm for the next run; the default on a terminal (or GRADE_KEEP).",
)
verbose_option = option(
    "--verbose", is_flag=True, help="Show each case by itself, and everything in full."
)
hint_option = option(
    "--hint",
    "hint_steps",
    type=WholeNumber(0, 4),
    default=0,
    metavar="N",
    help="Show the first N steps of each hint: a question, where to look, the idea, the line.",
)
lang_option = option(
    "--lang",
    type=Language(),
    callback=speak,
    is_eager=True,
    help="Language of the text report (or GRADE_LANG).",
)


def split(
    targets: tuple[str, ...], root: Path, elsewhere: bool = False
) -> tuple[str | None, list[Path]]:
    """PROBLEM and FILEs apart: the first word is a problem when it is one, or when more words
    follow and it is no file; `elsewhere` there may be problems that this bank does not have.
    """
    known = bank_module.slugs(root)
    first, rest = targets[0], targets[1:]
    if first in known and (rest or not Path(first).is_file()):
        if not rest:
            command = click.get_current_context().command_path
            raise UsageError(
                T_("name the file to judge: %(command)s", command=f"{command} {first} FILE")
            )
        return first, [Path(name) for name in rest]
    if rest and not Path(first).exists() and not first.endswith(".py"):
        if elsewhere:
            return first, [Path(name) for name in rest]
        bank_module.load(root, first)  # says which problem was meant
    return None, [Path(name) for name in targets]
