"""How gunicorn serves the site: processes with threads; a request that waits for a verdict holds
none of them.

Any option can be changed with GUNICORN_CMD_ARGS.
"""

import gc

from grader.errors import UsageError
from server.ops import logs
from server.settings import Settings

wsgi_app = "server:create_app()"
bind = "0.0.0.0:8000"
# gthread, and a request that waits holds no thread
worker_class = "server.web.serving.gunicorn_worker.Worker"
workers = 2
threads = 32
keepalive = 30
graceful_timeout = 35  # longer than the longest wait for a verdict
worker_tmp_dir = "/dev/shm"
control_socket_disable = True


def on_starting(server: object) -> None:
    """A wrong setting is said in a line for each, where every process would end with a trace."""
    try:
        Settings.from_environment().secret()
    except UsageError as error:
        raise SystemExit(f"Error: {error}") from None


def post_worker_init(worker: object) -> None:
    """The same lines of JSON as from every other process, and no long pauses."""
    logs.set_up(Settings.from_environment().log_level)
    # what is loaded by now stays; looking through it again and again made a page in a few dozen
    # slow
    gc.freeze()
