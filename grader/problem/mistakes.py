"""Reads the known mistakes of a problem: mistakes.toml and the folder mistakes/."""

import ast
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate, pairwise, takewhile
from pathlib import Path

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.model import Framework, Outcome
from grader.problem.definition import Edit, Mistake
from grader.problem.files import read_text, read_toml
from grader.problem.standard import shared_mistakes
from grader.problem.table import Table

FEWEST_WORDS = 4  # between two changes of one edit; with fewer they are one change
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


def read_mistakes(
    folder: Path, references: Mapping[Framework, str], rules: Sequence[str] = ()
) -> tuple[Mistake, ...]:
    """Reads the standard mistakes and every table [[mistake]]; an edit is applied to the reference.
    A standard mistake has its rule where it is among `rules`. Raises `ProblemError`.
    """
    path = folder / "mistakes.toml"
    top = Table(read_toml(path), path)
    rows = top.value("mistake", [])
    standard = shared_mistakes(path, top.strings("standard", ()), references, rules)
    top.value("survivor", [])  # see `read_survivors`
    top.reject_unknown()
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        words = T_("%(path)s: write each mistake as a table [[mistake]]", path=str(path))
        raise ProblemError(words)
    mistakes = standard + tuple(
        _mistake(Table(row, path, T_("mistake %(number)d", number=i)), folder, references)
        for i, row in enumerate(rows, 1)
    )
    names = [m.name for m in mistakes]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated:
        raise ProblemError(
            T_(
                "%(path)s: two mistakes are called '%(name)s'; rename one",
                path=str(path),
                name=repeated,
            )
        )
    return mistakes


def read_survivors(folder: Path) -> dict[str, str]:
    """Reads every table [[survivor]]: why the cases accept a wrong mutant, by its text.

    Raises `ProblemError`.
    """
    path = folder / "mistakes.toml"
    rows = read_toml(path).get("survivor", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        words = T_("%(path)s: write each survivor as a table [[survivor]]", path=str(path))
        raise ProblemError(words)
    reasons: dict[str, str] = {}
    for i, row in enumerate(rows, 1):
        table = Table(row, path, T_("survivor %(number)d", number=i))
        reasons |= dict.fromkeys(table.strings("mutants"), table.string("reason"))
        table.reject_unknown()
    return reasons


def _mistake(row: Table, folder: Path, references: Mapping[Framework, str]) -> Mistake:
    name = row.string("name")
    row.label = T_("mistake '%(name)s'", name=name)
    given = {
        framework: _sources(row, framework, folder, reference)
        for framework, reference in references.items()
        if framework in row.values
    }
    if not given:
        words = T_(
            "%(path)s: mistake '%(name)s' has no source; add numpy = { find = …, replace = … } or"
            " torch = …",
            path=str(row.path),
            name=name,
        )
        raise ProblemError(words)
    sources = {framework: source for framework, (source, _) in given.items()}
    mistake = Mistake(
        name=name,
        verdict=_verdict(row),
        hint=row.string("hint", ""),
        question=row.string("question", ""),
        random=row.boolean("random", False),
        rule=row.string("rule", ""),
        slight=row.boolean("slight", False),
        sources=sources,
        edits={framework: edit for framework, (_, edit) in given.items() if edit},
        variants=_variants(row, sources),
    )
    row.reject_unknown()
    return mistake


def _variants(row: Table, sources: Mapping[Framework, str]) -> dict[Framework, tuple[str, ...]]:
    """Reads the key `variants`: what stands once in each source, and what else may stand there."""
    if "variants" not in row.values:
        return {}
    table = row.table("variants")
    find, others = table.string("find"), table.strings("replace")
    table.reject_unknown()
    for framework, source in sources.items():
        if not find or source.count(find) != 1:
            words = T_(
                "%(key)s: %(text)s occurs %(count)d times in the mistake in %(framework)s; it must"
                " occur exactly once",
                key=table.where("find"),
                text=repr(find),
                count=source.count(find),
                framework=str(framework),
            )
            raise ProblemError(words)
    return {
        f: tuple(source.replace(find, other) for other in others) for f, source in sources.items()
    }


def _verdict(row: Table) -> Outcome:
    choices = [str(o) for o in Outcome if o not in (Outcome.ACCEPTED, Outcome.JUDGE_ERROR)]
    return Outcome(row.string("verdict", "wrong_answer", choices=choices))


def _sources(row: Table, framework: str, folder: Path, reference: str) -> tuple[str, Edit | None]:
    """Reads one edit, or a list of edits, each of what the one before it left."""
    given = row.values[framework]
    if not isinstance(given, list):
        return _source(row.table(framework), folder, reference)
    row.value(framework)
    if not given or not all(isinstance(edit, dict) and "file" not in edit for edit in given):
        words = T_(
            "%(key)s: write a list of edits, each { find = …, replace = … }",
            key=row.where(framework),
        )
        raise ProblemError(words)
    source = reference
    for number, edit in enumerate(given, 1):
        label = T_(
            "%(mistake)s [%(framework)s] edit %(number)d",
            mistake=row.label,
            framework=str(framework),
            number=number,
        )
        source, _ = _source(Table(edit, row.path, label), folder, source)
    return source, edit_between(reference, source)


def _source(edit: Table, folder: Path, reference: str) -> tuple[str, Edit | None]:
    file = edit.string("file", "")
    if file:
        edit.reject_unknown()
        if Path(file).name != file:
            words = T_(
                "%(key)s: '%(file)s' must be the plain name of a file in mistakes/",
                key=edit.where("file"),
                file=file,
            )
            raise ProblemError(words)
        return read_text(folder / "mistakes" / file, T_("a mistake names it")), None
    find, replace = edit.string("find"), edit.string("replace")
    edit.reject_unknown()
    count = reference.count(find) if find else 0
    if count != 1:
        words = T_(
            "%(key)s: %(text)s occurs %(count)d times in the reference; it must occur exactly once",
            key=edit.where("find"),
            text=repr(find),
            count=count,
        )
        raise ProblemError(words)
    start = reference.index(find)
    return reference.replace(find, replace), Edit(start, start + len(find), replace)


def edit_between(reference: str, source: str) -> Edit:
    """Returns the one edit, from the first difference to the last, between two texts."""
    start = _common(reference, source)
    same = _common(reference[start:][::-1], source[start:][::-1])
    return Edit(start, len(reference) - same, source[start : len(source) - same])


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """Returns how many characters two texts begin with alike, or how many words."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))


def composed(reference: str, one: Edit, two: Edit) -> str | None:
    """Returns a reference with two edits; None where they change the same words.

    Two edits may quote the same line. What counts is what each of them changes in it. What one of
    them takes out, the other need not change.
    """
    hunks = sorted((one, two), key=lambda edit: edit.start)
    overlap = hunks[0].end > hunks[1].start
    if overlap:
        inner, outer = sorted((one, two), key=lambda edit: edit.end - edit.start)
        placed = [*_placed(changes(reference, outer), 0), *_placed(changes(reference, inner), 1)]
        hunks = _not_taken_out([hunk for _, hunk in sorted(placed, key=lambda each: each[0])])
        if any(a.end > b.start for a, b in pairwise(hunks)):
            return None
    parts: list[str] = []
    at = 0
    for hunk in hunks:
        parts += [reference[at : hunk.start], hunk.text]
        at = hunk.end
    both = "".join((*parts, reference[at:]))
    alone = {reference, *(reference[: e.start] + e.text + reference[e.end :] for e in (one, two))}
    return both if not overlap or (both not in alone and _is_python(both)) else None


def _not_taken_out(hunks: Sequence[Edit]) -> list[Edit]:
    """Returns the hunks that do not change words which another one takes out, nor stand between
    them. What is put in before the first of these words, or after the last, stays.
    """
    gone = [hunk for hunk in hunks if not hunk.text]
    return [
        hunk
        for hunk in hunks
        if not any(
            g.start <= hunk.start < hunk.end <= g.end or g.start < hunk.start == hunk.end < g.end
            for g in gone
            if g is not hunk
        )
    ]


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _placed(hunks: Sequence[Edit], depth: int) -> list[tuple[tuple[int, int, int], Edit]]:
    """Returns hunks with the order in which they are applied: at one place, the inner edit stands
    between what the outer one opens and what it closes.
    """
    return [
        ((hunk.start, hunk.end, -depth if hunk.text[:1] in ")].," else depth), hunk)
        for hunk in hunks
    ]


@lru_cache(maxsize=1024)
def changes(reference: str, edit: Edit) -> tuple[Edit, ...]:
    """Returns the words that an edit changes, as edits; two with few words between them are one."""
    old = _WORDS.findall(reference[edit.start : edit.end])
    new = _WORDS.findall(edit.text)
    place = list(accumulate(map(len, old), initial=edit.start))
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    hunks, a, b = [], 0, 0
    for block in blocks:
        at_an_end = block.a == block.b == 0 or (
            block.a + block.size == len(old) and block.b + block.size == len(new)
        )
        if block.size < FEWEST_WORDS and not at_an_end:
            continue
        if a < block.a or b < block.b:
            same = _common(old[a : block.a][::-1], new[b : block.b][::-1])
            text = "".join(new[b : block.b - same])
            hunks.append(Edit(place[a], place[block.a - same], text))
        a, b = block.a + block.size, block.b + block.size
    return tuple(hunks)
