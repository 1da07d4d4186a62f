"""The gradebook of an assignment: CSV (plain, and with nbgrader's columns), JSON, and Gradescope's
results.json a learner; and that of a course, as CSV.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, Response, abort, jsonify

from server.messages import Message
from server.models.accounts import Role
from server.models.base import now
from server.models.courses import Assignment, RosterEntry
from server.services.courses import roster, scores
from server.web.access import role_required
from server.web.context import reading
from server.web.downloads import attachment
from server.web.lookups import find_assignment, find_course
from server.web.pages.course_page import chosen_group
from server.web.throttle import costly

pages = Blueprint("gradebook", __name__, url_prefix="/teach")

People = Mapping[int, RosterEntry]  # by account
ROSTER = ("name", "email", "group")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
NBGRADER = (
    "assignment duedate timestamp student_id last_name first_name email raw_score"
    " late_submission_penalty score max_score"
).split()


def safe(value: object) -> object:
    """A text as a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def table(rows: Iterable[Iterable[object]]) -> str:
    """CSV as RFC 4180 has it."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(
        [safe("" if value is None else value) for value in row] for row in rows
    )
    return out.getvalue()


@pages.get("/assignments/<int:assignment_id>/gradebook.<form>")
@role_required(Role.INSTRUCTOR)
@costly
def export(assignment_id: int, form: str) -> Response:
    """The gradebook as `csv`, `nbgrader`, `json` or `gradescope`; `group` takes one group only."""
    session = reading()
    assignment = find_assignment(session, assignment_id)
    learners = scores.learners(session, assignment.course_id, group=chosen_group())
    lines = scores.matrix(session, assignment, learners)
    people = roster.by_user(session, assignment.course_id)
    if form == "json":
        return jsonify(as_json(assignment, lines, people))
    if form == "gradescope":
        return attachment(
            as_gradescope(assignment, lines),
            "application/zip",
            f"assignment-{assignment.id}-gradescope.zip",
        )
    if form not in ("csv", "nbgrader"):
        abort(404, Message("The gradebook is to be had as csv, nbgrader, json and gradescope."))
    text = table((plain if form == "csv" else nbgrader)(assignment, lines, people))
    name = f"assignment-{assignment.id}{'' if form == 'csv' else f'-{form}'}.csv"
    return attachment(text.encode("utf-8-sig"), "text/csv; charset=utf-8", name)


@pages.get("/courses/<int:course_id>/gradebook.csv")
@role_required(Role.INSTRUCTOR)
@costly
def export_course(course_id: int) -> Response:
    """The points of each assignment that has opened, as CSV; `group` takes one group only."""
    session = reading()
    course = find_course(session, course_id)
    learners = scores.learners(session, course_id, group=chosen_group())
    opened = [each for each in course.assignments if each.opens_at <= now()]
    totals = [[line.total for line in scores.matrix(session, a, learners)] for a in opened]
    people = roster.by_user(session, course_id)
    whole = sum(each.whole for each in opened)
    rows: list[list[object]] = [["learner", *ROSTER, *(a.title for a in opened), "total", "of"]]
    for user, *each in zip(learners, *totals, strict=True):
        rows.append([user.name, *about(people.get(user.id)), *each, round(sum(each), 2), whole])
    text = table(rows).encode("utf-8-sig")
    return attachment(text, "text/csv; charset=utf-8", f"course-{course.id}.csv")


def about(person: RosterEntry | None) -> list[object]:
    """Name, e-mail and group of the roster; empty for whoever joined by the course's code."""
    return [person.name, person.email, person.group] if person is not None else ["", "", ""]


def plain(assignment: Assignment, lines: list[scores.Line], people: People) -> list[list[object]]:
    """A row a learner, a column an item or a problem, then the total, and until when they had."""
    slugs = [*(item.key for item in assignment.items), *(p.slug for p in assignment.problems)]
    head: list[object] = ["learner", "name", "email", "group", *slugs, "total", "of", "due"]
    whole = assignment.whole
    rows: list[list[object]] = [
        [
            line.user.name,
            *about(people.get(line.user.id)),
            *(c.score for c in line.cells),
            line.total,
            whole,
            line.own.ends_at.isoformat(),
        ]
        for line in lines
    ]
    return [head, *rows]


def nbgrader(
    assignment: Assignment, lines: list[scores.Line], people: People
) -> list[list[object]]:
    """The columns of `nbgrader export`; a score set by hand counts as it is, without anything taken
    off.
    """
    rows: list[list[object]] = [list(NBGRADER)]
    for line in lines:
        sent = [c.at for c in line.cells if c.at is not None]
        raw = sum((c.score if c.override else c.raw) or 0.0 for c in line.cells)
        whole = sum(c.points for c in line.cells)
        last = max(sent).isoformat() if sent else ""
        person = people.get(line.user.id)
        first, family = _names(person.name) if person else ("", "")
        identity = [line.user.name, family, first, person.email if person else ""]
        head = [assignment.title, line.own.ends_at.isoformat(), last, *identity]
        rows.append([*head, round(raw, 2), round(raw - line.total, 2), line.total, whole])
    return rows


def _names(name: str) -> tuple[str, str]:
    """First and family name of "Ada Lovelace" and of "Lovelace, Ada"."""
    family, comma, first = name.partition(", ")
    if comma:
        return first, family
    first, _, family = name.rpartition(" ")
    return first, family


def as_json(assignment: Assignment, lines: list[scores.Line], people: People) -> dict[str, Any]:
    """Everything that the matrix shows."""
    return {
        "assignment": {
            "id": assignment.id,
            "title": assignment.title,
            "course": assignment.course.title,
            "due_at": assignment.due_at.isoformat(),
        },
        "learners": [
            {
                "name": line.user.name,
                "roster": dict(zip(ROSTER, about(people.get(line.user.id)), strict=True)),
                "due_at": line.own.ends_at.isoformat(),
                "started_at": line.own.started_at.isoformat() if line.own.started_at else None,
                "total": line.total,
                "items": [_done(c) for c in line.cells if c.item is not None],
                "problems": [_cell(c) for c in line.cells if c.item is None],
            }
            for line in lines
        ],
    }


def _cell(c: scores.Cell) -> dict[str, Any]:
    plain_fields = ("slug", "points", "state", "attempts", "raw", "score", "days_late")
    values = {name: getattr(c, name) for name in plain_fields}
    return values | {
        "submission": c.best,
        "sent_at": c.at.isoformat() if c.at else None,
        "override": _by_hand(c),
    }


def _done(c: scores.Cell) -> dict[str, Any]:
    values = {name: getattr(c, name) for name in ("points", "score", "days_late")}
    done_at = c.at.isoformat() if c.at else None
    return {"item": c.slug, **values, "done_at": done_at, "override": _by_hand(c)}


def _by_hand(c: scores.Cell) -> dict[str, Any] | None:
    return {"score": c.override.score, "reason": c.override.reason} if c.override else None


def as_gradescope(assignment: Assignment, lines: list[scores.Line]) -> bytes:
    """A zip with NAME/results.json for each learner, in the format of Gradescope's autograders."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for line in lines:
            archive.writestr(
                f"{line.user.name}/results.json",
                json.dumps(results(line), indent=1, ensure_ascii=False),
            )
    return out.getvalue()


def results(line: scores.Line) -> dict[str, Any]:
    """One learner's results.json."""
    tests = [
        {
            "name": c.slug,
            "score": c.score or 0.0,
            "max_score": c.points,
            "output": _told(c),
            "visibility": "visible",
        }
        for c in line.cells
    ]
    return {"score": line.total, "tests": tests}


def _told(c: scores.Cell) -> str:
    words = [c.state, _counted(c.attempts, "attempt")] if c.item is None else [_state(c)]
    if c.days_late and c.raw is not None:
        words.append(f"{_counted(c.days_late, 'day')} late, {c.raw:g} before")
    words += [f"set by hand: {c.override.reason}"] if c.override else []
    return "; ".join(words)


def _state(c: scores.Cell) -> str:
    return "done" if c.solved else "begun" if c.parts else "not begun"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
