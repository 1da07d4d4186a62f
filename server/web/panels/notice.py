"""A notice as a page shows it: with titles in the reader's language, and links."""

from flask import url_for
from markupsafe import Markup

from server.models.courses import Assignment
from server.models.notices import Notice
from server.services import notices
from server.web.context import reading, service
from server.web.panels.item import named
from server.web.texts import translate
from server.web.titles import problem_title


def said(notice: Notice) -> str:
    """The sentence of a notice, with links."""
    return translate(notices.sentence(notice, _shown(notice)))


def failed(notice: Notice) -> bool:
    """Checks whether it tells of something that was to be done and was not."""
    return notice.kind in notices.FAILURES


def _shown(notice: Notice) -> dict[str, object]:
    detail, links = notice.detail["parameters"], dict[str, object]()
    problem = service().bank.get(str(detail.get("problem", "")))
    if problem is not None and notice.kind not in notices.OF_DRAFTS:
        address = url_for("learn.problem", slug=problem.slug)
        links["problem"] = _link(address, problem_title(problem))
    if "assignment_id" in detail:
        links |= _item(detail["assignment_id"], str(detail.get("problem", "")))
        anchor = f"a{detail['assignment_id']}"
        address = url_for("study.show", course_id=detail["course_id"], _anchor=anchor)
        links["assignment"] = _link(address, detail["assignment"])
    if notice.kind in notices.OF_SUBMISSIONS:
        number = detail["number"]
        links["number"] = _link(url_for("submit.show", submission_id=number), str(number))
    return links


def _item(assignment_id: int, key: str) -> dict[str, object]:
    """What the assignment calls the item of that key; nothing where it is a problem."""
    assignment = reading().get(Assignment, assignment_id)
    item = named(assignment.items).get(key) if assignment is not None and ":" in key else None
    if item is None:
        return {}
    return {"problem": _link(item.address, item.title) if item.address else item.title}


def _link(address: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(address, text)
