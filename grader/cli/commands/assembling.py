"""The command that puts the model of the capstone together: `assemble`."""

from pathlib import Path

import click

from grader import problem as bank_module
from grader.cli.language import command, option
from grader.cli.options import MOST, WholeNumber, bank_option, isolation_option, lang_option
from grader.cli.terminal import guarded


@command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@option(
    "--part",
    "named",
    multiple=True,
    metavar="SLUG=FILE",
    help="A file of yours for one part; may be given several times.",
)
@option("--prompt", "text", metavar="TEXT", help="Let the model continue this text.")
@option(
    "--tokens",
    "count",
    type=WholeNumber(1, 500),
    default=200,
    show_default=True,
    help="How many characters it writes.",
)
@option(
    "--temperature",
    type=float,
    default=0.0,
    show_default=True,
    help="0 always takes the best character; up to 2.",
)
@option("--seed", type=WholeNumber(0, MOST), default=0, show_default=True, help="Other text.")
@option("--maps", is_flag=True, help="Show where the last character of the prompt looks.")
@option("--map", "one_map", metavar="LAYER.HEAD", help="Show one attention map of the prompt.")
@option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@isolation_option
@lang_option
@bank_option
@guarded
def assemble(
    folder: Path | None,
    named: tuple[str, ...],
    text: str | None,
    count: int,
    temperature: float,
    seed: int,
    maps: bool,
    one_map: str | None,
    form: str,
    isolation: str,
    lang: str,
    bank: Path | None,
) -> int:
    """Put a small language model together from your solutions, and let it write.

    DIR has files named after their problems. Each is judged first; the reference stands in for a
    part that is missing or not accepted.
    """
    from grader.capstone.writing import Prompt
    from grader.cli.assemble.session import Wish, read_map, run

    prompt = Prompt(text, count, temperature, seed) if text is not None else None
    wish = Wish(prompt, maps, read_map(one_map), form == "json")
    return run(folder, named, wish, bank or bank_module.default_bank(), isolation)
