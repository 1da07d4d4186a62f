"""An item as text: the question, its program with numbered lines, and what an answer comes to."""

from collections.abc import Iterator, Sequence
from textwrap import indent

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from grader.cli.render.summary import SIGNS
from grader.findings.catalogue import N_
from grader.findings.sentences import sentences
from grader.practice import (
    Answered,
    Arrange,
    Beat,
    Bug,
    Fill,
    Given,
    Item,
    Mend,
    PredictRow,
    PredictShape,
    Step,
)
from grader.practice.lines import LEVEL, Line
from grader.practice.reading import MOST_INPUTS
from grader.practice.shown import with_blanks
from grader.verdict.translate import Translator

STEPS = {
    Step.PREDICT: N_("predict a result"),
    Step.ARRANGE: N_("put lines in order"),
    Step.FILL: N_("fill in what is left out"),
    Step.BUG: N_("find the wrong line and mend it"),
    Step.BEAT: N_("write inputs on which mistakes fail"),
}
ARRANGE = N_("Which lines belong in the place of the dots, and in which order?")
ARRANGE_HOW = N_("Some of them may belong nowhere. Answer with numbers, such as 3 1 2.")
FILL = N_("What belongs in the place of ____? Any right expression counts.")
BUG = N_("One line is wrong. In the case '%(case)s': %(message)s")
BUG_HOW = N_("Answer with the number of the line, or mend it: NUMBER: the whole line.")
SHAPE = N_("Case '%(case)s': which shape has %(tensor)s?")
SHAPE_HOW = N_("Answer with its sizes, such as 2 3 4.")
ROW = N_("Case '%(case)s': which of these is %(row)s?")
ROW_HOW = N_("Answer with a number. `grade show` prints the inputs of the case.")
BEAT = N_(
    "Each of %(count)d programs has a known mistake. Write inputs on which their results are wrong,"
    " so that each of them fails at least once."
)
BEAT_EXAMPLE = N_("These inputs are allowed:")
BEAT_HOW = N_(
    "Write at most %(most)d such inputs, each in a file or with a line --- between them, and answer"
    " with the names of the files."
)
BEATEN_COUNT = N_("%(count)d of %(total)d mistakes fail on your inputs.")
BEATEN = N_("Mistake %(number)d: %(hint)s")
THE_LINE = N_("That is the line. Mend it: %(line)d: the whole line as it should be.")
NOT_THE_LINE = N_("Line %(line)d is the same in a right program.")


def listing(items: Sequence[Item], out: Console, words: Translator) -> None:
    """Prints a line for each item."""
    if not items:
        out.print(words.gettext("there are no items of this kind"))
    table = Table(box=None, show_header=False, pad_edge=False)
    for item in items:
        table.add_row(item.id, words.gettext(STEPS[item.step]), _about(item, words))
    out.print(table)


def _about(item: Item, words: Translator) -> str:
    if isinstance(item, Arrange):
        return _counted(words, len(item.pool))
    if isinstance(item, Fill):
        return words.catalogue.ngettext("%(count)d blank", "%(count)d blanks", len(item.blanks)) % {
            "count": len(item.blanks)
        }
    if isinstance(item, Beat):
        return words.catalogue.ngettext(
            "%(count)d mistake", "%(count)d mistakes", len(item.mistakes)
        ) % {"count": len(item.mistakes)}
    return _counted(words, len(item.program)) if isinstance(item, Bug) else words.case(item.case)


def _counted(words: Translator, count: int) -> str:
    return words.catalogue.ngettext("%(count)d line", "%(count)d lines", count) % {"count": count}


def item(question: Item, out: Console, words: Translator) -> None:
    """Prints the question."""
    for part in _parts(question, words):
        out.print(part, highlight=False)


def _parts(question: Item, words: Translator) -> Iterator[RenderableType]:
    match question:
        case Arrange():
            yield from _arrange(question, words)
        case Fill():
            yield Text(words.gettext(FILL))
            yield _program(with_blanks(question))
        case Bug():
            told = sentences(question.findings, words.catalogue)
            yield Text(words.gettext(BUG) % {"case": words.case(question.case), "message": told})
            yield _program(question.program, numbered=True)
            yield Text(words.gettext(BUG_HOW), style="dim")
        case PredictShape():
            yield from _shape(question, words)
        case PredictRow():
            yield from _row(question, words)
        case Beat():
            yield Text(words.gettext(BEAT) % {"count": len(question.mistakes)})
            yield Text(words.gettext(BEAT_EXAMPLE))
            yield Text(indent(question.example, LEVEL))
            yield Text(words.gettext(BEAT_HOW) % {"most": MOST_INPUTS}, style="dim")


def _arrange(question: Arrange, words: Translator) -> Iterator[RenderableType]:
    yield Text(words.gettext(ARRANGE))
    level = min((line.indent for line in question.pool), default=0)
    yield _program((*question.before, Line("…", level), *question.after))
    yield Text()
    yield _program(question.pool, numbered=True)
    yield Text(words.gettext(ARRANGE_HOW), style="dim")


def _program(lines: Sequence[Line], numbered: bool = False) -> Text:
    width = len(str(len(lines)))
    text = Text()
    for number, line in enumerate(lines, 1):
        head = f"{number:{width}}  " if numbered else ""
        margin = " " * len(head) + LEVEL * line.indent
        code = line.text.replace("\n", f"\n{margin}")
        text.append(f"\n{head}", "dim").append(f"{LEVEL * line.indent}{code}")
    return text[1:]


def _shape(question: PredictShape, words: Translator) -> Iterator[RenderableType]:
    case = words.case(question.case)
    yield Text(words.gettext(SHAPE) % {"case": case, "tensor": question.tensor})
    for name, shape in question.shapes.items():
        yield Text(f"{LEVEL}{name}  {shape}")
    for name, value in question.options.items():
        yield Text(f"{LEVEL}{name} = {value!r}")
    yield Text(words.gettext(SHAPE_HOW), style="dim")


def _row(question: PredictRow, words: Translator) -> Iterator[RenderableType]:
    place = "".join(f"{i}, " for i in question.place)
    row = f"{question.tensor}[{place}:]" if place else question.tensor
    yield Text(words.gettext(ROW) % {"case": words.case(question.case), "row": row})
    table = Table(box=None, show_header=False, pad_edge=False)
    for number, choice in enumerate(question.choices, 1):
        table.add_row(Text(str(number), "dim"), *choice)
    yield table
    yield Text(words.gettext(ROW_HOW), style="dim")


def answered(
    question: Item, given: Given, judged: Answered, out: Console, words: Translator
) -> None:
    """Prints whether an answer is right, and what helps."""
    sign, colour = SIGNS[judged.right]
    line = Text(f"{sign} ", style=f"bold {colour}")
    line.append(words.gettext("right") if judged.right else words.gettext("not yet right"))
    if judged.kills:
        hit = sum(hint is not None for hint in judged.hints)
        told = words.gettext(BEATEN_COUNT) % {"count": hit, "total": len(judged.hints)}
        line.append(f"  {told}", "default")
    if judged.verdict is not None and not judged.right:
        line.append(f"  {words.of(judged.verdict)}", "default")
    out.print(line, highlight=False)
    if judged.kills:
        out.print(_matrix(judged, words), highlight=False)
    for text in _help(question, given, judged, words):
        out.print(Text(text), highlight=False)


def _help(question: Item, given: Given, judged: Answered, words: Translator) -> Iterator[str]:
    if isinstance(question, Bug) and not isinstance(given, Mend):
        yield words.gettext(THE_LINE if judged.right else NOT_THE_LINE) % {"line": given}
    if judged.hint is not None:
        yield words.hint(judged.hint.mistake, judged.hint.text)
    for number, hint in enumerate(judged.hints, 1):
        if hint is not None:
            told = words.hint(hint.mistake, hint.text)
            yield words.gettext(BEATEN) % {"number": number, "hint": told}


def _matrix(judged: Answered, words: Translator) -> Table:
    """The kill matrix: a row for each input, a column for each mistake."""
    table = Table(box=None, pad_edge=False, show_header=True)
    table.add_column(words.gettext("mistake"))
    for number in range(1, len(judged.hints) + 1):
        table.add_column(str(number), justify="center")
    for number, row in enumerate(judged.kills, 1):
        signs = ("✓" if killed else "·" for killed in row)
        table.add_row(words.gettext("input %(number)d") % {"number": number}, *signs)
    return table
