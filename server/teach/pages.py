"""Every blueprint of the instructors' side."""

from server.access import me
from server.models.core import Role
from server.services import accounts
from server.teach import audit, courses, drafts, gradebook, histogram, lti, platforms, publish, rejudges, similar, study, versions

BLUEPRINTS = (
    drafts.pages,
    versions.pages,
    rejudges.pages,
    courses.pages,
    gradebook.pages,
    histogram.pages,
    publish.routes,
    lti.pages,
    platforms.pages,
    similar.pages,
    study.pages,
    audit.pages,
)


def tabs() -> list[tuple[str, str]]:
    """The pages of an instructor, by endpoint, for the navigation."""
    found = [("drafts.home", "Problems"), ("courses.home", "Courses")]
    of_admins = [("platforms.show", "Learning platforms"), ("audit.show", "Audit log")]
    return [*found, *of_admins] if accounts.at_least(me().role, Role.ADMIN) else found
