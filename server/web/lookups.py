"""Finds what an address names, for the person who asks.

What does not exist and what belongs to somebody else is the same 404.
"""

from typing import cast

from flask import abort, g, request
from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session, undefer

from grader.model import Framework
from grader.problem import Problem
from server.messages import Message
from server.models.accounts import Role, User
from server.models.courses import Assignment, Course, Member
from server.models.submissions import Submission
from server.models.teaching import Draft
from server.services import accounts
from server.services.capstone.runs import is_model
from server.services.explorations import Exploration
from server.services.feedback import see
from server.services.practice.answers import is_practice
from server.services.problems import audiences
from server.web.access import asking, me
from server.web.context import reading, service

LAST_PAGE = 10**6
LONGEST_WAIT_S = 3600


def problems() -> list[Problem]:
    """Returns the current problems that the person who asks may see, in teaching order."""
    closed = _closed()
    return [problem for problem in service().bank.problems() if problem.slug not in closed]


def problems_for(session: Session, course_id: int) -> list[Problem]:
    """Returns the current problems that an assignment of a course may have."""
    closed = audiences.closed_in(session, course_id)
    return [problem for problem in service().bank.problems() if problem.slug not in closed]


def seen_problem(slug: str) -> Problem | None:
    """Returns a current problem; None when there is none, or none for the person who asks."""
    problem = service().bank.get(slug)
    return None if problem is None or slug in _closed() else problem


def _closed() -> frozenset[str]:
    if "closed_problems" not in g:
        g.closed_problems = audiences.closed_to(reading(), asking())
    return cast(frozenset[str], g.closed_problems)


def find_problem(slug: str) -> Problem:
    """Returns the problem of an address; 404 when there is none for the person who asks."""
    problem = seen_problem(slug)
    if problem is None:
        abort(
            404, Message("There is no problem '%(slug)s'.", code="no_such_problem", slug=slug[:80])
        )
    return problem


_BARE = select(Submission).where(
    Submission.id == bindparam("b_id"), Submission.user_id == bindparam("b_user")
)
_OWN = _BARE.options(undefer(Submission.shown))


def find_own(submission_id: int, user_id: int, shown: bool = True) -> Submission:
    """Returns the person's own submission; 404 for any other. With `shown`, what a page shows of
    the cases is read with it, which may be much.
    """
    statement = _OWN if shown else _BARE
    row = reading().scalar(statement, {"b_id": submission_id, "b_user": user_id})
    if row is None:
        abort(404, Message("You have no submission of that number.", code="no_such_submission"))
    return see(reading(), [row], user_id)[0]


def find_submission(submission_id: int, user_id: int, shown: bool = True) -> Submission:
    """Returns the person's own submission; 404 for any other, and for what has no verdict: an
    exploration, a run of the model, an answer to a practice item.
    """
    row = find_own(submission_id, user_id, shown)
    if row.exploration is not None:
        abort(404, Message("You have no submission of that number.", code="no_such_submission"))
    return row


def find_exploration(exploration_id: int, user_id: int) -> Submission:
    """Returns the person's own exploration; 404 for any other."""
    row = reading().scalar(_OWN, {"b_id": exploration_id, "b_user": user_id})
    if row is None or (row.exploration or {}).get("kind") not in list(Exploration):
        abort(
            404,
            Message(
                "You have looked into nothing of that number; it is kept for a while.",
                code="no_such_exploration",
            ),
        )
    return row


def find_run(run_id: int, user_id: int) -> Submission:
    """Returns the person's own run of the model; 404 for any other."""
    row = reading().scalar(_OWN, {"b_id": run_id, "b_user": user_id})
    if row is None or not is_model(row.exploration):
        abort(404, Message("You have no run of the model of that number; it is kept for a while."))
    return row


def find_answer(answer_id: int, user_id: int, slug: str, item: str) -> Submission | None:
    """Returns the person's own answer to a practice item; None for any other, and for one that is
    no longer kept.
    """
    row = reading().scalar(_OWN, {"b_id": answer_id, "b_user": user_id})
    wanted = (row.exploration or {}) if row is not None else {}
    if row is None or row.problem != slug or not is_practice(wanted) or wanted["item"] != item:
        return None
    return row


def find_course(session: Session, course_id: int) -> Course:
    """Returns a course that one teaches (an admin: any); 404 for another."""
    course = session.get(Course, course_id)
    taught = session.scalar(
        select(Member).where(
            Member.course_id == course_id, Member.user_id == me().id, Member.teaches
        )
    )
    if course is None or (taught is None and not accounts.at_least(me().role, Role.ADMIN)):
        abort(404, Message("You teach no course of that number."))
    return course


def find_assignment(session: Session, assignment_id: int) -> Assignment:
    """Returns an assignment of a course that one teaches; 404 for another."""
    assignment = session.get(Assignment, assignment_id)
    if assignment is None:
        abort(404, Message("You teach no course with that assignment."))
    find_course(session, assignment.course_id)
    return assignment


def find_learner(session: Session, assignment: Assignment, user_id: int) -> User:
    """Returns a learner of the assignment's course; 404 for anybody else."""
    member = session.get(Member, (assignment.course_id, user_id))
    if member is None or member.teaches:
        abort(404, Message("There is no learner of that number in the course."))
    return member.user


def find_sent(
    session: Session, assignment_id: int, submission_id: int
) -> tuple[Assignment, Submission, User]:
    """Returns an assignment that one teaches, and what a learner sent to it; 404 for another."""
    assignment = find_assignment(session, assignment_id)
    row = session.get(Submission, submission_id)
    if (
        row is None
        or row.samples_only
        or row.submitted_at < assignment.opens_at
        or row.problem not in [p.slug for p in assignment.problems]
    ):
        abort(404, Message("The assignment has no submission of that number."))
    return assignment, row, find_learner(session, assignment, row.user_id)


def find_draft(session: Session, draft_id: int) -> Draft:
    """Returns one's own draft (an admin's: any); 404 for another's."""
    draft = session.get(Draft, draft_id)
    if draft is None or (
        draft.owner_id != me().id and not accounts.at_least(me().role, Role.ADMIN)
    ):
        abort(404, Message("You have no draft of that number.", code="no_such_draft"))
    return draft


def chosen_courses() -> tuple[int, ...]:
    """Returns the numbers of the courses that a form has chosen; 422 when one is no number."""
    try:
        return tuple(int(number) for number in request.form.getlist("course"))
    except ValueError:
        abort(422, Message("There is no such course."))


def wait_seconds() -> float:
    """Returns the `wait` of the address, in seconds; 422 when it is no number."""
    try:
        seconds = float(request.args.get("wait", 0))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_WAIT_S:
        abort(
            422,
            Message(
                "`wait` is a number of seconds from 0 to %(most)s.",
                code="invalid_wait",
                most=LONGEST_WAIT_S,
            ),
        )
    return seconds


def page_number() -> int:
    """Returns the `page` of the address, from 1."""
    return min(max(1, request.args.get("page", 1, type=int)), LAST_PAGE)


def latest(problem: Problem, framework: Framework | None = None) -> Submission | None:
    """Returns one's own latest submission to a problem, in a framework or in any."""
    kind = Submission.exploration["kind"].as_string()
    a_program = or_(kind.is_(None), kind.in_(list(Exploration)))
    own = [Submission.user_id == me().id, Submission.problem == problem.slug, a_program]
    if framework is not None:
        own.append(Submission.framework == framework)
    row = reading().scalar(select(Submission).where(*own).order_by(Submission.id.desc()).limit(1))
    return see(reading(), [row], me().id)[0] if row is not None else None
