"""`flask --app server worker` and `serve`: processes that run until they are interrupted."""

import contextlib
import gc
import logging
import signal
import threading
from dataclasses import replace

import click
from flask import current_app
from flask.cli import with_appcontext
from sqlalchemy.exc import OperationalError

from grader import storage
from server.cli.own_process import OwnProcess
from server.models import migrations
from server.ops import logs
from server.services import accounts
from server.services.problems.bank import Synced
from server.terminal import reported_errors
from server.web.context import NAME, Service, service

log = logging.getLogger("server")

CREATE = "create_app"  # among an application's extensions: makes another one, for a forked process


def prepare(running: Service) -> Synced:
    """Before serving or judging: logs, the schema, the bank."""
    logs.set_up(running.settings.log_level)
    migrations.upgrade(running.database)
    synced = running.bank.sync()
    fields = {
        "added": len(synced.added),
        "changed": len(synced.changed),
        "removed": len(synced.removed),
        "faults": synced.faults,
    }
    log.info("bank", extra={"fields": fields})
    storage.installation_secret()
    if storage.trouble():
        log.warning("secret", extra={"fields": {"trouble": str(storage.trouble())}})
    # what is loaded by now stays; looking through it again and again made a page in a few dozen
    # slow
    gc.freeze()
    return synced


@click.command("worker")
@with_appcontext
def worker() -> None:
    """Judge what is queued, without serving pages, until interrupted.

    With JUDGE_BROKER_URL: as a Celery worker.
    """
    settings = service().settings
    if settings.broker_url:
        from server.worker.dispatch import work

        create = current_app.extensions[CREATE]
        with reported_errors(), contextlib.suppress(OperationalError):  # it may still come up
            migrations.require(service().database)
        service().database.close()  # the processes that Celery forks open their own
        work(
            settings,
            lambda: create(settings).extensions[NAME].worker,
            lambda: logs.set_up(settings.log_level),
        )
        return
    with reported_errors():
        prepare(service())
        service().worker.start()
    _wait_for_the_end()
    service().worker.stop()


@click.command("serve")
@click.option("--host", "-h", default="127.0.0.1", show_default=True)
@click.option("--port", "-p", type=click.IntRange(0, 65535), default=8000, show_default=True)
@with_appcontext
def serve(host: str, port: int) -> None:
    """Migrate, load the bank, make the first invitation, judge, and serve with Waitress."""
    from server.web.serving import waitress_server

    running = service()
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    with reported_errors():
        prepare(running)
        with running.database.write() as session:
            code = accounts.first_invitation(session)
        beside = _worker_beside(running)
        try:
            server = waitress_server.create(app, host, port, running.settings.threads)
        except (OSError, ValueError) as error:  # Waitress' own for a host that nobody knows
            if beside is not None:
                beside.stop()
            why = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
            raise click.ClickException(
                f"cannot serve on {host}:{port}: {why}; choose others with --host and --port"
            ) from None
    if beside is not None:
        app.extensions[NAME] = replace(running, queue=beside, wake_chores=beside.wake_chores)
        beside.start()
    address = f"http://{host}:{port}"
    click.echo(f"{running.settings.title}: {address}  (Ctrl-C ends it)")
    if running.settings.https:
        click.echo(_behind_a_proxy(running.settings.proxies))
    if code:
        click.echo(f"Make the first account, an admin: {address}/sign-up?invitation={code}")
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        if beside is not None:
            beside.stop()


def _worker_beside(running: Service) -> OwnProcess | None:
    """Judges in a process beside this one, unless other processes do."""
    if not running.settings.workers or running.settings.broker_url:
        return None
    running.database.close()  # each of the two opens its own
    return OwnProcess(running.worker, running.hub)


def _behind_a_proxy(proxies: int) -> str:
    """What a browser that is sent here would not tell: why nobody can sign in."""
    words = "JUDGE_HTTPS is true: people sign in at the https address of the proxy, not here."
    if proxies:
        return words
    return f"{words} JUDGE_PROXIES is 0: all of them count as one address (docs/running.md)."


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _wait_for_the_end() -> None:
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    ended.wait()
