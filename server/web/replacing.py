"""Writing a draft from other files: a page asks first, where files of one's own draft of that name
would be lost. `replace` in a form is the answer.
"""

from flask import redirect, render_template, request, url_for
from itsdangerous import BadData, URLSafeTimedSerializer
from werkzeug.wrappers import Response as Answer

from grader.errors import UsageError
from server.messages import Message
from server.services.problems import drafts, files
from server.web.access import me
from server.web.context import reading, service, stop_reading

ASKED_S = 3600


def put(slug: str, content: files.Files) -> Answer | str:
    """Writes the draft, or returns the page that asks. Raises `UsageError`."""
    return _put(slug, content, {})


def put_as_agreed() -> Answer | str:
    """Writes the draft that a page has asked about, or asks again where something else would be
    lost by now. Raises `UsageError`.
    """
    try:
        user, slug, tree, lost = _signer().loads(request.form["replace"], max_age=ASKED_S)
    except BadData:
        user = None
    if user != me().id:
        raise UsageError(Message("Your answer came too late. Begin again."))
    return _put(slug, files.fetch(reading(), tree), lost)


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


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(service().secret, salt="replace a draft")
