"""Checks hints, and their translations (rule 9)."""

from grader.findings.text import T_
from grader.problem import Mistake, Problem, Right, Words, did_you_mean
from grader.problem.standard import NAMES_ZH
from grader.verify.fitness import Fitness


def check_hints(problem: Problem, fitness: Fitness) -> None:
    """Every mistake has a hint, in every language; and there is a mistake."""
    for mistake in problem.mistakes:
        if not mistake.hint.strip():
            fitness.add(
                9,
                T_("mistake '%(mistake)s'", mistake=mistake.name),
                T_("has no hint; say what is wrong and what to look at"),
            )
    for language, words in problem.words.items():
        for mistake in problem.mistakes:
            _check_hint(language, words, mistake, fitness)
    if not problem.mistakes:
        fitness.add(
            3,
            "mistakes.toml",
            T_("holds no mistake, so nothing shows that the cases can tell right from wrong"),
        )


def _check_hint(language: str, words: Words, mistake: Mistake, fitness: Fitness) -> None:
    if not words.hints.get(mistake.name, "").strip():
        text = T_(
            "has no hint for mistake '%(mistake)s'; add it under [mistakes]", mistake=mistake.name
        )
        fitness.add(9, f"hints.{language}.toml", text)


def check_translations(problem: Problem, fitness: Fitness) -> None:
    """Every case has a name and a note in every language, and no other case has; every right
    solution that says something of itself says it in every language.
    """
    cases = [answer.case.name for matrix in fitness.matrices for answer in matrix.cases]
    names = list(dict.fromkeys(cases))
    for language, words in problem.words.items():
        _check_names(f"hints.{language}.toml", words, names, fitness)
        _check_right(f"hints.{language}.toml", words, problem.right, fitness)


def _check_names(file: str, words: Words, cases: list[str], fitness: Fitness) -> None:
    for name in cases:
        if not (words.names.get(name, "").strip() and words.notes.get(name, "").strip()):
            text = T_("has no name and note for case '%(case)s'; add them under [cases]", case=name)
            fitness.add(9, file, text)
    for name in words.names:
        if name not in (*cases, *NAMES_ZH):
            text = T_(
                "speaks of case '%(case)s', which cases.py does not yield%(meant)s;"
                " rename or remove it",
                case=name,
                meant=did_you_mean(name, cases),
            )
            fitness.add(9, file, text)


def _check_right(file: str, words: Words, right: tuple[Right, ...], fitness: Fitness) -> None:
    for name in dict.fromkeys(each.name for each in right if each.note):
        if not words.right.get(name, "").strip():
            text = T_(
                "does not say what right solution '%(name)s' does; add it under [right]", name=name
            )
            fitness.add(9, file, text)
