"""From a launch to an account, a course and an assignment here.

Called in the transaction that uses the launch up.
"""

import re
import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.lti.claims import Claims
from server.lti.registry import find
from server.messages import Message
from server.models.accounts import Role, User
from server.models.courses import Assignment, Course, Member
from server.models.database import clock
from server.models.lti import LtiContext, LtiLine, LtiNonce, LtiPerson, LtiPlatform
from server.services import accounts, notices
from server.services.accounts import hash_code
from server.services.audit import note
from server.services.courses.administration import new_code

NONCE_KEPT = timedelta(hours=1)  # far longer than a state lives


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who came, and to what."""

    user: User
    platform: LtiPlatform
    course: Course | None
    assignment: Assignment | None
    slugs: tuple[str, ...]  # of the assignment's problems
    teaches: bool


def arrive(session: Session, claims: Claims, password_hash: str) -> Arrival:
    """Make or find all of it. Raises `UsageError` with the reason when somebody cannot come in."""
    platform = find(session, claims.issuer, claims.client)
    if platform is None:
        raise UsageError(Message("the platform is no longer registered"))
    _use_up(session, claims.nonce)
    user = _account(session, platform, claims, password_hash)
    course = _course(session, platform, claims)
    if course is not None:
        _enrol(session, platform, course, user, claims.teaches)
    assignment = _assignment(session, course, claims)
    if assignment is not None and claims.line:
        _keep_line(session, platform, assignment, claims)
    slugs = tuple(p.slug for p in assignment.problems) if assignment is not None else ()
    return Arrival(user, platform, course, assignment, slugs, claims.teaches)


def _use_up(session: Session, nonce: str) -> None:
    moment = clock(session)
    session.execute(delete(LtiNonce).where(LtiNonce.expires_at < moment))
    try:
        with session.begin_nested():
            session.add(LtiNonce(nonce_hash=hash_code(nonce), expires_at=moment + NONCE_KEPT))
    except IntegrityError:
        raise UsageError(Message("it was used already")) from None


def _account(session: Session, platform: LtiPlatform, claims: Claims, password_hash: str) -> User:
    person = session.get(LtiPerson, (claims.issuer, claims.subject))
    if person is not None:
        if not person.user.active:
            raise UsageError(Message("your account here is closed"))
        if person.user.role == Role.ADMIN:
            raise UsageError(Message("admins sign in with their password, not through a platform"))
        return person.user
    user = accounts.add_user(
        session, _free_name(session, claims.name), "", Role.LEARNER, password_hash
    )
    session.add(LtiPerson(issuer=claims.issuer, subject=claims.subject, user_id=user.id))
    return user


def _free_name(session: Session, name: str) -> str:
    """A name that can be taken, as near as can be to what the platform calls them."""
    plain = re.sub(r"[^\w.\-]+", ".", name).strip("._-")[:30]
    plain = plain if accounts.NAME.fullmatch(plain) else "learner"
    for ending in ("", *(f"-{i}" for i in range(2, 10)), f"-{secrets.token_hex(4)}"):
        if accounts.find_user(session, plain + ending) is None:
            return plain + ending
    raise UsageError(Message("no name is free; try once more"))


def _course(session: Session, platform: LtiPlatform, claims: Claims) -> Course | None:
    """The course here of the course there; a teacher's first launch makes it."""
    if not claims.context:
        return None
    known = session.get(LtiContext, (platform.id, claims.context))
    if known is not None:
        if claims.memberships not in ("", known.memberships_url):
            known.memberships_url = claims.memberships
        return known.course
    if not claims.teaches:
        raise UsageError(
            Message(
                "your teacher has not opened it yet; a course begins here when its teacher comes"
                " first"
            )
        )
    course = Course(
        title=claims.context_title or f"A course of {platform.name}",
        code=new_code(),
        zone=platform.zone,
    )
    session.add(course)
    session.flush()
    session.add(
        LtiContext(
            platform_id=platform.id,
            context=claims.context,
            course_id=course.id,
            memberships_url=claims.memberships,
        )
    )
    note(
        session,
        None,
        "course",
        course.title,
        Message("from %(platform)s", platform=platform.name),
        number=course.id,
    )
    return course


def _enrol(
    session: Session, platform: LtiPlatform, course: Course, user: User, teaches: bool
) -> None:
    """Into the course, as what the platform says; its last teacher stays one."""
    actor = notices.Actor("platform", platform.name)
    if teaches and platform.instructors and user.role == Role.LEARNER:
        reason = Message(
            "teaches %(course)s on %(platform)s", course=course.title, platform=platform.name
        )
        note(session, user.id, "role", user.name, reason, was=Role.LEARNER, role=Role.INSTRUCTOR)
        notices.tell(
            session, user.id, "role", actor, was=Role.LEARNER, role=Role.INSTRUCTOR, reason=reason
        )
        accounts.set_role(session, user, Role.INSTRUCTOR)
    member = session.get(Member, (course.id, user.id))
    if member is None:
        session.add(Member(course_id=course.id, user_id=user.id, teaches=teaches))
        session.flush()
        if not teaches:  # what they have solved before counts as well
            assignments = select(Assignment.id).where(Assignment.course_id == course.id)
            session.execute(
                update(LtiLine).where(LtiLine.assignment_id.in_(assignments)).values(looked_at=None)
            )
        return
    others = (Member.course_id == course.id, Member.teaches, Member.user_id != user.id)
    if member.teaches != teaches and (
        teaches or session.scalar(select(func.count()).select_from(Member).where(*others))
    ):
        member.teaches = teaches
        place = "teacher" if teaches else "learner"
        note(
            session,
            user.id,
            "course",
            Message("%(course)s: %(name)s is a teacher", course=course.title, name=user.name)
            if teaches
            else Message("%(course)s: %(name)s is a learner", course=course.title, name=user.name),
            Message("so %(platform)s says", platform=platform.name),
            number=course.id,
        )
        notices.tell(session, user.id, place, actor, course=course.title)


def _assignment(session: Session, course: Course | None, claims: Claims) -> Assignment | None:
    """The one that the link names; one of another course is not reached through this."""
    if claims.assignment is None:
        return None
    assignment = session.get(Assignment, claims.assignment)
    if assignment is None or course is None or assignment.course_id != course.id:
        raise UsageError(
            Message(
                "the link names an assignment that this course does not have; make the link again"
            )
        )
    return assignment


def _keep_line(
    session: Session, platform: LtiPlatform, assignment: Assignment, claims: Claims
) -> None:
    """Where the scores of this link go."""
    own = (LtiLine.platform_id == platform.id, LtiLine.resource_link == claims.link)
    line = session.scalar(select(LtiLine).where(*own))
    if line is None:
        session.add(
            LtiLine(
                platform_id=platform.id,
                resource_link=claims.link,
                assignment_id=assignment.id,
                url=claims.line,
            )
        )
    elif (line.assignment_id, line.url) != (assignment.id, claims.line):
        line.assignment_id, line.url, line.looked_at = assignment.id, claims.line, None
