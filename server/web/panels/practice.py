"""What the pages of practice show of an item and of an answer to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import indent
from typing import Any

from grader.findings.finding import read_findings
from grader.findings.sentences import sentences
from grader.findings.text import read_text, said
from grader.practice import Step
from grader.practice.lines import LEVEL
from grader.practice.shown import BLANK
from grader.verdict.translate import Translator
from server.messages import Message
from server.models.practice import PracticeAnswer
from server.models.submissions import State, Submission

Json = Mapping[str, Any]
TITLES: Mapping[Step, Message] = {
    Step.PREDICT: Message("Predict a result"),
    Step.ARRANGE: Message("Put lines in order"),
    Step.FILL: Message("Fill in what is left out"),
    Step.BUG: Message("Find the wrong line and mend it"),
    Step.BEAT: Message("Beat the mistakes"),
}
SHORT: Mapping[Step, Message] = {
    Step.PREDICT: Message("predict"),
    Step.ARRANGE: Message("arrange"),
    Step.FILL: Message("fill"),
    Step.BUG: Message("find the bug"),
    Step.BEAT: Message("beat the mistakes"),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """An item as a list shows it."""

    step: Step
    number: int
    state: str  # solved, tried or new

    @property
    def title(self) -> Message:
        """Of its step."""
        return TITLES[self.step]


def linked(items: Sequence[Json] | None) -> Mapping[Step, Message]:
    """Returns the steps that have items; before the items are made, those that problems have in
    general.
    """
    if items is None:
        return {step: name for step, name in SHORT.items() if step is not Step.BEAT}
    there = {item["step"] for item in items}
    return {step: name for step, name in SHORT.items() if step in there}


def entries(items: Sequence[Json], given: Mapping[str, PracticeAnswer]) -> list[Entry]:
    """Returns the items in order, with what somebody has answered."""
    return [
        Entry(Step(item["step"]), number_of(item), _state(given.get(item["id"]))) for item in items
    ]


def beside(series: Sequence[Entry], step: Step, number: int) -> tuple[Entry | None, Entry | None]:
    """Returns the items before and after one."""
    at = next(i for i, entry in enumerate(series) if (entry.step, entry.number) == (step, number))
    return (series[at - 1] if at else None, series[at + 1] if at + 1 < len(series) else None)


def number_of(item: Json) -> int:
    """Returns the number of an item among those of its step."""
    return int(item["id"].rpartition("-")[2])


def _state(row: PracticeAnswer | None) -> str:
    if row is None:
        return "new"
    return "solved" if row.solved_at is not None else "tried"


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of an answer; neither right nor wrong while it waits, or where it is none."""

    right: bool | None = None
    waits: bool = False
    failed: bool = False
    problem: str = ""  # why it is no answer
    hint: str = ""
    verdict: str = ""
    kills: Sequence[Sequence[bool]] = ()  # for each of the inputs, for each mistake
    hints: Sequence[str] = ()  # the hint of each mistake, empty for one that is not killed
    earlier: bool = False  # it was not sent just now


def told(row: Submission, words: Translator, details: bool) -> Told:
    """Returns what is said of an answer; without `details`, nothing of the cases."""
    if row.state != State.DONE:
        return Told(waits=True)
    shown = row.shown or {}
    error, result = shown.get("error"), shown.get("result")
    if error is not None:
        return Told(problem=said(read_text(error), words.catalogue))
    if result is None:
        return Told(failed=True)
    verdict = result["verdict"]
    return Told(
        right=result["right"],
        hint=_hint(result["hint"], words),
        verdict=words.summary(verdict) if verdict and details and not result["right"] else "",
        kills=result.get("kills", ()),
        hints=[_hint(hint, words) for hint in result.get("found", ())],
    )


def remembered(row: PracticeAnswer | None, words: Translator) -> Told | None:
    """Returns what inputs showed when they were written; None where nothing of it is kept."""
    if row is None or not row.kills:
        return None
    hints = [_hint(hint, words) for hint in row.kills["found"]]
    return Told(right=row.correct, kills=row.kills["kills"], hints=hints, earlier=True)


def _hint(hint: Json | None, words: Translator) -> str:
    return words.hint(hint["mistake"], hint["text"]) if hint else ""


@dataclass(frozen=True, slots=True)
class Question:
    """An item as its page shows it, with an answer in its fields."""

    item: Json
    given: tuple[str, ...]
    line: int | None = None  # of a bug: the one to mend
    places: Mapping[str, str] = field(default_factory=dict)  # of lines of the pool

    @property
    def rows(self) -> list[list[str | int]]:
        """The rows of a program with blanks: texts, and the numbers of blanks from 1."""
        count, rows = 0, list[list[str | int]]()
        for text in code(self.item["program"]).split("\n"):
            first, *rest = text.split(BLANK)
            row: list[str | int] = [first]
            for part in rest:
                count += 1
                row += [count, part]
            rows.append(row)
        return rows

    @property
    def text(self) -> str:
        """Of the line to mend: what was written, else what stands there."""
        number, colon, text = (self.given[0] if self.given else "").partition(":")
        if colon and number.strip() == str(self.line):
            return text.strip()
        return str(self.item["program"][(self.line or 1) - 1]["text"])

    @property
    def inputs(self) -> str:
        """What was written, else inputs to begin with."""
        return self.given[0] if self.given else str(self.item["example"])

    def value(self, blank: int) -> str:
        """What was filled in."""
        return self.given[blank - 1] if blank <= len(self.given) else ""


def question(item: Json, given: Sequence[str], right: bool, choose: bool) -> Question:
    """Returns an item with an answer; with `choose`, the line of a bug is chosen anew."""
    texts = tuple(map(str, given))
    if item["step"] == Step.ARRANGE:
        return Question(item, texts, places=_places(texts))
    if item["step"] != Step.BUG or not texts or choose:
        return Question(item, texts)
    number, colon, _ = texts[0].partition(":")
    line = int(number) if number.strip().isdecimal() else 0
    chosen = (bool(colon) or right) and 0 < line <= len(item["program"])
    return Question(item, texts, line if chosen else None)


def _places(texts: Sequence[str]) -> Mapping[str, str]:
    words = texts[0].split() if texts else []
    return {line: str(place) for place, line in enumerate(words, 1)}


def refused(item: Json, form: Mapping[str, str], given: Sequence[str]) -> Question:
    """Returns an item with a form that was no answer; `given` are the values of `answer`."""
    line = form.get("line", "")
    if item["step"] == Step.ARRANGE:
        named = {n.removeprefix("place-"): v for n, v in form.items() if n.startswith("place-")}
        return Question(item, (), places=named)
    if item["step"] == Step.BUG and "text" in form:
        return question(item, [f"{line}: {form['text']}"], right=False, choose=False)
    return question(item, list(given) or [line], right=False, choose=False)


def failure_of(item: Json, words: Translator) -> str:
    """Returns what is wrong with the program of a bug."""
    return sentences(read_findings(item), words.catalogue)


def code(lines: Sequence[Json]) -> str:
    """Returns lines of an item as a program."""
    return "\n".join(indent(line["text"], LEVEL * line["indent"]) for line in lines)


def place_of(item: Json) -> str:
    """Returns how a row of a result is written: `weights[0, 1, :]`."""
    place = "".join(f"{i}, " for i in item["place"])
    return f"{item['tensor']}[{place}:]" if place else str(item["tensor"])
