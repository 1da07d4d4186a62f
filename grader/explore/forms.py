"""Which letter each axis of an array carries, as the problem's [shapes] declare it."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from grader.problem import Problem

Letters = tuple[str, ...]  # one for each axis; "" is unknown, and "1" is an axis of size 1
LEADING = "..."


def bind(
    problem: Problem, arrays: Mapping[str, np.ndarray]
) -> tuple[dict[str, Letters], dict[str, int]]:
    """Returns the letters of each array's axes, and the size of each letter.

    An array whose declared forms do not fit the others has unknown letters.
    """
    axes: dict[str, Letters] = {}
    sizes: dict[str, int] = {}
    for name in sorted(arrays, key=lambda name: len(problem.shapes.get(name, ()))):
        shape = arrays[name].shape
        letters = _fitting(problem.shapes.get(name, ()), shape, sizes)
        axes[name] = letters or ("",) * len(shape)
        sizes |= {letter: n for letter, n in zip(letters, shape, strict=False) if _free(letter)}
    return axes, sizes


def spread(form: str, shape: tuple[int, ...]) -> Letters | None:
    """Returns the letters of a form for a shape, None where the number of axes does not fit.

    Leading axes are named by their place from the right, and broadcast.
    """
    letters = form.split()
    if letters[:1] != [LEADING]:
        return tuple(letters) if len(letters) == len(shape) else None
    count = len(shape) - len(letters) + 1
    if count < 0:
        return None
    leading = ["1" if n == 1 else f"{LEADING}{count - i}" for i, n in enumerate(shape[:count])]
    return (*leading, *letters[1:])


def clash(
    forms: Sequence[str], shape: tuple[int, ...], sizes: Mapping[str, int]
) -> tuple[int, str, int] | None:
    """Returns the first axis that breaks the form which fits best: its place, its letter, and the
    size that is due there. None where no form has as many axes.
    """
    spreads = [letters for form in forms if (letters := spread(form, shape)) is not None]
    broken = [list(_broken(letters, shape, sizes)) for letters in spreads]
    return min((breaks for breaks in broken if breaks), key=len, default=[None])[0]


def _broken(
    letters: Letters, shape: tuple[int, ...], sizes: Mapping[str, int]
) -> Iterator[tuple[int, str, int]]:
    known = dict(sizes)
    for place, (letter, n) in enumerate(zip(letters, shape, strict=True)):
        due = known.setdefault(letter, n) if _free(letter) else int(letter)
        if due != n:
            yield place, LEADING if letter.startswith(LEADING) else letter, due


def _fitting(forms: tuple[str, ...], shape: tuple[int, ...], sizes: Mapping[str, int]) -> Letters:
    for form in forms:
        letters = spread(form, shape)
        if letters is not None and _fits(letters, shape, sizes):
            return letters
    return ()


def _fits(letters: Letters, shape: tuple[int, ...], sizes: Mapping[str, int]) -> bool:
    return next(_broken(letters, shape, sizes), None) is None


def _free(letter: str) -> bool:
    return bool(letter) and not letter.isdecimal()
