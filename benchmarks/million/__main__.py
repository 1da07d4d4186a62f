"""Measures the pages of a site that has been in use for years, on a real PostgreSQL, and prints the
plans of their queries: `python -m benchmarks.million [--rows N] [--plans]`.
"""

import argparse
import contextlib
import gc
import random
import tempfile
import time

from benchmarks.million.requests import Act, pages, worker_steps
from benchmarks.million.rows import fill
from benchmarks.queries import Statements, print_plans, watched
from server import create_app
from server.models import migrations
from server.settings import Settings
from server.web.context import NAME, Service
from tests.scaled.services import Postgres
from tests.scaled.stack import REPOSITORY

MOST_MS = 100.0


def measure(service: Service, acts: dict[str, Act], times: int, plans: bool) -> list[str]:
    """Prints a row of the table for each act, and returns those over the limit."""
    print(
        "| what | p50 ms | p95 ms | queries | slowest query ms |\n|---|--:|--:|--:|--:|", flush=True
    )
    late, statements = [], dict[str, Statements]()
    for name, act in acts.items():
        times_ms = timed(name, act, times)
        with watched(service.database) as seen:
            act(random.Random(f"{name} 0"))
        statements[name] = seen.statements
        worst = max((ms for ms, _ in seen.statements.values()), default=0.0)
        p50, p95 = times_ms[times // 2], times_ms[int(times * 0.95)]
        print(
            f"| {name} | {p50:.1f} | {p95:.1f} | {len(seen.statements)} | {worst:.1f} |", flush=True
        )
        if p95 > MOST_MS:
            late.append(f"{name}: p95 {p95:.0f} ms")
    if plans:
        print_plans(service.database, statements)
    return late


def timed(name: str, act: Act, times: int) -> list[float]:
    """Returns the milliseconds of each repetition in ascending order, after five to warm up."""
    for i in range(5):
        act(random.Random(f"warm {name} {i}"))
    times_ms = []
    for i in range(times):
        started = time.perf_counter()
        act(random.Random(f"{name} {i}"))
        times_ms.append((time.perf_counter() - started) * 1000)
    return sorted(times_ms)


def main() -> None:
    """Fills a database and measures it; exits with status 1 when a page is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=60)
    parser.add_argument("--plans", action="store_true", help="print the plan of each query")
    parser.add_argument("--keep", default="", help="URL of a filled database to measure as it is")
    parser.add_argument("--only", default="", help="measure what has this in its name")
    options = parser.parse_args()
    with contextlib.ExitStack() as closing:
        url = options.keep
        if not url:
            cluster = closing.enter_context(contextlib.closing(Postgres()))
            url = cluster.create("million")
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="judge-million-"))
        settings = Settings(
            instance=folder,
            database_url=url,
            secret_key="of a test",
            metrics_token="of-a-test",
            bank=str(REPOSITORY),
        )
        app = create_app(settings)
        service: Service = app.extensions[NAME]
        closing.callback(service.database.close)
        migrations.upgrade(service.database)
        service.bank.sync()
        if not options.keep:
            began = time.monotonic()
            fill(service.database, options.rows)
            print(
                f"{options.rows:,} submissions made in {time.monotonic() - began:.0f} s\n",
                flush=True,
            )
        gc.freeze()  # as every serving process does
        acts = {
            name: act
            for name, act in (pages(app, service) | worker_steps(service)).items()
            if options.only in name
        }
        late = measure(service, acts, options.times, options.plans)
    for line in late:
        print(line)
    raise SystemExit(bool(late))


if __name__ == "__main__":
    main()
