"""The pages of rejudging: choose submissions, watch, see what would change, apply or discard."""

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from grader.errors import UsageError
from grader.problem import Problem
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.teaching import Rejudge
from server.services import authority, rejudging
from server.web.access import me, role_required
from server.web.context import reading, service, stop_reading, wake_chores
from server.web.texts import translate, translate_counted

pages = Blueprint("rejudges", __name__, url_prefix="/teach")

LISTED = 500


def _problem(slug: str) -> Problem:
    problem = service().bank.get(slug)
    if problem is None:
        abort(404, Message("There is no problem of that name."))
    if not rejudging.may_rejudge(reading(), service().bank, slug, me()):
        abort(403, Message("This problem is rejudged by whoever published it, or by an admin."))
    return problem


@pages.get("/problems/<slug>/rejudge")
@role_required(Role.INSTRUCTOR)
def choose(slug: str) -> str:
    """Submissions to choose from: by verdict, and by whether another version judged them."""
    return _choose(_problem(slug))


def _choose(problem: Problem, message: str = "", reason: str = "") -> str:
    which = request.values.get("which", "all")
    which = which if which in rejudging.WHICH else "all"
    older = request.values.get("older", "yes" if not request.values.get("which") else "") == "yes"
    session = reading()
    earlier = select(Rejudge).where(Rejudge.problem == problem.slug)
    earlier = earlier if authority.is_admin(me()) else earlier.where(Rejudge.asked_by == me().id)
    return render_template(
        "teach/rejudge_choose.html",
        problem=problem,
        candidates=rejudging.candidates(session, problem, which, older, me(), LISTED),
        earlier=session.scalars(earlier.order_by(Rejudge.id.desc()).limit(20)).all(),
        which=which,
        kinds=rejudging.WHICH,
        older=older,
        message=message,
        reason=reason,
        most=LISTED,
    )


@pages.post("/problems/<slug>/rejudge")
@role_required(Role.INSTRUCTOR)
def begin(slug: str) -> Answer | tuple[str, int]:
    """Queue those that were ticked, or all that match."""
    problem, user, reason = _problem(slug), me(), request.form.get("reason", "")
    ids = [int(text) for text in request.form.getlist("id") if text.isdecimal() and len(text) < 19]
    if request.form.get("all") == "yes":
        which, older = request.form.get("which", "all"), bool(request.form.get("older"))
        ids = [row.id for row in rejudging.candidates(reading(), problem, which, older, user)]
    stop_reading()
    try:
        with service().database.write() as session:
            rejudge = rejudging.begin(session, problem, ids, reason, user)
    except rejudging.OutOfReach as error:
        abort(403, sentence(error))
    except UsageError as error:
        return _choose(problem, sentence(error), reason), 422
    wake_chores()
    return redirect(url_for("rejudges.show", rejudge_id=rejudge.id), 303)


def _find(session: Session, rejudge_id: int) -> Rejudge:
    rejudge = session.get(Rejudge, rejudge_id)
    known = rejudge is not None and rejudging.may_see(rejudge, me())
    if (
        rejudge is None
        or not known
        or not rejudging.may_rejudge(session, service().bank, rejudge.problem, me())
    ):
        abort(404, Message("You have no rejudge of that number."))
    return rejudge


@pages.get("/rejudges/<int:rejudge_id>")
@role_required(Role.INSTRUCTOR)
def show(rejudge_id: int) -> str:
    """How far it is, and what would change."""
    return _page(rejudge_id)


def _page(rejudge_id: int, message: str = "") -> str:
    return render_template("teach/rejudge.html", message=message, **_values(rejudge_id))


def _values(rejudge_id: int) -> dict[str, object]:
    session = reading()
    rejudge = _find(session, rejudge_id)
    progress, rows = (
        rejudging.progress(session, rejudge_id),
        rejudging.changes(session, rejudge_id, me()),
    )
    return {
        "rejudge": rejudge,
        "progress": progress,
        "rows": [(row, row.submission.user.name) for row in rows],
    }


@pages.get("/rejudges/<int:rejudge_id>/live")
@role_required(Role.INSTRUCTOR)
def live(rejudge_id: int) -> Response:
    """For a script that watches."""
    values = _values(rejudge_id)
    progress = values["progress"]
    assert isinstance(progress, rejudging.Progress)
    html = render_template("teach/_rejudge.html", **values)
    return jsonify(
        {
            "state": "done" if progress.ready else "running",
            "done": progress.done,
            "total": progress.total,
            "html": html,
        }
    )


@pages.post("/rejudges/<int:rejudge_id>/apply")
@role_required(Role.INSTRUCTOR)
def apply(rejudge_id: int) -> Answer | tuple[str, int]:
    """The new verdicts count from now on."""
    return _close(rejudge_id, apply=True)


@pages.post("/rejudges/<int:rejudge_id>/discard")
@role_required(Role.INSTRUCTOR)
def discard(rejudge_id: int) -> Answer | tuple[str, int]:
    """Everything stays as it is."""
    return _close(rejudge_id, apply=False)


def _close(rejudge_id: int, *, apply: bool) -> Answer | tuple[str, int]:
    user = me()
    stop_reading()
    try:
        with service().database.write() as session:
            rejudge = _find(session, rejudge_id)
            changed = rejudging.apply(session, rejudge, user) if apply else 0
            if not apply:
                rejudging.discard(session, rejudge, user)
    except UsageError as error:
        return _page(rejudge_id, sentence(error)), 422
    flash(
        translate_counted(
            "Applied: %(num)s verdict changed.", "Applied: %(num)s verdicts changed.", changed
        )
        if apply
        else translate("Discarded: every verdict is as it was.")
    )
    return redirect(url_for("rejudges.show", rejudge_id=rejudge_id), 303)
