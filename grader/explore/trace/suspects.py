"""The steps of a program that may be to blame for its wrong result."""

from collections.abc import Iterator, Sequence

from grader.explore.trace.comparison import Comparison
from grader.explore.trace.matching import NAMED, Match, nearest, repeated
from grader.explore.trace.relations import Relation, layout
from grader.inside.instrument import Kind
from grader.sandbox import Step

Suspect = tuple[int, Match | None]  # the number of a step, and how it is nearly right
CONTAINERS = ("list", "tuple", "dict")


class Origins:
    """What each step is made of. A step reads earlier ones only, so each is looked at once.

    `of_sizes`: an expression that no tensor goes into but such ones. `given`: an argument, or an
    item of one that is a list or a mask, or that a loop takes. `settled`: made of sizes alone, and
    all that is made of it in the same line is right.
    """

    def __init__(self, found: Comparison) -> None:
        self.of_sizes: list[bool] = []
        self.given: list[bool] = []
        for number, step in enumerate(found.steps):
            sources = _sources(found, number)
            of_sizes = step.kind is Kind.EXPRESSION and all(self.of_sizes[i] for i in sources)
            self.of_sizes.append(of_sizes)
            self.given.append(self._is_given(found, number, sources))
        readers: list[list[int]] = [[] for _ in found.steps]
        for number, step in enumerate(found.steps):
            for read in set(step.reads):
                if found.steps[read].line == step.line:
                    readers[read].append(number)
        self.settled = [False] * len(found.steps)
        for number in reversed(range(len(found.steps))):
            self.settled[number] = (
                self.of_sizes[number]
                and bool(readers[number])
                and all(_right(found, i) or self.settled[i] for i in readers[number])
            )

    def _is_given(self, found: Comparison, number: int, sources: Sequence[int]) -> bool:
        step = found.steps[number]
        if step.kind is Kind.LOOP:
            return bool(step.reads) and all(self.given[read] for read in step.reads)
        if step.kind is Kind.EXPRESSION and step.name.endswith("]"):
            tensor = found.tensors.get(number)
            mask = tensor is not None and tensor.boolean
            return bool(sources) and all(
                (mask or found.steps[source].dtype in CONTAINERS) and self.given[source]
                for source in sources
            )
        return step.kind is Kind.ARGUMENT


def _right(found: Comparison, number: int) -> bool:
    return number in found.matches and found.matches[number].right


def suspects_of(found: Comparison, excused: frozenset[int]) -> Sequence[Suspect]:
    """Returns the steps that may be to blame, in their order."""
    origins = Origins(found)
    suspects = list(_wrong_steps(found, excused, origins))
    several = repeated(found.steps)
    telling = [
        (i, match)
        for i, match in suspects
        if (match and not origins.of_sizes[i]) or _telling(found, i, i in several, origins)
    ]
    plain = [pair for pair in telling if not _turned_round(found, pair)]
    return plain or telling or suspects


def _turned_round(found: Comparison, suspect: Suspect) -> bool:
    """Is it the opposite of a mask of the reference under another name, as `hidden` of `seen`?"""
    number, match = suspect
    opposite = match is not None and match.relation is Relation.OPPOSITE
    if not match or not opposite or not found.tensors[number].boolean:
        return False
    return found.steps[number].name not in {
        k.line_name for k in found.known if k.tensor.boolean and k.named
    }


def _telling(found: Comparison, number: int, several: bool, origins: Origins) -> bool:
    """Is it no list of numbers that is made of sizes alone, no mask that hides nothing, or all, as
    one of the reference does, and no row of a mask?
    """
    tensor = found.tensors[number]
    if tensor.boolean and several:
        return False
    if tensor.boolean and not tensor.telling:
        masks = (k.tensor for k in found.known if k.tensor.boolean and not k.tensor.telling)
        return all(mask.values.flat[0] != tensor.values.flat[0] for mask in masks)
    return not origins.of_sizes[number]


def _sources(found: Comparison, number: int) -> list[int]:
    """The steps that it is made of, without single numbers."""
    reads = found.steps[number].reads
    return [i for i in reads if i not in found.tensors or found.tensors[i].size > 1]


def _wrong_steps(found: Comparison, excused: frozenset[int], origins: Origins) -> Iterator[Suspect]:
    chosen = found.ancestors(found.wrong_results())
    for i, step in enumerate(found.steps):
        if i not in chosen or i in excused or origins.given[i] or origins.settled[i]:
            continue
        match = found.matches.get(i)
        other = _other_number(found, i, step) or found.misnamed.get(i)
        if other is not None:
            yield i, other
        elif match is None:
            tensor = found.tensors.get(i)
            if tensor is not None and tensor.size > 1 and not _filled_later(found, i):
                near = nearest(step, tensor, found.known)
                if near and near.relation is Relation.PARTLY and _completed(found, i, near):
                    continue
                due = nearest(step, tensor, found.due_of(i))
                yield i, due if due and near and due.relation is near.relation else near
        elif match.right and match.relation not in (Relation.SAME, Relation.PART):
            shuffled = _shuffled(found, i)
            if shuffled is not None:
                yield i, shuffled


def _completed(found: Comparison, number: int, near: Match) -> bool:
    """Is it on the way to the step that it partly is, as one of two maxima?"""
    return found.steps[number].kind is Kind.EXPRESSION and any(
        number in step.reads
        and i in found.matches
        and found.matches[i].right
        and layout(found.matches[i].known.tensor, near.known.tensor) is Relation.SAME
        for i, step in enumerate(found.steps)
    )


def _filled_later(found: Comparison, number: int) -> bool:
    """Is it a constant of which parts are set later? Nothing of it is wrong yet."""
    step = found.steps[number]
    return (
        step.kind is Kind.ASSIGN
        and not found.tensors[number].telling
        and any(
            later.kind is Kind.CHANGE and (later.name, later.function) == (step.name, step.function)
            for later in found.steps[number + 1 :]
        )
    )


def _other_number(found: Comparison, i: int, step: Step) -> Match | None:
    """Is it a number that has another value in the reference, under the same name?"""
    tensor = found.tensors.get(i)
    if tensor is None or tensor.size != 1 or step.kind is not Kind.ASSIGN or found.raised:
        return None
    if _filled_later(found, i) or _begins_a_loop(found, step):
        return None
    same = [k for k in found.known if k.line_name == step.name and k.tensor.size == 1]
    if not same or any(layout(tensor, k.tensor) is Relation.SAME for k in same):
        return None
    return Match(Relation.OTHER_VALUE, same[0])


def _begins_a_loop(found: Comparison, step: Step) -> bool:
    """Is it set again in another line, where the reference sets it once?"""
    place = (step.name, step.function)
    lines = {s.line for s in found.steps if s.kind in NAMED and (s.name, s.function) == place}
    due = {k.step.line for k in found.known if k.step.kind in NAMED and k.line_name == step.name}
    return len(lines) > max(len(due), 1)


def _shuffled(found: Comparison, i: int) -> Match | None:
    """Has it the shape of a step of the reference, and its values in another order?"""
    tensor = found.tensors[i]
    same = [each for each in found.known if each.tensor.shape == tensor.shape]
    for each in sorted(same, key=lambda known: known.rank):
        relation = None if each.given else layout(tensor, each.tensor)
        if relation is not None:
            return Match(relation, each)
    return nearest(found.steps[i], tensor, same)
