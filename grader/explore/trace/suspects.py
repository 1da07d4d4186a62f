"""The steps of a program that may be to blame for its wrong result."""

from collections.abc import Iterator, Sequence

from grader.explore.trace.comparison import Comparison
from grader.explore.trace.matching import Match, nearest, repeated
from grader.explore.trace.relations import Relation, layout
from grader.inside.instrument import Kind
from grader.sandbox import Step

Suspect = tuple[int, Match | None]  # the number of a step, and how it is nearly right
CONTAINERS = ("list", "tuple", "dict")


def suspects_of(found: Comparison, excused: frozenset[int]) -> Sequence[Suspect]:
    """Returns the steps that may be to blame, in their order."""
    suspects = list(_wrong_steps(found, excused))
    several = repeated(found.steps)
    telling = [pair for pair in suspects if pair[1] or _telling(found, pair[0], pair[0] in several)]
    return telling or suspects


def _telling(found: Comparison, number: int, several: bool) -> bool:
    """Is it no list of numbers that is made of sizes alone, no mask that hides nothing, or all, as
    one of the reference does, and no row of a mask?
    """
    tensor = found.tensors[number]
    if tensor.boolean and several:
        return False
    if tensor.boolean and not tensor.telling:
        masks = (k.tensor for k in found.known if k.tensor.boolean and not k.tensor.telling)
        return all(mask.values.flat[0] != tensor.values.flat[0] for mask in masks)
    return found.steps[number].kind is not Kind.EXPRESSION or bool(_sources(found, number))


def _sources(found: Comparison, number: int) -> list[int]:
    """The steps that it is made of, without single numbers."""
    reads = found.steps[number].reads
    return [i for i in reads if i not in found.tensors or found.tensors[i].size > 1]


def _wrong_steps(found: Comparison, excused: frozenset[int]) -> Iterator[Suspect]:
    chosen = found.ancestors(found.wrong_results())
    for i, step in enumerate(found.steps):
        if i not in chosen or i in excused or _given(found, i):
            continue
        match = found.matches.get(i)
        other = _other_number(found, i, step) or found.misnamed.get(i)
        if other is not None:
            yield i, other
        elif match is None:
            tensor = found.tensors.get(i)
            if tensor is not None and tensor.size > 1 and not _filled_later(found, i):
                near = nearest(step, tensor, found.known)
                due = nearest(step, tensor, found.due_of(i))
                yield i, due if due and near and due.relation is near.relation else near
        elif match.right and match.relation not in (Relation.SAME, Relation.PART):
            shuffled = _shuffled(found, i)
            if shuffled is not None:
                yield i, shuffled


def _given(found: Comparison, number: int) -> bool:
    """Is it an argument, or an item of one that is a list or a mask, or that a loop takes?"""
    step = found.steps[number]
    if step.kind is Kind.LOOP:
        return bool(step.reads) and all(_given(found, read) for read in step.reads)
    if step.kind is Kind.EXPRESSION and step.name.endswith("]"):
        tensor, sources = found.tensors.get(number), _sources(found, number)
        mask = tensor is not None and tensor.boolean
        return bool(sources) and all(
            (mask or found.steps[source].dtype in CONTAINERS) and _given(found, source)
            for source in sources
        )
    return step.kind is Kind.ARGUMENT


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
    same = [k for k in found.known if k.line_name == step.name and k.tensor.size == 1]
    if not same or any(layout(tensor, k.tensor) is Relation.SAME for k in same):
        return None
    return Match(Relation.OTHER_VALUE, same[0])


def _shuffled(found: Comparison, i: int) -> Match | None:
    """Has it the shape of a step of the reference, and its values in another order?"""
    tensor = found.tensors[i]
    same = [each for each in found.known if each.tensor.shape == tensor.shape]
    for each in sorted(same, key=lambda known: known.rank):
        relation = None if each.given else layout(tensor, each.tensor)
        if relation is not None:
            return Match(relation, each)
    return nearest(found.steps[i], tensor, same)
