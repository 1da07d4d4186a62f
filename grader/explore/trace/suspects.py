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

    def __init__(self, comparison: Comparison) -> None:
        self.of_sizes: list[bool] = []
        self.given: list[bool] = []
        for number, step in enumerate(comparison.steps):
            sources = _sources(comparison, number)
            of_sizes = step.kind is Kind.EXPRESSION and all(self.of_sizes[i] for i in sources)
            self.of_sizes.append(of_sizes)
            self.given.append(self._is_given(comparison, number, sources))
        readers: list[list[int]] = [[] for _ in comparison.steps]
        for number, step in enumerate(comparison.steps):
            for read in set(step.reads):
                if comparison.steps[read].line == step.line:
                    readers[read].append(number)
        self.settled = [False] * len(comparison.steps)
        for number in reversed(range(len(comparison.steps))):
            self.settled[number] = (
                self.of_sizes[number]
                and bool(readers[number])
                and all(_right(comparison, i) or self.settled[i] for i in readers[number])
            )

    def _is_given(self, comparison: Comparison, number: int, sources: Sequence[int]) -> bool:
        step = comparison.steps[number]
        if step.kind is Kind.LOOP:
            return bool(step.reads) and all(self.given[read] for read in step.reads)
        if step.kind is Kind.EXPRESSION and step.name.endswith("]"):
            tensor = comparison.tensors.get(number)
            mask = tensor is not None and tensor.boolean
            return bool(sources) and all(
                (mask or comparison.steps[source].dtype in CONTAINERS) and self.given[source]
                for source in sources
            )
        return step.kind is Kind.ARGUMENT


def _right(comparison: Comparison, number: int) -> bool:
    return number in comparison.matches and comparison.matches[number].right


def suspects_of(comparison: Comparison, excused: frozenset[int]) -> Sequence[Suspect]:
    """Returns the steps that may be to blame, in their order."""
    origins = Origins(comparison)
    suspects = list(_wrong_steps(comparison, excused, origins))
    several = repeated(comparison.steps)
    telling = [
        (i, match)
        for i, match in suspects
        if (match and not origins.of_sizes[i]) or _telling(comparison, i, i in several, origins)
    ]
    plain = [pair for pair in telling if not _turned_round(comparison, pair)]
    return plain or telling or suspects


def _turned_round(comparison: Comparison, suspect: Suspect) -> bool:
    """Is it the opposite of a mask of the reference under another name, as `hidden` of `seen`?"""
    number, match = suspect
    opposite = match is not None and match.relation is Relation.OPPOSITE
    if not match or not opposite or not comparison.tensors[number].boolean:
        return False
    return comparison.steps[number].name not in {
        k.line_name for k in comparison.known if k.tensor.boolean and k.named
    }


def _telling(comparison: Comparison, number: int, several: bool, origins: Origins) -> bool:
    """Is it no list of numbers that is made of sizes alone, no mask that hides nothing, or all, as
    one of the reference does, and no row of a mask?
    """
    tensor = comparison.tensors[number]
    if tensor.boolean and several:
        return False
    if tensor.boolean and not tensor.telling:
        masks = (k.tensor for k in comparison.known if k.tensor.boolean and not k.tensor.telling)
        return all(mask.values.flat[0] != tensor.values.flat[0] for mask in masks)
    return not origins.of_sizes[number]


def _sources(comparison: Comparison, number: int) -> list[int]:
    """The steps that it is made of, without single numbers."""
    reads = comparison.steps[number].reads
    return [i for i in reads if i not in comparison.tensors or comparison.tensors[i].size > 1]


def _wrong_steps(
    comparison: Comparison, excused: frozenset[int], origins: Origins
) -> Iterator[Suspect]:
    chosen = comparison.ancestors(comparison.wrong_results())
    for i, step in enumerate(comparison.steps):
        if i not in chosen or i in excused or origins.given[i] or origins.settled[i]:
            continue
        match = comparison.matches.get(i)
        other = _other_number(comparison, i, step) or comparison.misnamed.get(i)
        if other is not None:
            yield i, other
        elif match is None:
            tensor = comparison.tensors.get(i)
            if tensor is not None and tensor.size > 1 and not _filled_later(comparison, i):
                near = nearest(step, tensor, comparison.known)
                if near and near.relation is Relation.PARTLY and _completed(comparison, i, near):
                    continue
                due = nearest(step, tensor, comparison.due_of(i))
                yield i, due if due and near and due.relation is near.relation else near
        elif match.right and match.relation not in (Relation.SAME, Relation.PART):
            shuffled = _shuffled(comparison, i)
            if shuffled is not None:
                yield i, shuffled


def _completed(comparison: Comparison, number: int, near: Match) -> bool:
    """Is it on the way to the step that it partly is, as one of two maxima?"""
    return comparison.steps[number].kind is Kind.EXPRESSION and any(
        number in step.reads
        and i in comparison.matches
        and comparison.matches[i].right
        and layout(comparison.matches[i].known.tensor, near.known.tensor) is Relation.SAME
        for i, step in enumerate(comparison.steps)
    )


def _filled_later(comparison: Comparison, number: int) -> bool:
    """Is it a constant of which parts are set later? Nothing of it is wrong yet."""
    step = comparison.steps[number]
    return (
        step.kind is Kind.ASSIGN
        and not comparison.tensors[number].telling
        and any(
            later.kind is Kind.CHANGE and (later.name, later.function) == (step.name, step.function)
            for later in comparison.steps[number + 1 :]
        )
    )


def _other_number(comparison: Comparison, i: int, step: Step) -> Match | None:
    """Is it a number that has another value in the reference, under the same name?"""
    tensor = comparison.tensors.get(i)
    if tensor is None or tensor.size != 1 or step.kind is not Kind.ASSIGN or comparison.raised:
        return None
    if _filled_later(comparison, i) or _begins_a_loop(comparison, step):
        return None
    same = [k for k in comparison.known if k.line_name == step.name and k.tensor.size == 1]
    if not same or any(layout(tensor, k.tensor) is Relation.SAME for k in same):
        return None
    return Match(Relation.OTHER_VALUE, same[0])


def _begins_a_loop(comparison: Comparison, step: Step) -> bool:
    """Is it set again in another line, where the reference sets it once?"""
    place = (step.name, step.function)
    lines = {s.line for s in comparison.steps if s.kind in NAMED and (s.name, s.function) == place}
    due = {
        k.step.line for k in comparison.known if k.step.kind in NAMED and k.line_name == step.name
    }
    return len(lines) > max(len(due), 1)


def _shuffled(comparison: Comparison, i: int) -> Match | None:
    """Has it the shape of a step of the reference, and its values in another order?"""
    tensor = comparison.tensors[i]
    same = [each for each in comparison.known if each.tensor.shape == tensor.shape]
    for each in sorted(same, key=lambda known: known.rank):
        relation = None if each.given else layout(tensor, each.tensor)
        if relation is not None:
            return Match(relation, each)
    return nearest(comparison.steps[i], tensor, same)
