"""Verdict -> what a person or a machine reads: terminal, JSON, JUnit XML, Gradescope's
results.json.
"""

import json
import shlex
from xml.etree import ElementTree as ET

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from grader.case import Case
from grader.findings.sentences import sentence
from grader.model import CaseResult, Diagnosis, Outcome, Twin, Verdict
from grader.verdict.redact import TIME_STEP_MS
from grader.verdict.translate import ENGLISH, Translator

SMALL = 64  # entries of a tensor that is still shown
UNLOADED = (Outcome.COMPILE_ERROR, Outcome.RULE_VIOLATION)
SIGNS = {True: ("✓", "green"), False: ("✕", "red")}


def case_lines(verdict: Verdict, translator: Translator = ENGLISH) -> list[Text]:
    """One line a case; a file that does not even load fails all of them in the same way, so that is
    said once.
    """
    first = verdict.cases[0] if verdict.cases else None
    if (
        first is not None
        and len(verdict.cases) > 1
        and first.verdict in UNLOADED
        and len({c.message for c in verdict.cases}) == 1
    ):
        every = translator.gettext("all cases")
        title = f"{every}, {translator.outcome(first.verdict)}: "
        return [
            Text(" ✕ ", "red").append(title, "bold").append(translator.message(first), "default")
        ]
    return [case_line(result, translator) for result in verdict.cases]


def case_line(result: CaseResult, translator: Translator = ENGLISH) -> Text:
    """One line for one case."""
    sign, colour = SIGNS[result.verdict is Outcome.ACCEPTED]
    line = Text(f" {sign} ", style=colour)
    name = sample_title(result.name, translator) if result.sample else translator.case(result.name)
    line.append(name, style="default" if result.verdict is Outcome.ACCEPTED else "bold")
    line.append(f"  {duration(result.wall_ms, translator)}", style="dim")
    if result.verdict is not Outcome.ACCEPTED:
        # a line that the submission chose must not look like one of this report
        message = translator.message(result).replace("\n", "\n     ")
        public = translator.gettext(" (with public inputs)") if result.twin is Twin.FAILS else ""
        line.append(f"\n     {translator.outcome(result.verdict)}{public}: {message}")
    return line


def sample_title(name: str, translator: Translator) -> str:
    """The name of a sample, said to be one."""
    return translator.gettext("sample: %(case)s") % {"case": translator.case(name)}


def duration(wall_ms: float, translator: Translator = ENGLISH) -> str:
    """Milliseconds as far as they are told of a hidden case."""
    if wall_ms >= TIME_STEP_MS:
        return translator.gettext("%(ms)d ms") % {"ms": round(wall_ms)}
    return translator.gettext("under %(ms)d ms") % {"ms": TIME_STEP_MS}


def text(verdict: Verdict, console: Console, translator: Translator = ENGLISH) -> None:
    """Prints the whole report: cases, a failing sample or public twin, the diagnosis last."""
    for line in case_lines(verdict, translator):
        console.print(line, highlight=False)
    wrong = [
        r
        for r in verdict.cases
        if r.verdict is Outcome.WRONG_ANSWER and r.case is not None and r.got
    ]
    shown = next((r for r in wrong if r.sample), None) or next(
        (r for r in wrong if _small(r)), None
    )
    if shown is not None:
        console.print(sample(shown, translator), highlight=False)
    twin = next((r for r in verdict.cases if r.twin is Twin.FAILS), None)
    if twin is not None:
        command = f"grade twin {verdict.problem} {shlex.quote(twin.name)}"
        console.print(
            Text(translator.gettext("to reproduce it: %(command)s") % {"command": command}, "dim"),
            highlight=False,
        )
    for diagnosis in verdict.diagnoses:
        console.print(_hint(diagnosis, verdict, translator))
    for remark in verdict.remarks:
        words = {"remark": sentence(remark, translator.catalogue)}
        console.print(
            Text(translator.gettext("remark: %(remark)s") % words, "dim"), highlight=False
        )
    console.print(headline(verdict, translator), highlight=False)


def _hint(diagnosis: Diagnosis, verdict: Verdict, translator: Translator) -> Panel:
    """One known mistake that the submission makes."""
    seen = translator.gettext("%(mistake)s, seen in %(count)d of %(total)d cases") % {
        "mistake": diagnosis.mistake,
        "count": len(diagnosis.cases),
        "total": len(verdict.cases),
    }
    hint = Text(translator.hint(diagnosis.mistake, diagnosis.hint))
    return Panel(
        Group(hint, Text(seen, style="dim")),
        title=translator.gettext("what it looks like"),
        title_align="left",
        border_style="yellow",
    )


def _small(result: CaseResult) -> bool:
    return any(values.size <= SMALL for values in result.expected.values())


def headline(verdict: Verdict, translator: Translator = ENGLISH) -> Text:
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


def sample(result: CaseResult, translator: Translator = ENGLISH) -> RenderableType:
    """A sample's or a public twin's inputs, and each tensor expected and got side by side."""
    assert result.case is not None
    title = (
        sample_title(result.name, translator)
        if result.sample
        else translator.gettext("public inputs: %(case)s") % {"case": translator.case(result.name)}
    )
    note = translator.note(result.name, result.note)
    parts: list[RenderableType] = [Text(f"\n{title}", style="bold"), Text(note, style="dim")]
    given = arguments(result.case, translator)
    if given:
        parts.append(given)
    for name, expected in result.expected.items():
        got = result.got.get(name)
        if expected.size > SMALL:
            continue
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 3, 0, 0))
        table.add_column(translator.gettext("%(tensor)s: expected") % {"tensor": name})
        table.add_column(translator.gettext("got"))
        table.add_row(
            numbers(expected),
            numbers(got)
            if got is not None and got.size <= SMALL
            else translator.gettext("nothing to show"),
        )
        parts.append(table)
    if result.printed:
        printed = Text(result.printed[:2000].rstrip())
        parts.append(
            Panel(
                printed, title=translator.gettext("printed"), title_align="left", border_style="dim"
            )
        )
    return Group(*parts)


def arguments(case: Case, translator: Translator = ENGLISH) -> RenderableType | None:
    """A sample's arguments in a table: of the constructor, the parameters, of the call.

    None when it has none.
    """
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for name, value in case.init.items():
        table.add_row(Text(name, style="dim"), repr(value))
    for name, array in (*case.state.items(), *case.inputs.items()):
        shape = {"dtype": array.dtype, "shape": array.shape}
        large = translator.gettext("%(dtype)s of shape %(shape)s") % shape
        table.add_row(Text(name, style="dim"), numbers(array) if array.size <= SMALL else large)
    for name, value in case.options.items():
        table.add_row(Text(name, style="dim"), repr(value))
    return table if table.row_count else None


def numbers(array: np.ndarray) -> Text:
    """A small tensor, to four digits."""
    return Text(
        np.array2string(
            array, precision=4, suppress_small=True, max_line_width=72, floatmode="maxprec"
        )
    )


def as_json(verdict: Verdict, file: str | None = None) -> str:
    """One JSON object on one line; with its `file` when several are judged."""
    found = verdict.to_json()
    return json.dumps(found if file is None else {"file": file, **found}, ensure_ascii=False)


def junit(verdicts: list[tuple[str, Verdict]]) -> str:
    """JUnit XML (the Jenkins xunit schema): a suite for each file, a test case for each case."""
    root = ET.Element("testsuites")
    for file, verdict in verdicts:
        errors = sum(r.verdict is Outcome.JUDGE_ERROR for r in verdict.cases)
        failures = sum(r.verdict is not Outcome.ACCEPTED for r in verdict.cases) - errors
        seconds = sum(r.wall_ms for r in verdict.cases) / 1e3
        counts = {
            "tests": len(verdict.cases),
            "failures": failures,
            "errors": errors,
            "skipped": 0,
            "time": f"{seconds:.3f}",
        }
        suite = ET.SubElement(
            root,
            "testsuite",
            {"name": f"{verdict.problem} {file}", **{k: str(v) for k, v in counts.items()}},
        )
        for r in verdict.cases:
            case = ET.SubElement(
                suite,
                "testcase",
                {"name": r.name, "classname": verdict.problem, "time": f"{r.wall_ms / 1e3:.3f}"},
            )
            if r.verdict is not Outcome.ACCEPTED:
                tag = "error" if r.verdict is Outcome.JUDGE_ERROR else "failure"
                ET.SubElement(
                    case, tag, {"type": str(r.verdict), "message": r.message[:500]}
                ).text = r.message
        if verdict.diagnoses:
            hints = "\n".join(diagnosis.hint for diagnosis in verdict.diagnoses)
            ET.SubElement(suite, "system-out").text = hints
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode")


def gradescope(verdict: Verdict) -> str:
    """Gradescope's results.json (its autograder specification, "Output format")."""
    hint = "".join(f"\n\n{diagnosis.hint}" for diagnosis in verdict.diagnoses)
    tests = [
        {
            "name": r.name,
            "score": r.points,
            "max_score": r.max_points,
            "status": "passed" if r.verdict is Outcome.ACCEPTED else "failed",
            "output": r.message or ENGLISH.outcome(r.verdict),
            "output_format": "text",
            "visibility": "visible",
        }
        for r in verdict.cases
    ]
    found = {
        "score": verdict.score,
        "execution_time": round(sum(r.wall_ms for r in verdict.cases) / 1e3, 3),
        "output": f"{ENGLISH.outcome(verdict.verdict)}: {verdict.message}{hint}",
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"verdict": verdict.to_json()},
        "tests": tests,
    }
    return json.dumps(found, ensure_ascii=False)
