"""Which step of a program is which step of the reference, by value."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.explore.trace.parts import factor_of, is_part, row_of
from grader.explore.trace.relations import (
    LAYOUT,
    Relation,
    Tensor,
    layout,
    likeness,
    on_the_way,
)
from grader.inside.instrument import Kind
from grader.sandbox import Step

RANKS = tuple(Relation)
NAMED = (Kind.ASSIGN, Kind.CHANGE)


@dataclass(frozen=True, slots=True)
class Known:
    """One tensor of the reference, with the name that people may read."""

    number: int
    name: str  # of the variable; of the next one that it goes into, where it has none
    rank: int  # 0 for a variable or a result, 1 for what a function takes or returns, else 2
    given: bool  # an argument of the call
    line_name: str  # what it is called in the reference, to prefer equal names
    tensor: Tensor
    step: Step

    @property
    def named(self) -> bool:
        """Has it a name of its own?"""
        return self.rank < 2


@dataclass(frozen=True, slots=True)
class Match:
    """What a step of the program is to a step of the reference.

    `exactly` is False for a step on the way to it that the reference gives no name.
    """

    relation: Relation
    known: Known
    by: float = 0.0
    wrong: object = None

    @property
    def right(self) -> bool:
        """Has it the values of the reference?"""
        return self.relation in LAYOUT


def known_steps(steps: Sequence[Step], returns: Sequence[str]) -> list[Known]:
    """The tensors of a reference that was traced."""
    names = _names(steps, returns)
    return [
        Known(
            number=i,
            name=names[i],
            rank=_rank(step),
            given=step.kind is Kind.ARGUMENT and step.depth == 0,
            line_name=step.name,
            tensor=Tensor(step.values),
            step=step,
        )
        for i, step in enumerate(steps)
        if step.values is not None and step.whole and names[i]
    ]


def _rank(step: Step) -> int:
    if step.kind in NAMED or (step.kind is Kind.RETURN and step.depth == 0):
        return 0
    return 1 if step.kind in (Kind.RETURN, Kind.ARGUMENT) else 2


def results(steps: Sequence[Step], count: int) -> list[int]:
    """The numbers of the steps that the traced call returned; none where they are not `count`."""
    returned = [i for i, s in enumerate(steps) if s.kind is Kind.RETURN and s.depth == 0]
    together = [i for i in returned if steps[i].line == steps[returned[-1]].line]
    return together if len(together) == count else []


def first_results(steps: Sequence[Step]) -> list[int]:
    """The number of the first value that each call returned, where a driver made several."""
    firsts: list[int] = []
    returned = True  # until the next call
    for i, step in enumerate(steps):
        if step.depth == 0 and step.kind is Kind.ARGUMENT:
            returned = False
        elif step.depth == 0 and step.kind is Kind.RETURN and not returned:
            firsts.append(i)
            returned = True
    return firsts


def _names(steps: Sequence[Step], returns: Sequence[str]) -> list[str]:
    """A name for each step: its own, or that of the first named step that it goes into."""
    names = ["" for _ in steps]
    last = results(steps, len(returns))
    if len(last) == len(returns):
        for number, name in zip(last, returns, strict=True):
            names[number] = name
    for i in range(len(steps) - 1, -1, -1):
        step = steps[i]
        if step.kind in (*NAMED, Kind.ARGUMENT) and not names[i]:
            names[i] = step.name
        if step.kind is Kind.RETURN and not names[i]:
            names[i] = f"{step.function}()"
        for read in step.reads if names[i] else ():
            if steps[read].kind is Kind.EXPRESSION:
                names[read] = names[i]
    return names


def tensors_of(steps: Sequence[Step]) -> dict[int, Tensor]:
    """The tensors that can be compared, by the number of their step."""
    return {
        i: Tensor(s.values)
        for i, s in enumerate(steps)
        if s.values is not None and s.whole and s.values.size
    }


def matched(
    steps: Sequence[Step], tensors: Mapping[int, Tensor], known: Sequence[Known]
) -> dict[int, Match]:
    """The steps that have the values of the reference, and those on the way there."""
    matches = {}
    several = repeated(steps)
    for i, tensor in tensors.items():
        candidates = sorted(
            (each for each in known if each.tensor.size == tensor.size),
            key=lambda each: (each.line_name != steps[i].name, each.rank, each.number),
        )
        match = (
            _right(tensor, candidates)
            or _on_the_way(tensor, candidates)
            or (_part(steps[i], tensor, known) if i in several else None)
        )
        if match is not None:
            matches[i] = match
    return matches


def repeated(steps: Sequence[Step]) -> set[int]:
    """The numbers of the steps at whose place there are several, as in a loop."""
    places = [(step.name, step.line, step.function) for step in steps]
    times = Counter(places)
    return {i for i, place in enumerate(places) if times[place] > 1}


def _right(tensor: Tensor, candidates: Sequence[Known]) -> Match | None:
    turned: Match | None = None
    for each in candidates:
        relation = layout(tensor, each.tensor) if tensor.boolean == each.tensor.boolean else None
        if relation is Relation.SAME:
            return Match(relation, each)
        if relation is not None and turned is None:
            turned = Match(relation, each)
    return turned


def _part(step: Step, tensor: Tensor, known: Sequence[Known]) -> Match | None:
    """What a loop makes one by one: a part of a step; of an argument only where the reference makes
    nothing of this name.
    """
    made = sorted(
        (each for each in known if not each.given),
        key=lambda each: (each.line_name != step.name, each.rank, each.number),
    )
    own = [each.tensor.size for each in made if each.line_name == step.name]
    if tensor.size in own:
        return None  # it is not what is due by its name
    given = () if own else (each for each in known if each.given)
    for each in (*made, *given):
        if is_part(tensor, each.tensor):
            return Match(Relation.PART, each)
    on_its_way = (k for k in made if k.named and row_of(tensor, k.tensor))
    each = next(on_its_way, None)
    return Match(Relation.ROW_FACTOR, each) if each else None


def nearest_part(tensor: Tensor, known: Sequence[Known]) -> Match | None:
    """A part of a step, but for one factor of several rows."""
    for each in known:
        if each.named and not each.given and (factor := factor_of(tensor, each.tensor)):
            return Match(Relation.FACTOR, each, factor)
    return None


def _on_the_way(tensor: Tensor, candidates: Sequence[Known]) -> Match | None:
    for each in candidates:
        relation = None if each.given or not each.named else on_the_way(tensor, each.tensor)
        if relation is not None and not _only_scaled(tensor, each.tensor):
            return Match(relation, each)
    return None


def _only_scaled(tensor: Tensor, due: Tensor) -> bool:
    """One factor for all rows changes a softmax."""
    near = likeness(tensor, due)
    return near is not None and near.relation is Relation.FACTOR


def nearest(step: Step, tensor: Tensor, known: Sequence[Known]) -> Match | None:
    """The plainest way in which a step that is not right is nearly one of the reference."""
    ranked = []
    for each in known:
        if each.given or each.tensor.size != tensor.size:
            continue
        near = likeness(tensor, each.tensor)
        if near is not None:
            order = (
                RANKS.index(near.relation),
                each.rank,
                each.line_name != step.name,
                each.number,
            )
            ranked.append((order, Match(near.relation, each, near.by, near.wrong)))
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None
