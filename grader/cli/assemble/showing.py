"""An assembled model on a terminal: its parts, what it writes, and where it looks."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.capstone.check import COUNT, Comparison
from grader.capstone.parts import Part
from grader.capstone.weights import LAYERS
from grader.cli.assemble.files import Judged
from grader.cli.language import _, chosen
from grader.cli.render.summary import SIGNS, hint_text
from grader.verdict.translate import translator

BEGINNING = "¶"  # the beginning of a paragraph, which stands before every prompt


def parts(model: Sequence[Part], judged: Mapping[str, Judged], out: Console) -> None:
    """Prints whose each part is, and what is wrong with a file that is not used."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for title in ("", _("part"), _("whose"), _("file")):
        table.add_column(title, no_wrap=title == _("part"))
    for part in model:
        table.add_row(*_row(part, judged.get(part.problem.slug)))
    out.print(table, highlight=False)
    for part in model:
        if (refused := judged.get(part.problem.slug)) and not part.own:
            for line in _refused(part, refused):
                out.print(line, highlight=False)
    count = sum(part.own for part in model)
    if count == len(model):
        out.print(Text(_("every part of this model is yours"), "bold green"))
    else:
        words = _("%(own)d of %(total)d parts are yours; the reference stands in for the others")
        out.print(Text(words % {"own": count, "total": len(model)}), highlight=False)


def _row(part: Part, judged: Judged | None) -> tuple[Text, ...]:
    sign, colour = SIGNS[part.own]
    mark = Text(sign, colour) if judged is not None else Text(" ")
    whose = Text(_("yours"), "green") if part.own else Text(_("reference"), "dim")
    return mark, Text(part.problem.slug), whose, Text(str(judged.file) if judged else "", "dim")


def _refused(part: Part, judged: Judged) -> Iterator[Text]:
    """What the part's own judge says of a file."""
    words = translator(part.problem, chosen())
    sign, colour = SIGNS[False]
    line = Text(f"{sign} {part.problem.slug}: ", f"bold {colour}")
    yield line.append(words.outcome(judged.verdict.verdict), "bold").append(
        f"\n  {words.of(judged.verdict)}", "default"
    )
    for diagnosis in judged.verdict.diagnoses:
        yield Text("  ").append_text(hint_text(diagnosis, words, {}))
    command = f"grade run {part.problem.slug} {judged.file}"
    yield Text("  " + _("more: %(command)s") % {"command": command}, "dim")


def compared(comparisons: Sequence[Comparison], out: Console) -> None:
    """Prints whether the model writes what the reference writes."""
    for each in comparisons:
        if not each.right:
            words = _(
                "after '%(prompt)s', character %(number)d is another one than the reference's"
            )
            told = words % {"prompt": each.prompt, "number": each.same + 1}
            out.print(Text(f"✕ {told}", "red"), highlight=False)
    right = sum(each.right for each in comparisons)
    words = _(
        "after %(right)d of %(total)d prompts, it writes exactly the reference's"
        " %(count)d characters"
    )
    sign, colour = SIGNS[right == len(comparisons)]
    values = {"count": COUNT, "right": right, "total": len(comparisons)}
    out.print(Text(f"{sign} {words % values}", colour), highlight=False)


def looks(text: str, maps: Sequence[np.ndarray], out: Console) -> None:
    """Prints where the last character of a text looks: each weight in tenths, below its key."""
    out.print(Text(_("where the last character looks, in tenths:"), "dim"))
    out.print(Text(" " * 5 + _shown(text)))
    for layer, heads in enumerate(maps):
        for head, weights in enumerate(heads):
            line = Text(f"{layer + 1}.{head + 1}  ", "dim").append(tenths(weights[-1]), "default")
            out.print(line.append(f"  {LAYERS[layer]}" if head == 0 else "", "dim"))


def whole_map(text: str, weights: np.ndarray, out: Console) -> None:
    """Prints one map: a row for each character of a text, a column for each that it looks at."""
    out.print(Text("  " + _shown(text)))
    for character, row in zip(_shown(text), weights, strict=True):
        out.print(Text(f"{character} ").append(tenths(row)))


def _shown(text: str) -> str:
    return BEGINNING + text.replace("\n", "¶")


def tenths(weights: np.ndarray) -> str:
    """Weights as digits: 9 for 0.9 and more, a point below 0.05, nothing for 0."""
    rounded = np.minimum(np.round(weights * 10), 9).astype(int)
    pairs = zip(rounded, weights, strict=True)
    return "".join(str(n) if n else "·" if weight > 0 else " " for n, weight in pairs)
