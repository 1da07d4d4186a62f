"""The page with one's drafts, where another begins: from the template, a copy, or an upload."""

from flask import Blueprint, redirect, render_template, request, url_for
from itsdangerous import BadData, URLSafeTimedSerializer
from sqlalchemy import select
from werkzeug.wrappers import Response as Answer

from grader.errors import GradeError, UsageError
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.teaching import Draft
from server.services import accounts
from server.services.problems import archive, drafts, files, verification
from server.services.problems import published as shelf
from server.web.access import me, role_required, takes_bytes
from server.web.context import reading, service, stop_reading

pages = Blueprint("draft_list", __name__, url_prefix="/teach")

# a form with a zip in it, or with the files of a folder
UPLOAD_BYTES = archive.ZIP_BYTES + (256 << 10)
ASKED_S = 3600


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
def begin() -> Answer | tuple[str, int]:
    """A draft from the template, or a copy of a problem under another name."""
    slug, source = request.form.get("slug", "").strip(), request.form.get("from", "")
    try:
        files.check_slug(slug)
        content = files.from_template(slug) if not source else _copied(source)
        draft = _new(slug, content)
    except GradeError as error:
        return _home(sentence(error), slug), 422
    return redirect(url_for("drafts.show", draft_id=draft.id), 303)


def _copied(source: str) -> dict[str, bytes]:
    """The files of a problem of the bank, wherever it lies."""
    problem = service().bank.get(source)
    if problem is None:
        raise UsageError(Message("There is no problem '%(slug)s' to copy.", slug=source[:80]))
    return files.of_problem(problem)


def _new(slug: str, content: files.Files) -> Draft:
    """A new draft; or, when one has a draft of that slug, that one with these files."""
    user = me().id
    stop_reading()
    with service().database.write() as session:
        return drafts.put(session, slug, content, user)


@pages.post("/upload")
@takes_bytes(UPLOAD_BYTES)
@role_required(Role.INSTRUCTOR)
def upload() -> Answer | str | tuple[str, int]:
    """A draft from a zip, or from the files of a dropped folder. Asks before it replaces files of a
    draft that one has; `replace` is the answer.
    """
    try:
        slug, content, agreed = _agreed() if "replace" in request.form else (*_uploaded(), {})
        return _put(slug, content, agreed)
    except GradeError as error:
        return _home(sentence(error)), 422


def _put(slug: str, content: files.Files, agreed: dict[str, str]) -> Answer | str:
    """Writes the draft where exactly what is `agreed` is lost, path to hash; else asks."""
    user = me().id
    stop_reading()
    with service().database.write() as session:
        tree = files.keep(session, files.check_all(content))
        draft = drafts.own(session, slug, user)
        lost = drafts.lost(draft, tree)
        if draft is None or not lost or lost == agreed:
            number = drafts.put(session, slug, content, user).id
            return redirect(url_for("drafts.show", draft_id=number), 303)
    answer = _signer().dumps([user, slug, tree, lost])
    about = {"draft": draft, "lost": lost, "tree": tree, "answer": answer}
    return render_template("teach/replace.html", **about)


def _agreed() -> tuple[str, files.Files, dict[str, str]]:
    """The slug, the files, and what of the draft may be lost, as the page that asked has it.

    Raises `UsageError`.
    """
    try:
        user, slug, tree, lost = _signer().loads(request.form["replace"], max_age=ASKED_S)
    except BadData:
        user = None
    if user != me().id:
        raise UsageError(Message("This upload is too old. Choose the zip or the folder again."))
    return slug, files.fetch(reading(), tree), lost


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(service().secret, salt="replace a draft")


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
