"""Pairs of submissions that share much of their text, as a hint for a person: fingerprints of tokens by winnowing.

Schleimer, Wilkerson, Aiken 2003 (https://doi.org/10.1145/872757.872770), over Pygments' tokens with names made alike.
The one kept library for it, copydetect, brings matplotlib into the server for its reports; the algorithm itself is the few lines below.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from flask import Blueprint, abort, render_template, request
from pygments.lexers import PythonLexer  # type: ignore[import-untyped]
from pygments.token import Comment, Name, Number, String, Text  # type: ignore[import-untyped]
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.access import role_required
from server.db import Role, Submission
from server.service import reading, service
from server.stats import counted
from server.submit import side_by_side
from server.teach import scores
from server.teach.course_tables import Assignment
from server.teach.courses import find_assignment

pages = Blueprint("similar", __name__, url_prefix="/teach")

GRAM, WINDOW = 10, 6  # any 15 tokens in common are found
LEAST_SHARED, LEAST_SHARE = 6, 0.6
COMMON = 0.5  # what more than this part of the class has says nothing
SHOWN = 100


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submissions of two learners, and how much of the shorter one is in the other."""

    a: Submission
    b: Submission
    share: float


def tokens(source: str) -> list[str]:
    """What is left of a source when names, literals, comments and spaces do not matter."""
    found = []
    for kind, text in PythonLexer().get_tokens(source):
        if kind in Comment or kind in Text or kind in String.Doc or not text.strip():
            continue
        found.append("n" if kind in Name else "s" if kind in String else "0" if kind in Number else text)
    return found


def fingerprints(source: str) -> frozenset[int]:
    """The least hash of each window of grams."""
    words = tokens(source)
    grams = ["\0".join(words[i : i + GRAM]).encode() for i in range(len(words) - GRAM + 1)]
    hashes = [int.from_bytes(hashlib.blake2b(gram, digest_size=8).digest()) for gram in grams]
    return frozenset(min(hashes[i : i + WINDOW]) for i in range(max(1, len(hashes) - WINDOW + 1))) if hashes else frozenset()


def pairs(sources: Mapping[int, str], known: Iterable[str]) -> list[tuple[int, int, float]]:
    """(key, key, share) of those that are alike, the most alike first. `known`: sources that everyone has, such as starters."""
    given = frozenset[int]().union(*(fingerprints(text) for text in known))
    prints = {key: fingerprints(text) - given for key, text in sources.items()}
    times = Counter(mark for marks in prints.values() for mark in marks)
    most = max(2, int(COMMON * len(sources)))
    rare = {key: {mark for mark in marks if times[mark] <= most} for key, marks in prints.items()}
    found = []
    for a, b in combinations(sorted(rare), 2):
        shared = len(rare[a] & rare[b])
        share = shared / max(1, min(len(rare[a]), len(rare[b])))
        if shared >= LEAST_SHARED and share >= LEAST_SHARE:
            found.append((a, b, share))
    return sorted(found, key=lambda pair: -pair[2])


def latest(session: Session, found: Assignment, slug: str) -> dict[int, Submission]:
    """The last judged submission of each learner, by its number."""
    users = [user.id for user in scores.learners(session, found.course_id)]
    own = (Submission.problem == slug, Submission.user_id.in_(users), Submission.submitted_at >= found.opens_at, *counted)
    last = select(func.max(Submission.id)).where(*own).group_by(Submission.user_id)
    return {row.id: row for row in session.scalars(select(Submission).where(Submission.id.in_(last)))}


@pages.get("/assignments/<int:assignment_id>/similar/<slug>")
@role_required(Role.INSTRUCTOR)
def show(assignment_id: int, slug: str) -> str:
    """Pairs of one problem; `a` and `b` put two side by side."""
    session = reading()
    found, problem = find_assignment(session, assignment_id), service().bank.get(slug)
    if slug not in [p.slug for p in found.problems]:
        abort(404, "The assignment has no such problem.")
    rows = latest(session, found, slug)
    known = [*problem.starters.values()] if problem else []
    alike = [Pair(rows[a], rows[b], share) for a, b, share in pairs({key: row.source for key, row in rows.items()}, known)]
    chosen = [rows[number] for name in ("a", "b") if (number := request.args.get(name, 0, type=int)) in rows]
    lines = side_by_side(chosen[0].source, chosen[1].source) if len(chosen) == 2 else []
    values = {"assignment": found, "course": found.course, "slug": slug, "title": problem.title if problem else slug}
    return render_template("teach/similar.html", pairs=alike[:SHOWN], chosen=chosen, lines=lines, count=len(rows), **values)
