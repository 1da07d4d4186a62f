"""The pages of a published problem: its versions, what changed between two, rolling back,
exporting.
"""

from dataclasses import dataclass

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from grader.errors import GradeError, UsageError
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.submissions import ProblemVersion, Submission
from server.models.teaching import Publication
from server.services import rejudging
from server.services.problems import audiences, files, published, publishing
from server.services.rendering.diff import MOST_LINES, Diff, side_by_side
from server.web import replacing
from server.web.access import me, role_required
from server.web.context import bank_changed, reading, service, stop_reading
from server.web.downloads import problem_zip
from server.web.lookups import chosen_courses
from server.web.texts import translate
from server.web.throttle import costly

pages = Blueprint("versions", __name__, url_prefix="/teach/problems")

# lines of a page that compares versions; the files after that are shown as they are
MOST_ALIGNED = 5 * MOST_LINES


@dataclass(frozen=True, slots=True)
class Change:
    """A file that differs between two versions."""

    path: str
    kind: str  # added, removed, changed
    diff: Diff


@pages.get("/<slug>")
@role_required(Role.INSTRUCTOR)
def show(slug: str) -> str:
    """Every version, with how many submissions each has judged."""
    return _page(slug)


def _page(slug: str, message: str = "") -> str:
    session = reading()
    publications, problem = published.versions(session, slug), service().bank.get(slug)
    if not publications and problem is None:
        abort(404, Message("There is no problem of that name."))
    own = (Submission.problem == slug, Submission.samples_only.is_(False))
    counts = session.execute(
        select(Submission.digest, func.count()).where(*own).group_by(Submission.digest)
    )
    loaded = session.scalars(
        select(ProblemVersion)
        .where(ProblemVersion.slug == slug)
        .order_by(ProblemVersion.loaded_at.desc())
    ).all()
    return render_template(
        "teach/versions.html",
        slug=slug,
        problem=problem,
        versions=publications,
        loaded=[] if publications else loaded,
        judged={row[0]: row[1] for row in counts},
        mine=bool(publications) and publishing.may_change(session, slug, me()),
        may_rejudge=problem is not None
        and rejudging.may_rejudge(session, service().bank, slug, me()),
        limited=audiences.of(session, slug),
        choices=audiences.choices(session, me()),
        message=message,
    )


def _version(session: Session, slug: str, number: int) -> Publication:
    row = session.scalar(
        select(Publication).where(Publication.slug == slug, Publication.number == number)
    )
    if row is None:
        abort(
            404,
            Message(
                "There is no version %(number)s of '%(slug)s'.", number=str(number), slug=slug[:80]
            ),
        )
    return row


@pages.get("/<slug>/compare")
@role_required(Role.INSTRUCTOR)
@costly
def compare(slug: str) -> str:
    """What changed between two versions, file by file."""
    session = reading()
    left, right = (
        _version(session, slug, request.args.get(name, 0, type=int)) for name in ("a", "b")
    )
    return render_template(
        "teach/compare.html",
        slug=slug,
        left=left,
        right=right,
        changes=_changes(session, left, right),
    )


def _changes(session: Session, left: Publication, right: Publication) -> list[Change]:
    old, new = files.fetch(session, left.files), files.fetch(session, right.files)
    changes, left_lines = [], MOST_ALIGNED
    for path in sorted({*old, *new}):
        if old.get(path) != new.get(path):
            kind = "added" if path not in old else "removed" if path not in new else "changed"
            diff = side_by_side(
                old.get(path, b"").decode(),
                new.get(path, b"").decode(),
                min(MOST_LINES, left_lines),
            )
            left_lines -= len(diff.lines)
            changes.append(Change(path, kind, diff))
    return changes


@pages.get("/<slug>/<int:number>.zip")
@role_required(Role.INSTRUCTOR)
def export(slug: str, number: int) -> Response:
    """A version as a zip: the files that were published, byte for byte."""
    row = _version(reading(), slug, number)
    return problem_zip(slug, files.fetch(reading(), row.files))


@pages.post("/<slug>/edit")
@role_required(Role.INSTRUCTOR)
def edit(slug: str) -> Answer | str | tuple[str, int]:
    """A draft with the files of the version in use. Asks before it replaces files of a draft that
    one has.
    """
    problem, user = service().bank.get(slug), me()
    if problem is None:
        abort(404, Message("There is no problem of that name."))
    if publishing.on_disk(service().bank, slug):
        return _page(
            slug,
            Message(
                "'%(slug)s' was shipped with this site; copy it under another name.", slug=slug
            ),
        ), 422
    if not publishing.may_change(reading(), slug, user):
        return _page(
            slug,
            Message(
                "'%(slug)s' was published by somebody else; copy it under another name.", slug=slug
            ),
        ), 422
    try:
        return replacing.put(slug, files.of_problem(problem))
    except GradeError as error:
        return _page(slug, sentence(error)), 422


@pages.post("/<slug>/<int:number>/roll-back")
@role_required(Role.INSTRUCTOR)
def roll_back(slug: str, number: int) -> Answer | tuple[str, int]:
    """Bring an earlier version back, under a new number."""
    user = me()
    stop_reading()
    try:
        with service().database.write() as session:
            row = publishing.roll_back(session, slug, number, user, request.form.get("reason", ""))
    except GradeError as error:
        return _page(slug, sentence(error)), 422
    bank_changed()
    flash(
        translate(
            "Version %(number)s of %(slug)s is published.", number=str(row.number), slug=row.slug
        )
    )
    return redirect(url_for("versions.show", slug=slug), 303)


@pages.post("/<slug>/audience")
@role_required(Role.INSTRUCTOR)
def audience(slug: str) -> Answer | tuple[str, int]:
    """Choose the courses whose learners get a problem; none opens it to everybody, for good."""
    user, courses = me(), () if request.form.get("everybody") else chosen_courses()
    if not courses and not request.form.get("everybody"):
        return _page(slug, Message("Choose a course, or open the problem to everybody.")), 422
    if not published.versions(reading(), slug):
        return _page(
            slug,
            Message("'%(slug)s' was shipped with this site; everybody sees it.", slug=slug),
        ), 422
    stop_reading()
    try:
        with service().database.write() as session:
            if not publishing.may_change(session, slug, user):
                raise UsageError(Message("'%(slug)s' was published by somebody else.", slug=slug))
            audiences.choose(session, slug, courses, user)
    except GradeError as error:
        return _page(slug, sentence(error)), 422
    flash(translate("Saved."))
    return redirect(url_for("versions.show", slug=slug), 303)
