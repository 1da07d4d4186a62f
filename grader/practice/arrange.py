"""Makes lines to arrange: the body of a function of the reference, shuffled with wrong lines."""

from collections.abc import Iterator
from itertools import islice

from grader.model import Framework
from grader.practice.changes import Change, changes, shuffler, spread
from grader.practice.item import Arrange, Step
from grader.practice.lines import Lines, lines_of
from grader.problem import Problem

MOST_LINES = 14  # to order at once; a longer body is cut into parts
LEAST_LINES = 3  # with the wrong ones: fewer are no question
MOST_DISTRACTORS = 4


def arranges(problem: Problem, framework: Framework) -> tuple[Arrange, ...]:
    """Returns an item for each part of the reference that has enough lines."""
    program = lines_of(problem.references[framework])
    edits = changes(problem, framework, program)
    items: list[Arrange] = []
    for part in _parts(program):
        here = tuple(change for change in edits if change.at in part)
        chosen = tuple(islice(spread(here), MOST_DISTRACTORS))
        if len(part) + len(chosen) >= LEAST_LINES:
            items.append(_item(problem, framework, program, part, chosen, len(items) + 1))
    return tuple(items)


def _item(
    problem: Problem,
    framework: Framework,
    program: Lines,
    part: range,
    distractors: tuple[Change, ...],
    number: int,
) -> Arrange:
    name = f"{Step.ARRANGE}-{number}"
    given = [*program[part.start : part.stop], *(change.line for change in distractors)]
    order = list(range(len(given)))
    generator = shuffler(problem, framework, name)
    while order == sorted(order):
        generator.shuffle(order)
    names = {len(part) + i: change.mistake.name for i, change in enumerate(distractors)}
    return Arrange(
        id=name,
        framework=framework,
        before=program[: part.start],
        pool=tuple(given[i] for i in order),
        after=program[part.stop :],
        right=tuple(order.index(i) for i in range(len(part))),
        distractors={at: names[i] for at, i in enumerate(order) if i in names},
    )


def _parts(program: Lines) -> Iterator[range]:
    """Yields the bodies of functions, in parts of a size that can be ordered; where there is no
    function, what follows the imports.
    """
    bodies = list(_bodies(program)) or [_after_imports(program)]
    for body in bodies:
        count = -(-len(body) // MOST_LINES)
        size = -(-len(body) // max(count, 1))
        for start in range(body.start, body.stop, max(size, 1)):
            yield range(start, min(start + size, body.stop))


def _bodies(program: Lines) -> Iterator[range]:
    at = 0
    while at < len(program):
        end = _end(program, at)
        if program[at].text.startswith("def "):
            yield range(at + 1, end)
            at = end
        else:
            at += 1


def _end(program: Lines, head: int) -> int:
    """Returns the place after the block that a line begins."""
    level = program[head].indent
    later = (i for i in range(head + 1, len(program)) if program[i].indent <= level)
    return next(later, len(program))


def _after_imports(program: Lines) -> range:
    imports = [i for i, line in enumerate(program) if line.text.startswith(("import ", "from "))]
    return range(max(imports, default=-1) + 1, len(program))
