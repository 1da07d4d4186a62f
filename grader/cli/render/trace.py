"""A trace in a terminal: the learner's own lines, with what they compute beside them."""

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.cli.language import _, ngettext
from grader.cli.render.sample import numbers
from grader.explore.trace import Trace, WrongStep, wrong_step_text
from grader.findings.catalogue import N_
from grader.findings.sentences import sentences
from grader.inside.instrument import Kind
from grader.model import Outcome
from grader.sandbox import Step
from grader.sandbox.intake.decode import clean
from grader.verdict.translate import Translator

ROWS = 12  # steps that are shown without --all
AFTER = 2  # of them, after the first wrong one
FEW = 4  # numbers of a tensor beside a line
WHOLE = 36  # entries of the first wrong step that is shown whole
SIGN, LINE, CODE, VALUES = 1, 3, 27, 19  # columns; the rest says what a variable is
CUT = {
    "steps": N_("there are more steps than a trace keeps"),
    "bytes": N_("some values are too large to be kept"),
    "time": N_("it ran for too long and was stopped"),
    "value": N_("some values could not be read"),
    "source": N_("the file could not be prepared for a trace"),
}


def show(trace: Trace, source: str, out: Console, translator: Translator, every: bool) -> None:
    """Prints the steps, then the first wrong one. Without `every`, within one screen."""
    verdict = translator.outcome(trace.verdict)
    out.print(Text(f"{translator.case(trace.case.name)}: {verdict}", "bold"))
    chosen = trace.shown if every else _chosen(trace)
    left_out = len(trace.shown) - len(chosen)
    if chosen:
        out.print(_table(trace, source, chosen, out.width))
    for cut in trace.cut:
        out.print(Text(_(CUT[cut]), "dim"))
    if left_out:
        words = ngettext("%(count)d more step: --all", "%(count)d more steps: --all", left_out)
        out.print(Text(words % {"count": left_out}, "dim"))
    _conclusion(trace, out, translator)


def _conclusion(trace: Trace, out: Console, translator: Translator) -> None:
    if trace.verdict is Outcome.ACCEPTED:
        out.print(Text(_("the result is right"), "green"))
        return
    out.print(Text(sentences(trace.findings, translator.catalogue)))
    if trace.wrong is None:
        out.print(Text(_("no single step can be said to be the first wrong one"), "dim"))
        return
    values = trace.steps[trace.wrong.step].values if trace.wrong.step >= 0 else None
    if values is not None and 1 < values.size <= WHOLE:
        out.print(numbers(values))
    title = wrong_title(trace.wrong)
    out.print(title.append(wrong_step_text(trace.wrong, translator.catalogue), "default"))


def wrong_title(wrong: WrongStep) -> Text:
    """What stands before the sentence about a first wrong step."""
    return Text(_("first wrong step: ") if wrong.is_step else _("where to look: "), "bold red")


def _chosen(trace: Trace) -> list[int]:
    """The steps around the first wrong one; without one, the last ones."""
    steps = [i for i in trace.shown if trace.steps[i].kind is not Kind.ARGUMENT]
    wrong = trace.wrong.step if trace.wrong else -1
    end = len(steps)
    if wrong in steps:
        end = min(end, max(steps.index(wrong) + 1 + AFTER, ROWS))
    return steps[max(0, end - ROWS) : end]


def _table(trace: Trace, source: str, chosen: list[int], width: int) -> Table:
    """A row for each step; the code of a line stands beside its first step."""
    lines = source.splitlines()
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 1, 0, 0))
    rest = width - SIGN - LINE - CODE - 4
    for columns in (SIGN, LINE, CODE, rest - VALUES, VALUES):
        table.add_column(no_wrap=True, overflow="ellipsis", width=columns)
    last = 0
    for i in chosen:
        step = trace.steps[i]
        code = lines[step.line - 1].strip() if 0 < step.line <= len(lines) else ""
        fresh, last = step.line != last, step.line
        table.add_row(
            _sign(trace, i),
            Text(f"{step.line:{LINE}}" if fresh else "", "dim"),
            Text(clean(code) if fresh else ""),
            _what(step),
            Text(_few(step), "dim"),
        )
    return table


def _sign(trace: Trace, number: int) -> Text:
    if trace.wrong is not None and trace.wrong.step == number:
        return Text("✕", "bold red")
    match = None if number in trace.follows else trace.matches.get(number)
    right = match and match.right and not match.known.given and match.known.tensor.telling
    return Text("✓", "green") if right else Text("·", "dim")


def _what(step: Step) -> Text:
    """`scores (5,5) float32`."""
    shape = f" ({','.join(map(str, step.shape))})" if step.shape else ""
    times = f" ×{step.count}" if step.count > 1 else ""
    name = step.name if step.kind is not Kind.RETURN else "return"
    return Text(name, "bold").append(f"{shape} {step.dtype}{times}", "default")


def _few(step: Step) -> str:
    """The first numbers of a step, or its range where none are kept."""
    if step.values is None or not step.values.size:
        if step.range is None:
            return ""
        return f"{step.range.least:.3g} … {step.range.most:.3g}"
    flat = step.values.reshape(-1)
    more = " …" if flat.size > FEW else ""
    return " ".join(_number(value) for value in flat[:FEW]) + more


def _number(value: np.generic) -> str:
    if isinstance(value, np.bool_):
        return str(bool(value))
    return f"{float(value):.3g}"
