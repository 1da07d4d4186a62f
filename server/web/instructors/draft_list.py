"""The page with one's drafts, where another begins: from the template, a copy, or an upload."""

from flask import Blueprint, render_template, request
from sqlalchemy import select
from werkzeug.wrappers import Response as Answer

from grader.errors import GradeError, UsageError
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.teaching import Draft
from server.services import accounts
from server.services.problems import archive, files, verification
from server.services.problems import published as shelf
from server.web import replacing
from server.web.access import me, role_required, takes_bytes
from server.web.context import reading, service

pages = Blueprint("draft_list", __name__, url_prefix="/teach")

# a form with a zip in it, or with the files of a folder
UPLOAD_BYTES = archive.ZIP_BYTES + (256 << 10)


@pages.get("")
@role_required(Role.INSTRUCTOR)
def home() -> str:
    """One's own drafts, and what is published here."""
    return _home()


def _home(message: str = "", slug: str = "") -> str:
    session = reading()
    mine = select(Draft).order_by(Draft.changed_at.desc())
    mine = (
        mine if accounts.at_least(me().role, Role.ADMIN) else mine.where(Draft.owner_id == me().id)
    )
    drafts = session.scalars(mine).all()
    published = shelf.latest(session)
    return render_template(
        "teach/home.html",
        drafts=[(draft, verification.last(session, draft)) for draft in drafts],
        published=sorted(published.values(), key=lambda row: row.slug),
        bank=service().bank.problems(),
        message=message,
        slug=slug,
    )


@pages.post("/drafts")
@role_required(Role.INSTRUCTOR)
def begin() -> Answer | str | tuple[str, int]:
    """A draft from the template, or a copy of a problem under another name. Asks before it replaces
    files of a draft that one has.
    """
    slug, source = request.form.get("slug", "").strip(), request.form.get("from", "")
    try:
        files.check_slug(slug)
        content = files.from_template(slug) if not source else _copied(source)
        return replacing.put(slug, content)
    except GradeError as error:
        return _home(sentence(error), slug), 422


def _copied(source: str) -> dict[str, bytes]:
    """The files of a problem of the bank, wherever it lies."""
    problem = service().bank.get(source)
    if problem is None:
        raise UsageError(Message("There is no problem '%(slug)s' to copy.", slug=source[:80]))
    return files.of_problem(problem)


@pages.post("/upload")
@takes_bytes(UPLOAD_BYTES)
@role_required(Role.INSTRUCTOR)
def upload() -> Answer | str | tuple[str, int]:
    """A draft from a zip, or from the files of a dropped folder. Asks before it replaces files of a
    draft that one has.
    """
    try:
        if "replace" in request.form:
            return replacing.put_as_agreed()
        return replacing.put(*_uploaded())
    except GradeError as error:
        return _home(sentence(error)), 422


def _uploaded() -> tuple[str, files.Files]:
    """The slug and the files of what was sent. Raises `UsageError`."""
    zipped = request.files.get("zip")
    if zipped is not None and zipped.filename:
        return archive.read_zip(zipped.stream)
    dropped = [f for f in request.files.getlist("folder") if f.filename]
    if not dropped:
        raise UsageError(Message("Choose a zip, or a folder with problems/ and reference/ in it."))
    if len(dropped) > archive.MOST_ENTRIES:
        raise UsageError(
            Message(
                "The folder has %(count)s files; at most %(most)s are accepted.",
                count=len(dropped),
                most=archive.MOST_ENTRIES,
            )
        )
    return archive.gather((f.filename or "", f.stream) for f in dropped)
