"""Who sees a problem before it is opened to everybody: the learners of some courses.

A problem that was published for courses only is there for the members of these courses, and for
instructors and admins. For everybody else there is no such problem. Once it has been opened, it
stays open: what people have solved does not disappear again.
"""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.messages import Message
from server.models.accounts import Role, User
from server.models.courses import Assignment, AssignmentProblem, Course, Member
from server.models.teaching import Audience, Publication
from server.services import accounts, authority
from server.services.audit import note


def closed_to(session: Session, user: User | None) -> frozenset[str]:
    """Returns the slugs of the problems that an account, or a visitor, does not see."""
    if user is None:
        return frozenset(session.scalars(_LIMITED))
    if accounts.at_least(user.role, Role.INSTRUCTOR):
        return frozenset()
    return frozenset(session.scalars(_CLOSED_TO, {"b_user": user.id}))


# Built once: every request for a problem asks this.
_LIMITED = select(Audience.slug).distinct()
_CLOSED_TO = _LIMITED.where(
    Audience.slug.not_in(
        select(Audience.slug)
        .join(Member, Member.course_id == Audience.course_id)
        .where(Member.user_id == bindparam("b_user"))
    )
)


def closed_in(session: Session, course_id: int) -> frozenset[str]:
    """Returns the slugs of the problems that the learners of a course do not see as such."""
    theirs = select(Audience.slug).where(Audience.course_id == course_id)
    return frozenset(session.scalars(select(Audience.slug).where(Audience.slug.not_in(theirs))))


def of(session: Session, slug: str) -> list[Course]:
    """Returns the courses that a problem is limited to; none when everybody sees it."""
    chosen = select(Course).join(Audience, Audience.course_id == Course.id)
    return list(session.scalars(chosen.where(Audience.slug == slug).order_by(Course.title)))


def choices(session: Session, user: User) -> list[Course]:
    """Returns the courses that somebody may limit a problem to: those that they teach."""
    taught = select(Course).where(Course.archived.is_(False)).order_by(Course.title)
    if not authority.is_admin(user):
        taught = taught.join(Member, Member.course_id == Course.id)
        taught = taught.where(Member.user_id == user.id, Member.teaches)
    return list(session.scalars(taught))


def check(session: Session, slug: str, courses: Sequence[int], user: User) -> frozenset[int]:
    """Returns the courses that a problem is to be limited to.

    Raises `UsageError` for a problem that is open, and for courses that are not the account's.
    """
    before, wanted = {course.id for course in of(session, slug)}, frozenset(courses)
    published = select(Publication.id).where(Publication.slug == slug).limit(1)
    if wanted and not before and session.scalar(published) is not None:
        raise UsageError(
            Message(
                "Everybody sees '%(slug)s' already, and a version of it reaches everybody. For some"
                " courses only, copy the draft under another name and publish that for them.",
                code="open_to_everybody",
                slug=slug,
            )
        )
    if not wanted <= before | {course.id for course in choices(session, user)}:
        raise UsageError(
            Message("You can limit a problem to courses that you teach.", code="not_your_course")
        )
    return wanted


def choose(session: Session, slug: str, courses: Sequence[int], user: User) -> None:
    """Limits a problem to the members of courses; without any, opens it to everybody.

    Raises `UsageError`.
    """
    wanted, before = check(session, slug, courses, user), of(session, slug)
    for course in before:
        if wanted and course.id not in wanted and _gives(session, course.id, slug):
            raise UsageError(
                Message(
                    "An assignment of '%(course)s' has '%(slug)s'; leave that course in.",
                    code="course_has_assignment",
                    course=course.title,
                    slug=slug,
                )
            )
    session.execute(delete(Audience).where(Audience.slug == slug))
    session.add_all(Audience(slug=slug, course_id=number) for number in sorted(wanted))
    session.flush()
    titles = ", ".join(course.title for course in of(session, slug))
    if wanted:
        note(session, user.id, "audience", slug, courses=titles)
    else:
        note(session, user.id, "audience", slug, Message("open to everybody"))


def _gives(session: Session, course_id: int, slug: str) -> bool:
    """Checks whether an assignment of a course has a problem."""
    given = select(Assignment.id).join(AssignmentProblem).where(Assignment.course_id == course_id)
    return session.scalar(given.where(AssignmentProblem.slug == slug).limit(1)) is not None
