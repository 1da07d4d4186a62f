"""Puts the service together: settings, database, bank, worker, pages."""

import atexit
import logging
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import click
from apiflask import APIFlask
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import IntegerConverter

from server import cli
from server.api import description, parameters, v1
from server.api import explorations as explored
from server.blueprints import BLUEPRINTS, tabs
from server.lti.passback import GradePassback
from server.models.database import Database, open_database
from server.ops import health, logs
from server.private_files import private_folder
from server.services import feedback
from server.services.courses import comments
from server.services.lessons.shelf import Lessons
from server.services.problems.bank import Bank
from server.services.problems.published import Shelf
from server.services.rendering import documents, pictures, samples, statement
from server.services.rendering.figures.heat import short
from server.services.submission_queue import still_waiting
from server.services.waking.hub import Hub
from server.settings import Settings
from server.terminal import reported_errors
from server.web import access, failures, headers, names, texts, titles
from server.web.admin import manage
from server.web.context import NAME, Service, reading, stop_reading
from server.web.learners import (
    auth,
    explorations,
    hints,
    lessons,
    model,
    practice,
    problems,
    profile,
    questions,
    start,
    submissions,
    theme,
    today,
)
from server.web.pages import course_page, lesson_page, problem_page
from server.web.panels import exploration, notice, verdict, verification
from server.web.serving import assets, compression, counters
from server.worker.answering import Answering
from server.worker.instructor_jobs import InstructorJobs
from server.worker.lessons import LessonValues
from server.worker.low_priority import PAUSE_S, LowPriorityGate, giving_way
from server.worker.practice import PracticeItems
from server.worker.room import Core, core
from server.worker.threads import Worker
from server.worker.wakeups import ThreadWakeups, Wakeups

__all__ = ["create_app"]

# without Redis there is no limit, but service
_IMPATIENT = {"socket_connect_timeout": 1, "socket_timeout": 1}
BODY_LIMIT = 1 << 20  # a request: far above the largest source, far below what hurts


PAGES = (
    problems.pages,
    lessons.pages,
    questions.pages,
    practice.pages,
    model.pages,
    today.pages,
    start.pages,
    submissions.pages,
    hints.pages,
    explorations.pages,
    explored.routes,
    auth.pages,
    profile.pages,
    manage.pages,
    texts.pages,
    theme.pages,
    health.pages,
    v1.routes,
    v1.pages,
    *BLUEPRINTS,
)


def create_app(settings: Settings | None = None, judging: Core | None = None) -> APIFlask:
    """The application.

    Under `flask run` its worker begins to judge; elsewhere `Service.worker.start()` does that.
    """
    with reported_errors():
        settings = settings or Settings.from_environment()
        secret = settings.secret()
    app = APIFlask(
        "server",
        json_errors=False,
        docs_path=None,
        spec_path="/api/v1/openapi.json",
        title=settings.title,
        template_folder="web/templates",
        static_folder="web/static",
    )
    _configure(app, settings, secret)
    with reported_errors():
        if Path(settings.instance).is_dir():
            private_folder(Path(settings.instance))
        app.extensions[NAME] = _service(settings, judging or core(settings), secret)
    _install(app, settings)
    _register(app, settings)
    cli.register(app, create_app)
    texts.install(app)
    _templates(app, settings)
    assets.serve(app, settings.https)
    if settings.proxies:
        n = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]
    if _under_flask_run():
        _begin(app.extensions[NAME])
    return app


def _service(settings: Settings, judging: Core, secret: str) -> Service:
    """What pages, API and commands share: database, bank, and the worker with its chores."""
    database = open_database(settings.database(), settings.busy_timeout)
    hub, queue = _hub(settings, database), _queue(settings)
    published = Shelf(Path(settings.instance) / "published", database)
    bank = Bank(settings.bank_folder(), database, published)
    worker = Worker(settings, database, bank, hub, queue, judging)
    shelf = Lessons(bank)
    gate = LowPriorityGate(worker.idle, PAUSE_S)
    worker.chores = (
        Answering(database, bank, giving_way(judging.shown_answers, gate)),
        LessonValues(database, shelf, giving_way(judging.compute_lesson, gate)),
        PracticeItems(database, bank, giving_way(judging.practice_items, gate)),
        InstructorJobs(settings, database, bank, judging.judge, LowPriorityGate(worker.idle)),
        GradePassback(settings, database),
    )
    return Service(settings, database, bank, shelf, hub, queue, worker, worker.wake_chores, secret)


def _install(app: APIFlask, settings: Settings) -> None:
    """What every request passes: its line in the log, compression, headers, access, failures."""
    logs.log_requests(app)
    compression.install(app)
    headers.secure(app, settings.https)
    access.protect(app)
    failures.register(app)
    parameters.check(app)
    app.error_callback = failures.refused
    app.teardown_request(stop_reading)


def _register(app: APIFlask, settings: Settings) -> None:
    """The addresses, and their description in OpenAPI."""
    app.spec_processor(description.describe_failures)
    app.url_map.converters["int"] = _Number
    for blueprint in PAGES:
        app.register_blueprint(blueprint)
    if settings.metrics_token:
        from server.ops import metrics

        app.register_blueprint(metrics.pages)


def _begin(service: Service) -> None:
    """Under `flask run`: prepares this process, and judges in it unless others do."""
    cli.prepare(service)
    if service.settings.workers and not service.settings.broker_url:
        service.worker.start()
        atexit.register(service.worker.stop)


def _hub(settings: Settings, database: Database) -> Hub:
    """With PostgreSQL other processes judge as well, and it says what they wrote."""
    quiet = partial(still_waiting, database)
    if not settings.database_url.startswith("postgresql"):
        return Hub(quiet=quiet)
    from server.services.waking.listen import listen

    return Hub(partial(listen, settings.database()), quiet)


def _queue(settings: Settings) -> Wakeups:
    """Threads of this process, or Celery."""
    if not settings.broker_url:
        return ThreadWakeups()
    from server.worker.dispatch import CeleryQueue

    return CeleryQueue(settings)


class _Number(IntegerConverter):
    """A number of an address: what no database column holds is not found, instead of breaking."""

    def __init__(self, url_map: Any) -> None:
        super().__init__(url_map, max=2**63 - 1)


def _configure(app: APIFlask, settings: Settings, secret: str) -> None:
    app.config.update(
        SECRET_KEY=secret,
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        MAX_FORM_MEMORY_SIZE=BODY_LIMIT,
        SESSION_COOKIE_NAME="judge_session",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_SECURE=settings.https,
        PERMANENT_SESSION_LIFETIME=timedelta(hours=settings.session_hours),
        WTF_CSRF_CHECK_DEFAULT=False,  # access.protect checks, so that a bearer token can stand in
        WTF_CSRF_TIME_LIMIT=settings.form_hours * 3600,
        WTF_CSRF_SSL_STRICT=settings.https,
        RATELIMIT_STORAGE_URI=counters.address(settings.limits()),
        RATELIMIT_STORAGE_OPTIONS=_IMPATIENT if settings.limit_storage.startswith("redis") else {},
        **description.CONFIGURATION,
    )


def _templates(app: APIFlask, settings: Settings) -> None:
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        site=settings.title,
        title_of=titles.problem_title,
        titled=titles.titled,
        author_documents=documents.titles,
        section_about=documents.about,
        asset=assets.address,
        asset_parts=assets.parts,
        pictures=partial(pictures.pictures, say=texts.translate),
        blocks=samples.blocks,
        style_nonce=headers.style_nonce,
        python_html=statement.python_html,
        source_lines=statement.source_lines,
        verdict_values=problem_page.verdict_values,
        wrong_in=verdict.wrong_in,
        hints_of=verdict.hints_of,
        torch_note=verdict.torch_note,
        finding_said=verification.finding_said,
        exploration_tensors=exploration.tensors,
        exploration_options=exploration.options,
        exploration_array=exploration.array,
        short_number=short,
        room_trouble=problem_page.room_trouble,
        sample_names=problem_page.sample_names,
        takes_inputs=problem_page.takes_inputs,
        open_notices=profile.open_notices,
        notice_said=notice.said,
        notice_failed=notice.failed,
        manage_pages=tabs,
        comments_of=lambda row: comments.of(reading(), row.id),
        may_ask=lambda row: comments.may_ask(reading(), row),
        in_zone=course_page.in_zone,
        span=texts.span,
        revisions_of=lambda row: feedback.revisions(reading(), row.id),
        source_limit=settings.source_limit,
        label=names.label,
        word=names.word,
        lessons_about=lesson_page.lessons_about,
        lesson_title=titles.lesson_title,
        figure_word=lesson_page.figure_word,
        lesson_of=lesson_page.lesson_of,
        action_name=names.action,
        theme=theme.theme,
        themes=theme.THEMES,
    )


def _under_flask_run() -> bool:
    """Whether this is the process that serves under `flask run` (with the reloader, the child of
    it).
    """
    context = click.get_current_context(silent=True)
    if context is None or context.info_name != "run":
        return False
    from werkzeug.serving import is_running_from_reloader

    logging.getLogger("werkzeug").setLevel("WARNING")
    return is_running_from_reloader() or not context.params.get(
        "reload", context.find_root().params.get("debug")
    )
