"""The pages that are read: bank, map, a problem, its solution, leaderboards, progress."""

from dataclasses import dataclass
from itertools import groupby

from flask import Blueprint, abort, redirect, render_template, request, url_for
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from werkzeug.wrappers import Response

from grader.frameworks import has
from grader.model import Framework
from grader.problem import Problem
from server.messages import Message
from server.models.submissions import GaveUp, Submission
from server.services import statistics
from server.services.courses.terms import solution_closed
from server.services.feedback import see
from server.services.reviews import resume
from server.services.reviews.resume import Place
from server.services.statistics import Rate, Standing
from server.web import lookups
from server.web.access import asking, me, signed_in
from server.web.context import reading, service, stop_reading
from server.web.lookups import find_problem
from server.web.pages import model_page
from server.web.pages.problem_page import problem_page
from server.web.panels.front import front, may_try
from server.web.panels.solution import solution_of
from server.web.titles import problem_title

pages = Blueprint("learn", __name__)


@dataclass(frozen=True, slots=True)
class Row:
    """A problem as the bank lists it."""

    problem: Problem
    standing: Standing | None
    rate: Rate
    missing: tuple[str, ...]  # titles of problems to solve first that are not solved yet

    @property
    def state(self) -> str:
        """solved, tried, ready or later."""
        if self.standing is not None:
            return "solved" if self.standing.solved else "tried"
        return "later" if self.missing else "ready"


def rows() -> list[Row]:
    """Every problem with what is known of it."""
    session = reading()
    user = asking()
    mine = statistics.standings(session, user.id) if user is not None else {}
    rates = statistics.rates(session)
    problems = lookups.problems()
    titles = {p.slug: problem_title(p) for p in problems}
    solved = {slug for slug, standing in mine.items() if standing.solved}
    return [
        Row(
            p,
            mine.get(p.slug),
            rates.get(p.slug, Rate(0, 0)),
            tuple(titles[s] for s in p.requires if s in titles and s not in solved),
        )
        for p in problems
    ]


def by_track(listed: list[Row]) -> list[tuple[str, list[Row]]]:
    """The tracks of rows that are in teaching order."""
    return [
        (track, list(rows)) for track, rows in groupby(listed, key=lambda row: row.problem.track)
    ]


@pages.get("/")
def bank() -> str:
    """All problems by track; `q`, `difficulty`, `framework` and `state` filter them."""
    listed = rows()
    filters = {
        name: request.args.get(name, "")[:80] for name in ("q", "difficulty", "framework", "state")
    }
    shown = [row for row in listed if _matches(row, filters)]
    searching = any(filters.values())
    return render_template(
        "bank.html",
        place=None if searching else _place(listed),
        fresh=not any(row.standing for row in listed),
        tracks=by_track(shown),
        everything=by_track(listed),
        filters=filters,
        count=len(shown),
        total=len(listed),
        model=model_page.standing([row.problem.slug for row in listed if row.state == "solved"]),
        front=None if searching else front(),
        may_try=may_try,
        absent=[framework for framework in Framework if not has(framework)],
        idle=sum(not row.problem.runnable for row in listed),
    )


def _place(listed: list[Row]) -> Place | None:
    """Where whoever is signed in goes on."""
    user = asking()
    if user is None:
        return None
    mine = {row.problem.slug: row.standing for row in listed if row.standing is not None}
    return resume.problem(reading(), user.id, [row.problem for row in listed], mine)


def _matches(row: Row, filters: dict[str, str]) -> bool:
    p = row.problem
    words = (
        f"{p.slug} {p.title} {p.title_zh} {p.source} {p.track}"
        f" {' '.join(e.name for e in p.entries)}".casefold()
    )
    wanted = {
        "difficulty": {p.difficulty},
        "framework": {str(f) for f in p.frameworks},
        "state": {row.state},
    }
    return all(word in words for word in filters["q"].casefold().split()) and all(
        not filters[name] or filters[name] in values for name, values in wanted.items()
    )


@pages.get("/progress")
@signed_in
def progress() -> str:
    """The learner's own map."""
    listed = rows()
    session = reading()
    recent = session.scalars(
        select(Submission)
        .where(Submission.user_id == me().id, Submission.samples_only.is_(False))
        .order_by(Submission.id.desc())
        .limit(12)
    ).all()
    return render_template(
        "progress.html",
        everything=by_track(listed),
        listed=listed,
        recent=see(session, recent, me().id),
    )


@pages.get("/problems/<slug>")
def problem(slug: str) -> str:
    """The statement beside the editor."""
    return problem_page(find_problem(slug))


@pages.get("/problems/<slug>/solution")
@signed_in
def solution(slug: str) -> str | Response:
    """The reference, for whoever has solved it or given up; others are asked first."""
    subject = find_problem(slug)
    if not statistics.may_read_solution(reading(), me().id, slug):
        closed_by = solution_closed(reading(), me().id, slug)
        return render_template("give_up.html", problem=subject, closed_by=closed_by)
    return render_template("solution.html", view=solution_of(subject))


@pages.post("/problems/<slug>/give-up")
@signed_in
def give_up(slug: str) -> Response:
    """Recorded once; the solution opens."""
    subject = find_problem(slug)
    keeper = solution_closed(reading(), me().id, slug)
    if keeper:
        abort(403, Message("The solution stays closed until '%(title)s' is due.", title=keeper))
    stop_reading()
    try:
        with service().database.write() as session:
            if session.get(GaveUp, (me().id, subject.slug)) is None:
                session.add(GaveUp(user_id=me().id, problem=subject.slug))
    except IntegrityError:  # sent twice at once: it is recorded
        pass
    return redirect(url_for("learn.solution", slug=slug), 303)


@pages.get("/problems/<slug>/leaderboard")
def problem_leaderboard(slug: str) -> str:
    """By CPU time among accepted submissions."""
    subject = find_problem(slug)
    return render_template(
        "leaderboard.html", problem=subject, places=statistics.fastest(reading(), slug, _asking())
    )


@pages.get("/leaderboard")
def leaderboard() -> str:
    """By problems solved, then by who was there earliest."""
    slugs = [p.slug for p in lookups.problems()]
    return render_template(
        "leaderboard.html", problem=None, places=statistics.overall(reading(), slugs, _asking())
    )


def _asking() -> int | None:
    user = asking()
    return user.id if user is not None else None
