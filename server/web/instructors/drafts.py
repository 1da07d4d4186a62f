"""The pages where an instructor writes a problem: edit, preview, verify, publish, export."""

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
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as Answer

from grader.errors import GradeError, UsageError
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.teaching import Draft, Schedule
from server.services.courses.timezones import to_utc, wall_clock, zone_of
from server.services.problems import audiences, drafts, files, publishing, scheduling, verification
from server.services.problems import published as shelf
from server.services.rendering import statement
from server.services.rendering.diff import side_by_side
from server.web.access import me, role_required
from server.web.context import (
    bank_changed,
    diagnose_again,
    reading,
    service,
    stop_reading,
    wake_chores,
)
from server.web.downloads import problem_zip
from server.web.lookups import chosen_courses, find_draft, wait_seconds
from server.web.polling import await_run
from server.web.texts import translate

pages = Blueprint("drafts", __name__, url_prefix="/teach")


@pages.get("/drafts/<int:draft_id>")
@role_required(Role.INSTRUCTOR)
def show(draft_id: int) -> str:
    """The files, the chosen one in an editor, and what the last verification said."""
    return _page(draft_id, request.args.get("file", ""))


def _page(
    draft_id: int,
    chosen: str,
    message: str = "",
    text: str | None = None,
    was: str | None = None,
    sent: MultiDict[str, str] | None = None,
) -> str:
    """`text`: what is in the editor instead of what is saved; `was`: what that was made from,
    whether or not it is what is saved now; `sent`: the form to publish it, now or later.
    """
    session = reading()
    draft = find_draft(session, draft_id)
    content = files.fetch(session, draft.files)
    path = (
        chosen
        if chosen in content or was is not None
        else next((p for p in ("problems/statement.md", *content) if p in content), "")
    )
    shown = content[path].decode() if path and text is None else text or ""
    theirs, elsewhere = (
        content.get(path, b"").decode(),
        was is not None and was != draft.files.get(path, ""),
    )
    run = verification.last(session, draft)
    try:
        problem, form = files.read(content, draft.slug), ""
    except GradeError as error:
        problem, form = None, sentence(error)
    return render_template(
        "teach/draft.html",
        draft=draft,
        paths=sorted(content),
        folders=sorted({p.rpartition("/")[0] for p in content}),
        path=path,
        text=shown,
        was=draft.files.get(path, "") if was is None else was,
        saved=theirs if elsewhere else None,
        over=draft.files.get(path, drafts.GONE),
        diff=side_by_side(theirs, shown) if elsewhere else None,
        problem=problem,
        form=form,
        run=run,
        current=run is not None and run.tree == files.tree_hash(draft.files),
        fit=verification.fit_run(session, draft) is not None,
        taken=publishing.trouble(session, draft, service().bank, me()),
        number=len(shelf.versions(session, draft.slug)) + 1,
        preview=statement.render(shown) if path.endswith(".md") else (),
        samples=verification.samples(run),
        schedule=session.get(Schedule, draft.id),
        limited=audiences.of(session, draft.slug),
        choices=audiences.choices(session, me()),
        sent=sent or {},
        picked=sent.getlist("course", type=int) if sent else (),
        on_the_wall=wall_clock,
        message=message,
    )


@pages.post("/drafts/<int:draft_id>/file")
@role_required(Role.INSTRUCTOR)
def save(draft_id: int) -> Answer | tuple[str, int]:
    """Save one file; `was` is the content that was edited, so that two windows cannot overwrite
    each other unseen. When something else was saved meanwhile, both are shown, and saving again
    says the same; only `over`, which names what was shown, replaces it.
    """
    path, user = request.form.get("path", "").strip(), me()
    text, was = request.form.get("content", "").replace("\r\n", "\n"), request.form.get("was", "")
    known, verifies = (was, request.form.get("over", "")), request.form.get("then") == "verify"
    try:
        content = files.check_content(files.check_path(path), text.encode())
        stop_reading()
        with service().database.write() as session:
            draft = find_draft(session, draft_id)
            drafts.save_file(session, draft, path, content, known, user)
            if verifies:
                verification.ask(session, draft, user.id)
    except (UsageError, UnicodeEncodeError) as error:
        status = 409 if isinstance(error, drafts.ChangedElsewhereError) else 422
        return _page(draft_id, path, sentence(error), text, was), status
    if verifies:
        wake_chores()
        return _to_verification(draft_id, path)
    flash(translate("Saved."))
    return redirect(url_for("drafts.show", draft_id=draft_id, file=path), 303)


@pages.post("/drafts/<int:draft_id>/remove")
@role_required(Role.INSTRUCTOR)
def remove(draft_id: int) -> Answer:
    """Take one file out of the draft."""
    path, user = request.form.get("path", ""), me()
    stop_reading()
    with service().database.write() as session:
        draft = find_draft(session, draft_id)
        if path not in draft.files:
            abort(404, Message("The draft has no such file."))
        drafts.remove_file(session, draft, path, user)
    flash(translate("%(name)s is removed.", name=path))
    return redirect(url_for("drafts.show", draft_id=draft_id), 303)


@pages.post("/drafts/<int:draft_id>/delete")
@role_required(Role.INSTRUCTOR)
def discard(draft_id: int) -> Answer:
    """Delete a draft; what was published from it stays."""
    user = me()
    stop_reading()
    with service().database.write() as session:
        draft = find_draft(session, draft_id)
        slug = draft.slug
        drafts.discard(session, draft, user)
    flash(translate("The draft of %(slug)s is deleted.", slug=slug))
    return redirect(url_for("draft_list.home"), 303)


@pages.get("/drafts/<int:draft_id>.zip")
@role_required(Role.INSTRUCTOR)
def export(draft_id: int) -> Response:
    """The draft as a zip: what `upload` takes."""
    draft = find_draft(reading(), draft_id)
    return problem_zip(draft.slug, files.fetch(reading(), draft.files))


@pages.post("/preview")
@role_required(Role.INSTRUCTOR)
def preview() -> Response:
    """A statement's Markdown as the learner will see it, for the editor.

    The numbers of its samples are those of the draft's last verification.
    """
    text = request.form.get("content", "")[: files.FILE_BYTES]
    number = request.args.get("draft", type=int)
    draft = find_draft(reading(), number) if number is not None else None
    values = {
        "draft": draft,
        "preview": statement.render(text),
        "samples": verification.samples(verification.last(reading(), draft) if draft else None),
    }
    return jsonify({"html": render_template("teach/_preview.html", **values)})


# verify, publish


@pages.post("/drafts/<int:draft_id>/verify")
@role_required(Role.INSTRUCTOR)
def verify(draft_id: int) -> Answer | tuple[str, int]:
    """Queue a verification of the draft as it is."""
    user = me().id
    stop_reading()
    try:
        with service().database.write() as session:
            verification.ask(session, find_draft(session, draft_id), user)
    except UsageError as error:
        return _page(draft_id, request.form.get("file", ""), sentence(error)), 422
    wake_chores()
    return _to_verification(draft_id, request.form.get("file", ""))


def _to_verification(draft_id: int, path: str) -> Answer:
    page = url_for("drafts.show", draft_id=draft_id, file=path, _anchor="verify")
    return redirect(page, 303)


@pages.get("/runs/<int:run_id>/live")
@role_required(Role.INSTRUCTOR)
def live(run_id: int) -> Response:
    """For a script that watches: the step, and the report as HTML once it is there."""
    run = await_run(run_id, wait_seconds(), bool(request.args.get("any")))
    values = {
        "id": run.id,
        "state": run.state,
        "step": run.step,
        "done": run.steps_done,
        "steps": run.steps,
        "fit": run.fit,
    }
    draft = reading().get(Draft, run.draft_id or 0)
    current = draft is not None and run.tree == files.tree_hash(draft.files)
    return jsonify(
        values | {"html": render_template("teach/_verify.html", run=run, current=current)}
    )


@pages.post("/drafts/<int:draft_id>/publish")
@role_required(Role.INSTRUCTOR)
def publish(draft_id: int) -> Answer | tuple[str, int]:
    """Make a version of the draft; only what `verify` found fit."""
    about, user, courses = request.form.get("note", ""), me(), chosen_courses()
    before = service().bank.get(find_draft(reading(), draft_id).slug)
    stop_reading()
    try:
        with service().database.write() as session:
            draft = find_draft(session, draft_id)
            row = publishing.publish(session, draft, service().bank, user, about, courses)
    except UsageError as error:
        return _page(draft_id, "", sentence(error), sent=request.form), 422
    bank_changed()
    flash(
        translate(
            "Version %(number)s of %(slug)s is published.", number=str(row.number), slug=row.slug
        )
    )
    if diagnose_again(row.slug, before, user):
        flash(
            translate("Failures without a hint are judged again; apply the result under Rejudge.")
        )
    return redirect(url_for("versions.show", slug=row.slug), 303)


@pages.post("/drafts/<int:draft_id>/schedule")
@role_required(Role.INSTRUCTOR)
def schedule(draft_id: int) -> Answer | tuple[str, int]:
    """Publish the draft as it is at a time to come, on the clock of `zone`; none takes it back."""
    at, user = request.form.get("at", "").strip(), me()
    stop_reading()
    try:
        plan = _plan(at) if at else None
        with service().database.write() as session:
            draft = find_draft(session, draft_id)
            if plan is not None:
                scheduling.schedule(session, draft, service().bank, user, plan)
            else:
                scheduling.cancel(session, draft, user)
    except UsageError as error:
        return _page(draft_id, "", sentence(error), sent=request.form), 422
    flash(translate("Saved."))
    return redirect(url_for("drafts.show", draft_id=draft_id, _anchor="publish"), 303)


def _plan(at: str) -> scheduling.Plan:
    zone = zone_of(request.form.get("zone", "").strip() or "UTC")
    about = request.form.get("note", "")
    return scheduling.Plan(to_utc(at, zone), about, chosen_courses(), zone.key)
