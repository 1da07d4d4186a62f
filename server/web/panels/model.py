"""What the page of a run of the model shows, from its row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from grader.capstone.weights import HEADS, LAYERS
from grader.findings.catalogue import catalogue
from grader.findings.text import read_text, said
from server.messages import Message
from server.models.submissions import State, Submission
from server.services.rendering.figures.attention import attention, looks
from server.web.texts import language, translate

BEGINNING, SPACE = "¶", "␣"  # as a map writes the beginning of a paragraph, and a space
KINDS: Mapping[str, Message] = {
    "rotary": Message("a layer of small parts, with rotary positions"),
    "block": Message("the block"),
    "cached": Message("attention with the cache"),
}


@dataclass(frozen=True, slots=True)
class Head:
    """One attention map, and what a table says of it: a character, and where it looks."""

    name: str
    picture: Markup
    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RunView:
    """A run of the model, as far as it is known."""

    row: Submission
    prompt: Mapping[str, Any]
    name: str  # for a certificate; empty for a run that writes
    text: str
    failed: bool
    error: str
    part: str  # that failed
    compared: Sequence[Mapping[str, Any]]  # with the reference, for a certificate
    right: bool
    layers: Sequence[tuple[int, str]]  # numbers and titles, where there are maps
    layer: int
    heads: Sequence[Head]


def view_of(row: Submission, layer: int) -> RunView:
    """Returns the view of a run's row, in the reader's language, with the maps of one layer."""
    wanted, shown = row.exploration or {}, row.shown or {}
    result, error = shown.get("result") or {}, shown.get("error")
    maps = result.get("maps") or []
    chosen = min(max(1, layer), len(LAYERS))
    progress = (row.progress or [{}])[-1].get("text", "")
    return RunView(
        row=row,
        prompt=wanted["prompt"],
        name=str(wanted["name"]),
        text=str(result.get("text", "") or progress),
        failed=row.state == State.DONE and not result and error is None,
        error=said(read_text(error), catalogue(language())) if error else "",
        part=str(shown.get("part", "")),
        compared=result.get("compared", ()),
        right=bool(result.get("right")),
        layers=[(i + 1, translate(KINDS[kind])) for i, kind in enumerate(LAYERS)] if maps else (),
        layer=chosen,
        heads=_heads(maps[chosen - 1], str(wanted["prompt"]["text"])) if maps else (),
    )


def _heads(maps: Sequence[Sequence[Sequence[int]]], text: str) -> list[Head]:
    characters = [BEGINNING, *text.replace(" ", SPACE).replace("\n", BEGINNING)]
    return [_head(weights, characters, number) for number, weights in enumerate(maps[:HEADS], 1)]


def _head(weights: Sequence[Sequence[int]], characters: Sequence[str], number: int) -> Head:
    name = translate("Head %(number)s", number=str(number))
    title = translate("Attention map of head %(number)s", number=str(number))
    names = [f"{character} ({place})" for place, character in enumerate(characters)]
    cells = (", ".join(f"{names[j]}: {weight} %" for j, weight in row) for row in looks(weights))
    return Head(name, attention(weights, characters, title), list(zip(names, cells, strict=True)))
