"""What the page of an exploration shows, from its row."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import request

from grader.explore.complaints import TEMPLATES
from grader.explore.trace import wrong_step_from_json, wrong_step_text
from grader.verdict.translate import Translator
from server.messages import Message
from server.models.submissions import State, Submission
from server.services.explorations import Exploration
from server.web.panels.curve import CurveView, curve_view
from server.web.panels.trace import TraceView, trace_view
from server.web.texts import translate, words_of

Json = Mapping[str, Any]
TITLES: Mapping[str, Message] = {
    Exploration.TRACE: Message("Step by step"),
    Exploration.SHRINK: Message("The smallest input that shows it"),
    Exploration.TRY: Message("Your own input"),
    Exploration.CURVE: Message("Time and memory"),
}
# what a search for a smaller input comes to, where it is not simply one
STATES: Mapping[str, Message] = {
    "nothing_fails": Message(
        "No public case fails, apart from those about time and memory, which are not tried here."
    ),
    "fixed": Message(
        "This problem is always asked with the same inputs, so none of them can be made smaller."
    ),
    "not_loaded": Message("The file does not load, whatever the input."),
    "cost": Message("This case is over a limit; no smaller input shows that."),
    "draws": Message("This case judges many random draws and is shown as it is."),
    "no_length": Message(
        "No public case of this problem has a sequence that could be made longer."
    ),
    "not_measured": Message("Your program did not return on the shortest input."),
    "earlier_calls": Message("This case fails only after other calls and is shown as it is."),
}
GROUPS = ("inputs", "state", "before")


@dataclass(frozen=True, slots=True)
class View:
    """An exploration: what was asked, and what came of it, as far as it is known."""

    row: Submission
    title: Message
    kind: str
    case: str
    inputs: str
    failed: bool
    error: str
    wrong_argument: str
    result: Json | None
    note: Message | None
    message: str
    wrong: str
    wrong_title: Message
    trace: TraceView | None
    curve: CurveView | None


def view_of(row: Submission) -> View:
    """Returns the view of an exploration's row, in the reader's language."""
    wanted, shown, words = row.exploration or {}, row.shown or {}, words_of(row.problem)
    result, error = shown.get("result"), shown.get("error")
    kind = str(wanted.get("kind", ""))
    traced = result if kind == Exploration.TRACE else (result or {}).get("trace")
    case = (result or {}).get("case") or wanted.get("case", "")
    return View(
        row=row,
        title=TITLES[kind],
        kind=kind,
        case=words.case(case) if case else "",
        inputs=str(wanted.get("inputs", "")),
        failed=row.state == State.DONE and result is None and error is None,
        error=_complaint(error, words) if error else "",
        wrong_argument=str((error or {}).get("parameters", {}).get("name", "")),
        result=result,
        note=STATES.get(str((result or {}).get("state", ""))),
        message=words.stored({"message": "", **result}) if result else "",
        wrong=_wrong_step(traced, words) if traced else "",
        wrong_title=_wrong_title(traced),
        trace=trace_view(row.source, traced, _step()) if traced else None,
        curve=curve_view(result) if result and kind == Exploration.CURVE else None,
    )


def _step() -> int | None:
    return request.args.get("step", type=int)


def _complaint(error: Json, words: Translator) -> str:
    """What is wrong with inputs, in the reader's language where it has a code."""
    template = TEMPLATES.get(error.get("code", ""))
    if template is None:
        return translate(str(error["message"]))
    known = {"line": "?", "name": "?", "text": "", "error": "", **error["parameters"]}
    return words.gettext(template) % known


def _wrong_step(trace: Json, words: Translator) -> str:
    """The sentence of the first wrong step, in the reader's language."""
    first = trace["first_wrong_step"]
    if first is None:
        return ""
    return wrong_step_text(wrong_step_from_json(first), words.catalogue)


def _wrong_title(trace: Json | None) -> Message:
    """What stands before that sentence."""
    first = (trace or {}).get("first_wrong_step")
    step = first is None or wrong_step_from_json(first).is_step
    return Message("First wrong step:") if step else Message("Where to look:")


def tensors(arguments: Json | None) -> dict[str, Json]:
    """The arrays of a call as a page shows them."""
    if arguments is None:
        return {}
    return {
        name: array(data) for group in GROUPS for name, data in arguments.get(group, {}).items()
    }


def options(arguments: Json | None) -> dict[str, Any]:
    """The plain values of a call."""
    return (
        {} if arguments is None else {**arguments.get("init", {}), **arguments.get("options", {})}
    )


def array(data: Json) -> Json:
    """An array of an exploration in the form of `samples.tensor_data`."""
    plain = {"shape": data["shape"], "dtype": data["dtype"]}
    return plain if data["values"] is None else {**plain, "data": data["values"]}
