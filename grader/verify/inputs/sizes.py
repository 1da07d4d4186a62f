"""Checks that the sizes of a case differ, so that no two axes can be mixed up, and that results
have the shapes that the problem states (rule 8).
"""

from collections.abc import Mapping

import numpy as np

from grader.answers import Answers
from grader.case import Case
from grader.findings.text import T_, Text
from grader.model import Kind
from grader.problem import Problem
from grader.verify.fitness import Fitness


def check_sizes(problem: Problem, answers: Answers, fitness: Fitness) -> None:
    """Every case has a note; its shapes are those of the problem, and its sizes differ."""
    for answer in answers.cases:
        case = answer.case
        where = T_("case '%(case)s'", case=case.name)
        if not case.note.strip():
            fitness.add(9, where, T_("has no note; say why it exists"))
        clash = None if case.same else _clash(problem, case)
        if clash:
            text = T_("%(clash)s; make them differ, or say why not with same=", clash=clash)
            fitness.add(8, where, text)


def check_results(problem: Problem, answers: Answers, fitness: Fitness) -> None:
    """What the reference returns has the shapes of [shapes], with the sizes of the inputs."""
    if problem.kind is Kind.VALUES:  # a case judges a row of a table
        return
    for answer in answers.cases:
        if answer.case.draws:  # statistics have shapes of their own
            continue
        sizes = _sizes(problem, answer.case)
        for name, expected in answer.expected.items():
            forms = problem.forms(name)
            letters = _letters(forms, expected.values, sizes)
            if forms and letters is None:
                text = T_(
                    "%(tensor)s has shape %(shape)s, which is not %(forms)s%(sizes)s; correct"
                    " [shapes] in problem.toml, or the reference",
                    tensor=name,
                    shape=expected.values.shape,
                    forms=" or ".join(forms),
                    sizes=_listed(sizes),
                )
                fitness.add(8, T_("case '%(case)s'", case=answer.case.name), text)


def _sizes(problem: Problem, case: Case) -> dict[str, int]:
    """Returns the sizes by letter, as the inputs have them."""
    sizes: dict[str, int] = {}
    for name, array in case.inputs.items():
        sizes |= _letters(problem.forms(name), array, sizes) or {}
    return sizes


def _listed(sizes: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{k} = {v}' for k, v in sizes.items())})" if sizes else ""


def _clash(problem: Problem, case: Case) -> Text | str | None:
    """Returns the first shape that is none of the problem's, or the first two equal sizes."""
    sizes: dict[str, int] = {}
    for name, array in case.inputs.items():
        forms = problem.forms(name)
        letters = _letters(forms, array, sizes)
        if forms and letters is None:
            return T_(
                "%(tensor)s has shape %(shape)s, which is not %(forms)s",
                tensor=name,
                shape=array.shape,
                forms=" or ".join(forms),
            )
        sizes |= letters or {}
    equal = ((a, b) for a in sizes for b in sizes if a < b and sizes[a] == sizes[b])
    return next((f"{a} = {b} = {sizes[a]}" for a, b in equal), None)


def _letters(
    forms: tuple[str, ...], array: np.ndarray, known: Mapping[str, int]
) -> dict[str, int] | None:
    """Returns the sizes by letter, by the first form that fits."""
    fitting = (_bind(form, array.shape, known) for form in forms)
    return next((letters for letters in fitting if letters is not None), None)


def _bind(form: str, shape: tuple[int, ...], known: Mapping[str, int]) -> dict[str, int] | None:
    letters = form.split()
    if letters[:1] == ["..."]:
        letters, shape = letters[1:], shape[max(0, len(shape) - len(letters) + 1) :]
    if len(letters) != len(shape):
        return None
    sizes: dict[str, int] = {}
    for letter, size in zip(letters, shape, strict=True):
        if letter.isdigit():
            if int(letter) != size:
                return None
        elif {**known, **sizes}.get(letter, size) != size:
            return None
        else:
            sizes[letter] = size
    return sizes
