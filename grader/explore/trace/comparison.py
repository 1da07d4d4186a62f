"""A traced program beside the traced reference: which step is which, and what is made of what."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.explore.trace.matching import (
    NAMED,
    Known,
    Match,
    first_results,
    known_steps,
    matched,
    nearest,
    nearest_part,
    results,
    tensors_of,
)
from grader.explore.trace.relations import Relation, Tensor, layout
from grader.inside.instrument import Kind
from grader.sandbox import Step

PLAIN = (Relation.FACTOR, Relation.OPPOSITE)  # surely wrong, whatever the name


@dataclass(frozen=True, slots=True)
class Comparison:
    """A trace beside that of the reference.

    `matches` has the steps that are right, and those on the way there; `misnamed` those that are
    right as another step than the one that is due by their name. `results` are the steps whose
    values are returned, and `due` what each should be; empty where the call did not return them.
    `raised` is the line at which the call ended with an exception, or 0.
    """

    steps: Sequence[Step]
    tensors: Mapping[int, Tensor]
    known: Sequence[Known]
    matches: Mapping[int, Match]
    misnamed: Mapping[int, Match]
    results: Sequence[int]
    due: Sequence[Known | None]
    raised: int = 0

    @property
    def named(self) -> list[Known]:
        """The steps of the reference that have a name of their own."""
        return [known for known in self.known if known.named]

    def ancestors(self, numbers: Iterable[int]) -> set[int]:
        """These steps, and all that they are made of."""
        todo = list(numbers)
        ancestors = set(todo)
        while todo:
            for read in self.steps[todo.pop()].reads:
                if read not in ancestors:
                    ancestors.add(read)
                    todo.append(read)
        return ancestors

    def wrong_results(self) -> list[int]:
        """The steps that returned a wrong result; all steps where the call did not return."""
        if not self.results:
            return list(range(len(self.steps)))
        pairs = zip(self.results, self.due, strict=False)
        wrong = [n for n, known in pairs if known and not self.is_due(n, known)]
        return wrong or list(self.results)

    def due_of(self, number: int) -> list[Known]:
        """The result that a step returns, as it should be; nothing for any other step."""
        return [d for n, d in zip(self.results, self.due, strict=False) if d and n == number]

    def is_due(self, number: int, known: Known) -> bool:
        """Is it exactly this result of the reference?"""
        tensor = self.tensors.get(number)
        return (
            tensor is not None
            and tensor.shape == known.tensor.shape
            and layout(tensor, known.tensor) is Relation.SAME
        )

    def last_right(self, number: int, line: int) -> int:
        """The line of the last right step before this one and this line; 0 where there is none."""
        for i in range(number - 1, -1, -1):
            match = self.matches.get(i)
            right = match and match.right and not match.known.given and self.tensors[i].telling
            if right and self.steps[i].line < line:
                return self.steps[i].line
        return 0


def compared(
    steps: Sequence[Step],
    reference: Sequence[Step],
    returns: Sequence[str],
    raised: int = 0,
    driven: bool = False,
) -> Comparison:
    """Finds which step of the program is which of the reference.

    Where a driver made several calls (`driven`), the results are what each of them returned first.
    """
    known, tensors = known_steps(reference, returns), tensors_of(steps)
    matches = matched(steps, tensors, known)
    named = [each for each in known if each.named]
    misnamings = {
        i: _misnamed(steps[i], tensors[i], match, named)
        for i, match in matches.items()
        if match.right and steps[i].kind in NAMED and not raised
    }
    misnamed = {i: match for i, match in misnamings.items() if match is not None}
    made, due = _driven(steps, reference, known) if driven else _returned(steps, known, returns)
    return Comparison(steps, tensors, known, matches, misnamed, made, due, raised)


def _returned(
    steps: Sequence[Step], known: Sequence[Known], returns: Sequence[str]
) -> tuple[Sequence[int], Sequence[Known | None]]:
    """The results of one call, and what each should be."""
    due = {k.name: k for k in known if k.step.kind is Kind.RETURN and k.step.depth == 0}
    return results(steps, len(returns)), list(due.values())


def _driven(
    steps: Sequence[Step], reference: Sequence[Step], known: Sequence[Known]
) -> tuple[Sequence[int], Sequence[Known | None]]:
    """The first wrong result of several calls, and what it should be; no result where the program
    was called another number of times.
    """
    made, expected = first_results(steps), first_results(reference)
    if len(made) != len(expected):
        return [], []
    by_number = {each.number: each for each in known}
    tensors = tensors_of(steps)
    for number, due in zip(made, map(by_number.get, expected), strict=True):
        tensor = tensors.get(number)
        if due and (tensor is None or layout(tensor, due.tensor) is not Relation.SAME):
            return [number], [due]
    return made, [by_number.get(number) for number in expected]


def _misnamed(step: Step, tensor: Tensor, match: Match, named: Sequence[Known]) -> Match | None:
    """How a step that is right as another one is not what is due by its name."""
    if match.relation is Relation.PART:
        return None if match.known.named else nearest_part(tensor, named)
    if not match.known.named or tensor.size == 1:
        near = nearest(step, tensor, named)
        told = near and (near.relation in PLAIN or near.known.line_name == step.name)
        return near if told else None
    due = [
        known
        for known in named
        if known.line_name == step.name
        and (tensor.boolean or not known.given)
        and known.tensor.boolean == tensor.boolean
    ]
    if not due or any(layout(tensor, known.tensor) is Relation.SAME for known in due):
        return None
    if match.known.given and all(known.tensor.shape != tensor.shape for known in due):
        return None  # an argument, which the program calls so
    return nearest(step, tensor, due) or Match(Relation.EXCHANGED, match.known)


def supported(comparison: Comparison) -> frozenset[int]:
    """The steps of which something right is made: they are right, or a way of their own."""
    wrong = set(comparison.wrong_results())
    reached: set[int] = set()
    for i in range(len(comparison.steps) - 1, -1, -1):
        if i in reached or _supports(comparison, i, wrong):
            reached.update(comparison.steps[i].reads)
    return frozenset(reached)


SUPPORTING = 4  # entries of a tensor that tells that what it is made of is right


def _supports(comparison: Comparison, number: int, wrong: set[int]) -> bool:
    """Is a step so right that what it is made of must be right, too?"""
    match = comparison.matches.get(number)
    if match is None or match.known.given or number in comparison.misnamed:
        return False
    if match.relation is Relation.ROW_FACTOR:
        return False
    if match.relation is Relation.ROW_OFFSET and number in wrong:
        return False
    tensor = comparison.tensors[number]
    if not tensor.telling or tensor.size < SUPPORTING:
        return False
    sources = [
        comparison.tensors[i] for i in comparison.steps[number].reads if i in comparison.tensors
    ]
    if not match.known.named and any(tensor.size < source.size for source in sources):
        return False
    return not any(_taken_from(tensor, source) for source in sources)


def _taken_from(tensor: Tensor, source: Tensor) -> bool:
    """Are its values a choice of the source's? The maximum may be right where the rest is not."""
    if tensor.boolean != source.boolean:
        return False
    if tensor.boolean:
        return layout(tensor, source) is not None or tensor.opposite_of(source)
    return source.size > 1 and tensor.part_of(source)
