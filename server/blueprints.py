"""Every blueprint of the instructors' side."""

from server.api import publish
from server.lti import admin_pages, launch, roster_pages
from server.messages import Message
from server.models.accounts import Role
from server.services import accounts
from server.web.access import me
from server.web.admin import audit
from server.web.instructors import (
    assignments,
    comments,
    courses,
    documents,
    draft_list,
    drafts,
    gradebook,
    groups,
    mistakes,
    rejudges,
    roster,
    similarity,
    versions,
)
from server.web.learners import courses as study

BLUEPRINTS = (
    draft_list.pages,
    drafts.pages,
    documents.pages,
    versions.pages,
    rejudges.pages,
    courses.pages,
    roster.pages,
    assignments.pages,
    comments.pages,
    gradebook.pages,
    mistakes.pages,
    groups.pages,
    publish.routes,
    launch.pages,
    admin_pages.pages,
    roster_pages.pages,
    similarity.pages,
    study.pages,
    audit.pages,
)


def tabs() -> list[tuple[str, str]]:
    """The pages under Manage, by endpoint, for the navigation; an instructor has one only."""
    pages: list[tuple[str, str]] = [
        ("manage.show", Message("Accounts")),
        ("platforms.show", Message("Learning platforms")),
        ("audit.show", Message("Audit log")),
    ]
    return pages if accounts.at_least(me().role, Role.ADMIN) else []
