"""The pages where an instructor writes a problem: begin (template, copy, zip, folder), edit,
verify, publish, export.
"""

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
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from grader.errors import GradeError, UsageError
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.base import now
from server.models.submissions import State
from server.models.teaching import Draft, Publication, VerifyRun
from server.services import accounts, notices
from server.services.audit import note
from server.services.problems import archive, files, publishing, verification
from server.services.problems import published as shelf
from server.services.rendering import statement
from server.services.rendering.diff import side_by_side
from server.web.access import me, role_required, takes_bytes
from server.web.context import reading, service, stop_reading
from server.web.learners.submissions import asked_wait
from server.web.texts import translate
from server.web.waiting import wait_for

pages = Blueprint("drafts", __name__, url_prefix="/teach")

# a form with a zip in it, or with the files of a folder
UPLOAD_BYTES = archive.ZIP_BYTES + (256 << 10)
MOST_DRAFTS = 50
GONE = "gone"  # stands for the content of a file that is there no longer


class Elsewhere(UsageError):
    """A file has been saved from another window since it was read."""


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
        return put_draft(session, slug, content, user)


def put_draft(session: Session, slug: str, content: files.Files, user: int) -> Draft:
    """Write the files as the user's draft of that slug, new or not. Raises `UsageError`."""
    draft = session.scalar(select(Draft).where(Draft.owner_id == user, Draft.slug == slug))
    if draft is None:
        if (
            len(session.scalars(select(Draft.id).where(Draft.owner_id == user)).all())
            >= MOST_DRAFTS
        ):
            raise UsageError(
                Message("You have %(most)s drafts; delete one first.", most=MOST_DRAFTS)
            )
        draft = Draft(slug=slug, owner_id=user, files={})
        session.add(draft)
    draft.files, draft.changed_at = files.keep(session, files.check_all(content)), now()
    session.flush()
    return draft


@pages.post("/upload")
@takes_bytes(UPLOAD_BYTES)
@role_required(Role.INSTRUCTOR)
def upload() -> Answer | tuple[str, int]:
    """A draft from a zip, or from the files of a dropped folder."""
    zipped, dropped = (
        request.files.get("zip"),
        [f for f in request.files.getlist("folder") if f.filename],
    )
    try:
        if zipped is not None and zipped.filename:
            slug, content = archive.read_zip(zipped.stream)
        elif dropped:
            if len(dropped) > archive.MOST_ENTRIES:
                raise UsageError(
                    Message(
                        "The folder has %(count)s files; at most %(most)s are accepted.",
                        count=len(dropped),
                        most=archive.MOST_ENTRIES,
                    )
                )
            slug, content = archive.gather((f.filename or "", f.stream) for f in dropped)
        else:
            raise UsageError(
                Message("Choose a zip, or a folder with problems/ and reference/ in it.")
            )
        draft = _new(slug, content)
    except GradeError as error:
        return _home(sentence(error)), 422
    return redirect(url_for("drafts.show", draft_id=draft.id), 303)


def note_change(session: Session, draft: Draft, kind: str, path: str = "") -> None:
    """What an admin does with somebody else's draft is logged, and its owner is told.

    The path is that of a file in it.
    """
    if draft.owner_id != me().id:
        note(
            session,
            me().id,
            "draft",
            Message("%(slug)s of %(name)s", slug=draft.slug, name=draft.owner.name),
            number=draft.id,
            what=kind,
            file=path,
        )
        notices.tell(
            session, draft.owner_id, kind, notices.actor(me()), problem=draft.slug, path=path
        )


def find_draft(session: Session, draft_id: int) -> Draft:
    """One's own draft (an admin's: any); 404 for another's."""
    draft = session.get(Draft, draft_id)
    if draft is None or (
        draft.owner_id != me().id and not accounts.at_least(me().role, Role.ADMIN)
    ):
        abort(404, Message("You have no draft of that number."))
    return draft


@pages.get("/drafts/<int:draft_id>")
@role_required(Role.INSTRUCTOR)
def show(draft_id: int) -> str:
    """The files, the chosen one in an editor, and what the last verification said."""
    return _page(draft_id, request.args.get("file", ""))


def _page(
    draft_id: int, chosen: str, message: str = "", text: str | None = None, was: str | None = None
) -> str:
    """`text`: what is in the editor instead of what is saved; `was`: what that was made from,
    whether or not it is what is saved now.
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
        path=path,
        text=shown,
        was=draft.files.get(path, "") if was is None else was,
        saved=theirs if elsewhere else None,
        over=draft.files.get(path, GONE),
        diff=side_by_side(theirs, shown) if elsewhere else None,
        problem=problem,
        form=form,
        run=run,
        current=run is not None and run.tree == files.tree_hash(draft.files),
        fit=verification.fit_run(session, draft) is not None,
        taken=publishing.trouble(session, draft, service().bank, me()),
        number=len(shelf.versions(session, draft.slug)) + 1,
        preview=statement.render(shown) if path.endswith(".md") else (),
        message=message,
    )


@pages.post("/drafts/<int:draft_id>/file")
@role_required(Role.INSTRUCTOR)
def save(draft_id: int) -> Answer | tuple[str, int]:
    """Save one file; `was` is the content that was edited, so that two windows cannot overwrite
    each other unseen. When something else was saved meanwhile, both are shown, and saving again
    says the same; only `over`, which names what was shown, replaces it.
    """
    path = request.form.get("path", "").strip()
    text, was = request.form.get("content", "").replace("\r\n", "\n"), request.form.get("was", "")
    try:
        content = files.check_content(files.check_path(path), text.encode())
        stop_reading()
        with service().database.write() as session:
            draft = find_draft(session, draft_id)
            stands = draft.files.get(path, "")
            if stands not in (was, files.sha(content)) and request.form.get("over") != (
                stands or GONE
            ):
                raise Elsewhere(
                    Message(
                        "%(path)s was changed elsewhere since this page was loaded. Yours is not"
                        " saved; both are shown below.",
                        path=path,
                    )
                )
            files.check_all({**files.fetch(session, draft.files), path: content})
            draft.files = {**draft.files, **files.keep(session, {path: content})}
            draft.changed_at = now()
            note_change(session, draft, "draft_saved", path)
            if request.form.get("then") == "verify":
                verification.ask(session, draft, me().id)
    except Elsewhere as error:
        return _page(draft_id, path, sentence(error), text, was), 409
    except (UsageError, UnicodeEncodeError) as error:
        return _page(draft_id, path, sentence(error), text, was), 422
    if request.form.get("then") == "verify":
        wake()
        return redirect(url_for("drafts.show", draft_id=draft_id, file=path, _anchor="verify"), 303)
    flash(translate("Saved."))
    return redirect(url_for("drafts.show", draft_id=draft_id, file=path), 303)


@pages.post("/drafts/<int:draft_id>/remove")
@role_required(Role.INSTRUCTOR)
def remove(draft_id: int) -> Answer:
    """Take one file out of the draft."""
    path = request.form.get("path", "")
    stop_reading()
    with service().database.write() as session:
        draft = find_draft(session, draft_id)
        if path not in draft.files:
            abort(404, Message("The draft has no such file."))
        draft.files = {p: sha for p, sha in draft.files.items() if p != path}
        draft.changed_at = now()
        note_change(session, draft, "draft_file_removed", path)
    flash(translate("%(name)s is removed.", name=path))
    return redirect(url_for("drafts.show", draft_id=draft_id), 303)


@pages.post("/drafts/<int:draft_id>/delete")
@role_required(Role.INSTRUCTOR)
def discard(draft_id: int) -> Answer:
    """Delete a draft; what was published from it stays."""
    stop_reading()
    with service().database.write() as session:
        draft = find_draft(session, draft_id)
        slug = draft.slug
        note_change(session, draft, "draft_deleted")
        session.execute(
            delete(VerifyRun).where(VerifyRun.draft_id == draft.id, VerifyRun.state == State.QUEUED)
        )
        session.delete(draft)
    flash(translate("The draft of %(slug)s is deleted.", slug=slug))
    return redirect(url_for("drafts.home"), 303)


@pages.get("/drafts/<int:draft_id>.zip")
@role_required(Role.INSTRUCTOR)
def export(draft_id: int) -> Response:
    """The draft as a zip: what `upload` takes."""
    draft = find_draft(reading(), draft_id)
    return zipped(draft.slug, files.fetch(reading(), draft.files))


def zipped(slug: str, content: files.Files) -> Response:
    """A zip as an answer."""
    answer = Response(archive.write_zip(slug, content), mimetype="application/zip")
    answer.headers["Content-Disposition"] = f'attachment; filename="{slug}.zip"'
    return answer


@pages.post("/preview")
@role_required(Role.INSTRUCTOR)
def preview() -> Response:
    """A statement's Markdown as the learner will see it, for the editor; samples are named, not
    computed.
    """
    text = request.form.get("content", "")[: files.FILE_BYTES]
    return jsonify({"html": render_template("teach/_preview.html", preview=statement.render(text))})


# ----------------------------------------------------------------------------------------------------------------
# verify, publish


def wake() -> None:
    """Tell this process's worker that there is something to do."""
    for chore in service().worker.chores:
        chore.wake()


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
    wake()
    return redirect(
        url_for(
            "drafts.show", draft_id=draft_id, file=request.form.get("file", ""), _anchor="verify"
        ),
        303,
    )


@pages.get("/runs/<int:run_id>/live")
@role_required(Role.INSTRUCTOR)
def live(run_id: int) -> Response:
    """For a script that watches: the step, and the report as HTML once it is there."""
    run = await_run(run_id, asked_wait())
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


def await_run(run_id: int, seconds: float) -> VerifyRun:
    """The run, after at most so long, sooner when it is done; 404 for another's."""
    session = reading()
    run = session.get(VerifyRun, run_id)
    if run is None or (run.asked_by != me().id and not accounts.at_least(me().role, Role.ADMIN)):
        abort(404, Message("You have asked for no verification of that number."))
    if run.state == State.DONE or not seconds:
        return run
    before, any_change, running = (
        (run.state, run.steps_done),
        bool(request.args.get("any")),
        service(),
    )
    stop_reading()

    def look() -> bool | None:
        with running.database.read() as fresh:
            fresh_run = fresh.get(VerifyRun, run_id)
        changed = (
            fresh_run is None
            or fresh_run.state == State.DONE
            or (any_change and (fresh_run.state, fresh_run.steps_done) != before)
        )
        return True if changed else None

    wait_for(running.hub, -run_id, me().id, min(seconds, running.settings.wait_limit), look)
    return reading().get(VerifyRun, run_id) or abort(
        404, Message("You have asked for no verification of that number.")
    )


@pages.post("/drafts/<int:draft_id>/publish")
@role_required(Role.INSTRUCTOR)
def publish(draft_id: int) -> Answer | tuple[str, int]:
    """Make a version of the draft; only what `verify` found fit."""
    about, user = request.form.get("note", ""), me()
    stop_reading()
    try:
        with service().database.write() as session:
            row = publishing.publish(
                session, find_draft(session, draft_id), service().bank, user, about
            )
    except UsageError as error:
        return _page(draft_id, "", sentence(error)), 422
    published(row)
    return redirect(url_for("versions.show", slug=row.slug), 303)


def published(row: Publication) -> None:
    """After the commit: the bank of this process looks again, and its worker computes the samples."""
    service().bank.look_again()
    service().queue.put(0)
    flash(
        translate(
            "Version %(number)s of %(slug)s is published.", number=str(row.number), slug=row.slug
        )
    )
