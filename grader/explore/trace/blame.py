"""The first step to blame for a wrong result: not right, and nothing right is made of it."""

from collections.abc import Sequence

from grader.explore.trace.comparison import Comparison, supported
from grader.explore.trace.matching import NAMED, Known, Match, nearest
from grader.explore.trace.relations import Relation, Tensor, layout
from grader.explore.trace.suspects import Suspect, suspects_of
from grader.inside.instrument import Kind

TURNED = (Relation.TRANSPOSED, Relation.AXES_MOVED)


def blamed(comparison: Comparison, gradients: bool = False) -> Suspect | None:
    """The first wrong step; None where nothing can be said.

    `gradients`: it is they that are wrong, so that every value may be right.
    """
    excused = supported(comparison)
    suspects = suspects_of(comparison, excused)
    rounded = _rounded(comparison)
    if rounded and (not suspects or rounded[0] < suspects[0][0]):
        return rounded
    if not comparison.raised and (still := _still(comparison)):
        return still
    if suspects:
        return _plainest(comparison, suspects, excused)
    return (
        _rows_scaled(comparison, excused)
        or _detached(comparison)
        or (None if gradients or comparison.raised else _returned(comparison))
    )


def _plainest(
    comparison: Comparison, suspects: Sequence[Suspect], excused: frozenset[int]
) -> Suspect:
    """Of the first wrong statement, what can be said most plainly."""
    first, match = suspects[0]
    if match is None:
        # another value of the same statement may be nearer to what it should be
        line = comparison.steps[first].line
        told = (pair for pair in suspects if comparison.steps[pair[0]].line == line and pair[1])
        first, match = next(told, (first, None))
    if match is None:
        return (
            _set_anew(comparison, first)
            or _stopped(comparison, first)
            or _turned(comparison, first, excused)
            or _rows_scaled_twice(comparison, excused)
            or (first, None)
        )
    if match.relation is Relation.PARTLY:
        return _stopped(comparison, first) or (first, match)
    if match.relation is Relation.FACTOR:
        return _last_factor(first, match, suspects)
    return first, match


def _set_anew(comparison: Comparison, number: int) -> Suspect | None:
    """The step that gives an argument another value, where the reference leaves it as it is."""
    name, line = _target(comparison, number), comparison.steps[number].line
    same = [k for k in comparison.known if k.line_name == name]
    if not same or not all(k.given for k in same):
        return None
    later = enumerate(comparison.steps[number:], number)
    return next(
        ((i, None) for i, s in later if (s.line, s.name, s.kind) == (line, name, Kind.ASSIGN)), None
    )


def _last_factor(first: int, match: Match, suspects: Sequence[Suspect]) -> Suspect:
    """Of several factors of one tensor, the last: there it should have become 1."""
    for number, other in suspects:
        if other is None or other.relation is not Relation.FACTOR:
            continue
        if other.known.name == match.known.name and abs(other.by / match.by - 1) > 1e-3:
            first, match = number, other
    return first, match


def _turned(comparison: Comparison, number: int, excused: frozenset[int]) -> Suspect | None:
    """The step before an unknown one whose axes lie in another order than the reference's."""
    for i in sorted(comparison.ancestors([number]) - excused):
        match = comparison.matches.get(i)
        if match and match.relation in TURNED and not match.known.given:
            return i, match
    return None


def _still(comparison: Comparison) -> Suspect | None:
    """A result that is an earlier step of the reference, where one is missing."""
    due = [k for k in comparison.known if k.step.kind is Kind.RETURN and k.step.depth == 0]
    # without as many results as are due, none of them is wrong by itself
    for number in comparison.wrong_results() if comparison.results else ():
        match, tensor = comparison.matches.get(number), comparison.tensors.get(number)
        if not match or not tensor or match.relation is not Relation.SAME or not tensor.telling:
            continue
        if not match.known.named or any(layout(tensor, k.tensor) is not None for k in due):
            continue
        reads = comparison.steps[number].reads
        made = reads[-1] if reads and comparison.steps[reads[-1]].kind in NAMED else number
        return made, Match(Relation.STILL, match.known)
    return None


def _stopped(comparison: Comparison, number: int) -> Suspect | None:
    """Is a right step used for the one of the same name that the reference makes of it?"""
    target = _target(comparison, number)
    for read in comparison.steps[number].reads:
        match, name = comparison.matches.get(read), comparison.steps[read].name
        if match is None or match.relation is not Relation.SAME or match.known.given:
            continue
        due = [k for k in comparison.named if k.line_name == name and not k.given]
        if name == target or not due or _reached(comparison, due[-1].tensor):
            continue
        tensor = comparison.tensors[read]
        if due[-1].number > match.known.number and due[-1].tensor.shape == tensor.shape:
            place = _handed_over(comparison, due[-1], tensor, number)
            return place, Match(Relation.STILL, match.known)
    return None


def _target(comparison: Comparison, number: int) -> str:
    """The variable that the statement of a step sets."""
    step = comparison.steps[number]
    if step.kind in NAMED:
        return step.name
    later = (s for s in comparison.steps[number:] if s.line == step.line and s.kind in NAMED)
    return next((s.name for s in later), "")


def _reached(comparison: Comparison, due: Tensor) -> bool:
    """Has some step these values?"""
    return any(layout(tensor, due) is Relation.SAME for tensor in comparison.tensors.values())


def _handed_over(comparison: Comparison, due: Known, tensor: Tensor, number: int) -> int:
    """The `return` that hands on the values too early; else the step that uses them."""
    made = next((k for k in comparison.named if k.rank == 1 and _equal(k, due)), due)
    early = [
        i
        for i in comparison.ancestors([number])
        if comparison.steps[i].kind is Kind.RETURN
        and comparison.steps[i].function == made.step.function
        and i in comparison.tensors
        and layout(comparison.tensors[i], tensor) is Relation.SAME
    ]
    return max(early, default=number)


def _equal(one: Known, other: Known) -> bool:
    return layout(one.tensor, other.tensor) is Relation.SAME


def _rows_scaled(comparison: Comparison, excused: frozenset[int]) -> Suspect | None:
    """The last step that is the first of the reference's but for a factor for each row."""
    steps = [
        (match.known.number, -i)
        for i, match in comparison.matches.items()
        if match.relation is Relation.ROW_FACTOR
        and i not in excused
        and (comparison.steps[i].kind in NAMED or not comparison.steps[i].name.isidentifier())
    ]
    if not steps:
        return None
    number = -min(steps)[1]
    return number, Match(Relation.ROWS_SCALED, comparison.matches[number].known)


def _rows_scaled_twice(comparison: Comparison, excused: frozenset[int]) -> Suspect | None:
    """The same, where the factors reach the next step of the reference, too."""
    known = {
        match.known.name
        for i, match in comparison.matches.items()
        if match.relation is Relation.ROW_FACTOR and i not in excused
    }
    return _rows_scaled(comparison, excused) if len(known) > 1 else None


def _detached(comparison: Comparison) -> Suspect | None:
    """The first step from which no gradient flows back, while one does in the reference. None need
    flow where only a maximum is taken.
    """
    detached = [
        (i, Match(Relation.DETACHED, match.known))
        for i, match in comparison.matches.items()
        if match.right
        and match.known.step.grad
        and not match.known.given
        and not comparison.steps[i].grad
    ]
    return next((pair for pair in detached if not _only_chosen_from(comparison, pair[0])), None)


def _only_chosen_from(comparison: Comparison, number: int) -> bool:
    """Is all that is made of it a choice of its values?"""
    source = comparison.tensors[number]
    made = [
        comparison.tensors.get(i) for i, step in enumerate(comparison.steps) if number in step.reads
    ]
    return bool(made) and all(t and t.size < source.size and t.part_of(source) for t in made)


def _rounded(comparison: Comparison) -> Suspect | None:
    """The first step that has the digits of float32 only, where the reference has more."""
    for i, match in comparison.matches.items():
        due = match.known.tensor
        whole = match.right and match.relation is not Relation.PART  # one row may be round numbers
        if comparison.steps[i].kind is Kind.ARGUMENT or not due.exact or not whole:
            continue
        if due.telling and not due.single and comparison.tensors[i].single:
            return i, Match(Relation.ROUNDED, match.known)
    return None


def _returned(comparison: Comparison) -> Suspect | None:
    """Every step is right: an argument was changed, or what is returned is not what is due."""
    for i, step in enumerate(comparison.steps):
        given = next((k for k in comparison.known if k.given and k.name == step.changes), None)
        if given is not None:
            return i, Match(Relation.CHANGED_INPUT, given)
    for number in comparison.wrong_results() if comparison.results else ():
        # what a softmax would not change is on the way to it, but is no result
        match, due = comparison.matches.get(number), comparison.due_of(number)
        if match and not match.right and due:
            near = nearest(comparison.steps[number], comparison.tensors[number], due)
            return (number, near) if near else None
    last = [i for i, s in enumerate(comparison.steps) if s.kind is Kind.RETURN and s.depth == 0]
    unlike = _unlike(comparison)
    if unlike is not None and comparison.tensors[unlike].size == 1:
        return unlike, None  # a single number: what it is made of is like nothing in the reference
    relation = _end(comparison) if last and comparison.known else None
    return (last[-1], Match(relation, comparison.known[-1])) if relation else None


def _end(comparison: Comparison) -> Relation | None:
    """What is wrong with the results where no step is; None where a wrong one is like no step of
    the reference, so that nothing says that the steps are right.
    """
    pairs = [(n, k) for n, k in zip(comparison.results, comparison.due, strict=False) if k]
    if comparison.results and not pairs:
        return None  # too large to be compared whole
    if _unlike(comparison) is not None:
        return None
    wrong = any(not comparison.is_due(n, known) for n, known in pairs)
    same = all(comparison.steps[n].dtype == known.step.dtype for n, known in pairs)
    return Relation.SLIGHT if pairs and not wrong and same else Relation.RETURNED


def _unlike(comparison: Comparison) -> int | None:
    """The first wrong result that has the values of no step of the reference."""
    for number, known in zip(comparison.results, comparison.due, strict=False):
        match = comparison.matches.get(number)
        wrong = known and number in comparison.tensors and not comparison.is_due(number, known)
        if wrong and not (match and match.right):
            return number
    return None
