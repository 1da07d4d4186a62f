"""The short report of a verdict: within one screen, whatever was submitted.

What is wrong is said once for all cases that it is wrong in. What does not fit is counted, and
`--verbose` shows it.
"""

import shlex
from collections.abc import Iterator, Mapping

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from grader.cli.render.sample import SMALL, sample, sample_title
from grader.findings.sentences import sentence
from grader.model import CaseResult, Diagnosis, Outcome, Twin, Verdict
from grader.verdict import grouping
from grader.verdict.redact import TIME_STEP_MS
from grader.verdict.translate import Translator

LINES = 23  # of a terminal of 24 lines: the prompt needs one
INDENT = " " * 5
SIGNS = {True: ("✓", "green"), False: ("✕", "red")}
MESSAGE_LINES = {1: 6, 2: 4}  # of each group, by how many groups there are; else 3
HINT_LINES = {1: 9, 2: 3}  # of each hint, by how many hints there are; else 2


def summary(
    verdict: Verdict, console: Console, translator: Translator, hints: Mapping[str, str]
) -> list[RenderableType]:
    """Returns the report: what is wrong, an example, hints, remarks, the verdict."""
    ending = headline(verdict, translator)
    failed = verdict.verdict is not Outcome.ACCEPTED
    groups = _groups(verdict, console, translator)
    kept = _height(_more(len(groups), translator), console) if failed else 0
    room = LINES - _height(ending, console) - kept
    remarks = [
        _first_lines(Text(remark, "dim"), 2, console.width, console)
        for remark in remark_lines(verdict, translator)
    ]
    # (place in the report, part); what comes first here is shown first if room is short
    parts: list[tuple[int, RenderableType]] = [
        *((0, part) for part in groups[:1]),
        *((4, part) for part in _hints(verdict, console, translator, hints)),
        *((5, part) for part in remarks[:1]),
        *((0, part) for part in groups[1:]),
        *((5, part) for part in remarks[1:]),
        *((3, part) for part in reproducing(verdict, translator)),
        *((1, part) for part in _passed(verdict, console, translator) if failed),
        *((2, part) for part in shown_sample(verdict, translator)),
    ]
    chosen: list[tuple[int, RenderableType]] = []
    for place, part in parts:
        if (height := _height(part, console)) <= room:
            chosen.append((place, part))
            room -= height
    left = len(groups) - sum(place == 0 for place, _ in chosen)
    more = [_more(left, translator)] if failed else []
    return [*(part for _, part in sorted(chosen, key=lambda part: part[0])), *more, ending]


def _height(part: RenderableType, console: Console) -> int:
    return len(console.render_lines(part, pad=False))


def _more(left: int, translator: Translator) -> Text:
    words = translator.catalogue
    if not left:
        return Text(words.gettext("each case by itself: --verbose"), "dim")
    text = words.ngettext(
        "%(count)d more finding, and each case by itself: --verbose",
        "%(count)d more findings, and each case by itself: --verbose",
        left,
    )
    return Text(text % {"count": left}, "dim")


def _groups(verdict: Verdict, console: Console, translator: Translator) -> list[Text]:
    groups = grouping.groups(verdict.cases)
    most = MESSAGE_LINES.get(len(groups), 3)
    return [_group(group, verdict, most, console, translator) for group in groups]


def _group(
    group: grouping.Group, verdict: Verdict, most: int, console: Console, translator: Translator
) -> Text:
    """One finding: in which cases on one line, what it is below."""
    title = Text(" ✕ ", "red").append(_where(group, len(verdict.cases), translator), "bold")
    title.truncate(console.width, overflow="ellipsis")
    public = translator.gettext(" (with public inputs)") if group.public else ""
    outcome = translator.outcome(group.example.verdict)
    told = Text(f"{outcome}{public}: {translator.group(group)}")
    body = _first_lines(told, most, max(20, console.width - len(INDENT)), console)
    # a line that the submission chose must not look like one of this report
    return title.append("\n").append(Text("\n").join(_indented(body)))


def _indented(text: Text) -> Iterator[Text]:
    for line in text.split("\n"):
        yield Text(INDENT).append_text(line)


def _where(group: grouping.Group, total: int, translator: Translator) -> str:
    count, names = len(group.cases), [case_name(case, translator) for case in group.cases]
    if count == 1:
        return names[0]
    if count == total and group.same:
        text = translator.catalogue.gettext("in all %(count)d cases")
    elif group.same:
        text = translator.catalogue.gettext("in %(count)d cases: %(names)s")
    else:
        text = translator.catalogue.gettext("in %(count)d cases, such as %(first)s")
    # a name may have a line break; this is one line
    told = text % {"count": count, "names": ", ".join(names), "first": names[0]}
    return " ".join(told.split())


def case_name(result: CaseResult, translator: Translator) -> str:
    """The name of a case; of a sample, said to be one."""
    return sample_title(result.name, translator) if result.sample else translator.case(result.name)


def _first_lines(text: Text, most: int, width: int, console: Console) -> Text:
    """The text in lines of that width, at most so many; an ellipsis says that more follows."""
    lines = text.wrap(console, width)
    kept = list(lines[:most])
    for line in kept:
        line.rstrip()
    if len(lines) > most:
        kept[-1].truncate(width - 2)
        kept[-1].append(" …")
    return Text("\n").join(kept)


def _passed(verdict: Verdict, console: Console, translator: Translator) -> Iterator[Text]:
    """One line with the names of the cases that passed."""
    names = [
        case_name(case, translator) for case in verdict.cases if case.verdict is Outcome.ACCEPTED
    ]
    if names:
        words = translator.gettext("passed: %(names)s") % {"names": ", ".join(names)}
        line = Text(" ✓ ", "green").append(" ".join(words.split()), "default")
        line.truncate(console.width, overflow="ellipsis")
        yield line


def shown_sample(verdict: Verdict, translator: Translator) -> Iterator[RenderableType]:
    """The numbers of the first wrong sample, else of the first public twin that is small."""
    wrong = [
        r
        for r in verdict.cases
        if r.verdict is Outcome.WRONG_ANSWER and r.case is not None and r.got
    ]
    shown = next((r for r in wrong if r.sample), None) or next(filter(_small, wrong), None)
    if shown is not None:
        yield sample(shown, translator)


def _small(result: CaseResult) -> bool:
    return any(values.size <= SMALL for values in result.expected.values())


def reproducing(verdict: Verdict, translator: Translator) -> Iterator[Text]:
    """The command that prints the first public twin that fails."""
    twin = next((r for r in verdict.cases if r.twin is Twin.FAILS), None)
    if twin is not None:
        command = f"grade twin {verdict.problem} {shlex.quote(twin.name)}"
        told = translator.gettext("to reproduce it: %(command)s") % {"command": command}
        yield Text(told, "dim")


def remark_lines(verdict: Verdict, translator: Translator) -> Iterator[str]:
    """What fails no case and is worth saying."""
    for remark in verdict.remarks:
        words = {"remark": sentence(remark, translator.catalogue)}
        yield translator.gettext("remark: %(remark)s") % words


def _hints(
    verdict: Verdict, console: Console, translator: Translator, hints: Mapping[str, str]
) -> Iterator[Panel]:
    """All known mistakes that the submission makes, in one frame."""
    most = HINT_LINES.get(len(verdict.diagnoses), 2)
    parts: list[Text] = []
    for diagnosis in verdict.diagnoses:
        hint = hint_text(diagnosis, translator, hints)
        parts.append(_first_lines(hint, most, console.width - 4, console))
        parts.append(Text(seen_in(diagnosis, verdict, translator), "dim"))
    if parts:
        yield hint_panel(parts, translator)


def hint_text(diagnosis: Diagnosis, translator: Translator, hints: Mapping[str, str]) -> Text:
    """What is said of a known mistake: its hint, or what is given in its place."""
    hint = translator.hint(diagnosis.mistake, diagnosis.hint)
    return Text(hints.get(diagnosis.mistake, hint))


def hint_panel(parts: list[Text], translator: Translator) -> Panel:
    """The frame around hints."""
    return Panel(
        Group(*parts),
        title=translator.gettext("what it looks like"),
        title_align="left",
        border_style="yellow",
    )


def seen_in(diagnosis: Diagnosis, verdict: Verdict, translator: Translator) -> str:
    """The name of a known mistake, and how many cases show it."""
    if diagnosis.guess:
        return translator.gettext(
            "%(mistake)s, a guess: the same cases fail in the same manner, with other numbers"
        ) % {"mistake": diagnosis.mistake}
    return translator.gettext("%(mistake)s, seen in %(count)d of %(total)d cases") % {
        "mistake": diagnosis.mistake,
        "count": len(diagnosis.cases),
        "total": len(verdict.cases),
    }


def duration(wall_ms: float, translator: Translator) -> str:
    """Milliseconds as far as they are told of a hidden case."""
    if wall_ms >= TIME_STEP_MS:
        return translator.gettext("%(ms)d ms") % {"ms": round(wall_ms)}
    return translator.gettext("under %(ms)d ms") % {"ms": TIME_STEP_MS}


def headline(verdict: Verdict, translator: Translator) -> Text:
    """The last lines: verdict and score; problem, time, and where it ran."""
    sign, colour = SIGNS[verdict.verdict is Outcome.ACCEPTED]
    passed = sum(r.verdict is Outcome.ACCEPTED for r in verdict.cases)
    total = sum(r.wall_ms for r in verdict.cases)
    line = Text(f"{sign} {translator.outcome(verdict.verdict)}", style=f"bold {colour}")
    counts = translator.gettext("%(passed)d of %(total)d cases, %(score)d/%(most)d points") % {
        "passed": passed,
        "total": len(verdict.cases),
        "score": verdict.score,
        "most": verdict.max_score,
    }
    line.append(f"  {counts}", "default")
    line.append(
        f"\n  {verdict.problem}, {verdict.framework}, {duration(total, translator)}, ", "dim"
    )
    if verdict.isolation == "process":
        return line.append(
            translator.gettext("NOT SEALED: a plain process under your user"), "bold yellow"
        )
    sealed = translator.gettext("sealed by %(isolation)s") % {"isolation": verdict.isolation}
    return line.append(sealed, "dim")
