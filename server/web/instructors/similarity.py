"""Pairs of submissions that share much of their text, as a hint for a person: fingerprints of
tokens by winnowing.

Schleimer, Wilkerson, Aiken 2003 (https://doi.org/10.1145/872757.872770), over tokens with names
made alike. The one kept library for it, copydetect, brings matplotlib into the server for its
reports; the algorithm itself is the few lines below. A learner's text must not decide what the page
costs: the tokens come from one regular expression that never looks back (Pygments takes 45 s for 64
KB of hostile blanks), at most `MOST_TOKENS` of a source count, and the whole ends after `SECONDS`.
"""

import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from keyword import iskeyword

from flask import Blueprint, abort, render_template, request
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.messages import Message
from server.models.accounts import Role
from server.models.courses import Assignment
from server.models.submissions import Submission
from server.services.courses import scores
from server.services.rendering.diff import side_by_side
from server.services.statistics import counted
from server.web.access import role_required
from server.web.context import reading, service
from server.web.lookups import find_assignment
from server.web.serving.waiting import client_gone
from server.web.throttle import costly
from server.web.titles import titled

pages = Blueprint("similar", __name__, url_prefix="/teach")

GRAM, WINDOW = 10, 6  # any 15 tokens in common are found
LEAST_SHARED, LEAST_SHARE = 6, 0.6
COMMON = 0.5  # what more than this part of the class has says nothing
SHOWN = 100
MOST_TOKENS = 3000  # of a source; a solution has a few hundred
SECONDS = 5.0

# Each alternative takes at least one character and is never tried twice at a place, and what
# follows a repetition always matches, so the time is linear. What is not closed ends with its line,
# or with the text. (Possessive repetitions would say so, but take too much before Python 3.11.5.)
TOKEN = re.compile(
    r"""
    (?P<blank>   \s+ | \\\n | \#[^\n]* )
  | (?P<text>    [rbfuRBFU]{0,2} (?: \"{3} (?:[^\\"]|\\.|\"(?!\"\"))* (?:\"{3}|\\?\Z)
                 | '{3} (?:[^\\']|\\.|'(?!''))* (?:'{3}|\\?\Z)
                 | \"(?:[^"\\\n]|\\.)*\"? | '(?:[^'\\\n]|\\.)*'? ) )
  | (?P<number>  \d[\w.]* )
  | (?P<word>    \w+ )
  | (?P<sign>    . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submissions of two learners, and how much of the shorter one is in the other."""

    a: Submission
    b: Submission
    share: float


def tokens(source: str) -> Iterator[str]:
    """What is left of a source when names, literals, comments and spaces do not matter."""
    new_line = True
    for match in TOKEN.finditer(source):
        kind, text = match.lastgroup, match[0]
        if kind == "blank":
            new_line = new_line or "\n" in text
            continue
        if kind == "text" and not new_line:  # at the beginning of a line it is a docstring
            yield "s"
        elif kind == "number":
            yield "0"
        elif kind == "word":
            yield text if iskeyword(text) else "n"
        elif kind == "sign":
            yield text
        new_line = False


def fingerprints(source: str) -> frozenset[int]:
    """The least hash of each window of grams."""
    words = list(islice(tokens(source), MOST_TOKENS))
    grams = ["\0".join(words[i : i + GRAM]).encode() for i in range(len(words) - GRAM + 1)]
    hashes = [int.from_bytes(hashlib.blake2b(gram, digest_size=8).digest()) for gram in grams]
    return (
        frozenset(min(hashes[i : i + WINDOW]) for i in range(max(1, len(hashes) - WINDOW + 1)))
        if hashes
        else frozenset()
    )


def pairs(
    sources: Mapping[int, str],
    known: Iterable[str],
    over: Callable[[float], bool] = lambda share: False,
) -> tuple[list[tuple[int, int, float]], bool]:
    """(key, key, share) of those that are alike, the most alike first; and whether all were
    compared.

    `known`: sources that everyone has, such as starters. `over`: whether this share of the time is
    over.
    """
    given = frozenset[int]().union(*(fingerprints(text) for text in known))
    prints: dict[int, frozenset[int]] = {}
    for key, text in sources.items():
        if over(0.6):
            break
        prints[key] = fingerprints(text) - given
    times = Counter(mark for marks in prints.values() for mark in marks)
    most = max(2, int(COMMON * len(prints)))
    rare = {key: {mark for mark in marks if times[mark] <= most} for key, marks in prints.items()}
    alike = []
    whole = len(prints) == len(sources)
    for a in sorted(rare):
        if over(1.0):
            whole = False
            break
        for b in (key for key in rare if key > a):
            shared = len(rare[a] & rare[b])
            share = shared / max(1, min(len(rare[a]), len(rare[b])))
            if shared >= LEAST_SHARED and share >= LEAST_SHARE:
                alike.append((a, b, share))
    return sorted(alike, key=lambda pair: -pair[2]), whole


def latest(session: Session, assignment: Assignment, slug: str) -> dict[int, Submission]:
    """The last judged submission of each learner, by its number."""
    users = [user.id for user in scores.learners(session, assignment.course_id)]
    own = (
        Submission.problem == slug,
        Submission.user_id.in_(users),
        Submission.submitted_at >= assignment.opens_at,
        *counted,
    )
    last = select(func.max(Submission.id)).where(*own).group_by(Submission.user_id)
    return {
        row.id: row for row in session.scalars(select(Submission).where(Submission.id.in_(last)))
    }


@pages.get("/assignments/<int:assignment_id>/similar/<slug>")
@role_required(Role.INSTRUCTOR)
@costly
def show(assignment_id: int, slug: str) -> str:
    """Pairs of one problem; `a` and `b` put two side by side."""
    session = reading()
    assignment, problem = find_assignment(session, assignment_id), service().bank.get(slug)
    if slug not in [p.slug for p in assignment.problems]:
        abort(404, Message("The assignment has no such problem."))
    rows = latest(session, assignment, slug)
    known = [*problem.starters.values()] if problem else []
    began = time.monotonic()
    sources = {key: row.source for key, row in rows.items()}
    closest, whole = pairs(
        sources, known, lambda share: time.monotonic() - began > share * SECONDS or client_gone()
    )
    alike = [Pair(rows[a], rows[b], share) for a, b, share in closest[:SHOWN]]
    chosen = [
        rows[number]
        for name in ("a", "b")
        if (number := request.args.get(name, 0, type=int)) in rows
    ]
    diff = side_by_side(chosen[0].source, chosen[1].source) if len(chosen) == 2 else None
    values = {
        "assignment": assignment,
        "course": assignment.course,
        "slug": slug,
        "title": titled(slug),
    }
    return render_template(
        "teach/similar.html",
        pairs=alike,
        whole=whole,
        chosen=chosen,
        diff=diff,
        count=len(rows),
        **values,
    )
