"""Which statements a piece of work executes on the database, and PostgreSQL's plan of each."""

import contextlib
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import event, text

from server.models.database import Database

# by statement: its longest time in ms, and the parameters of that execution
Statements = dict[str, tuple[float, Any]]
HAS_A_PLAN = re.compile(r"(SELECT .* FROM|WITH|UPDATE|INSERT|DELETE) ")


@dataclass
class Watched:
    """The statements that were executed, with the longest time of each."""

    statements: Statements = field(default_factory=dict)
    started: float = 0.0

    def before(
        self,
        connection: Any,
        cursor: Any,
        statement: str,
        parameters: Any,
        context: Any,
        many: bool,
    ) -> None:
        """Handles the event `before_cursor_execute`."""
        self.started = time.perf_counter()

    def after(
        self,
        connection: Any,
        cursor: Any,
        statement: str,
        parameters: Any,
        context: Any,
        many: bool,
    ) -> None:
        """Handles the event `after_cursor_execute`."""
        ms = (time.perf_counter() - self.started) * 1000
        if ms >= self.statements.get(statement, (-1.0, None))[0]:
            self.statements[statement] = (ms, parameters)


@contextlib.contextmanager
def watched(database: Database) -> Iterator[Watched]:
    """Records every statement that the block executes."""
    record = Watched()
    event.listen(database.engine, "before_cursor_execute", record.before)
    event.listen(database.engine, "after_cursor_execute", record.after)
    try:
        yield record
    finally:
        event.remove(database.engine, "before_cursor_execute", record.before)
        event.remove(database.engine, "after_cursor_execute", record.after)


def plan(database: Database, statement: str, parameters: Any, *, scans: bool = True) -> str:
    """Executes a statement, rolls it back, and returns what PostgreSQL did.

    Without `scans`, PostgreSQL reads a whole table only where it has no other way.
    """
    with database.engine.connect() as connection:
        connection.execute(text(f"SET LOCAL enable_seqscan = {'on' if scans else 'off'}"))
        rows = connection.exec_driver_sql(
            f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY ON) {statement}", parameters
        )
        lines = [row[0] for row in rows]
        connection.rollback()
    return "\n".join(lines)


def print_plans(database: Database, statements: Mapping[str, Statements]) -> None:
    """Prints each query with its time and its plan, once, below the work that executed it."""
    printed: set[str] = set()
    for name, of_one in statements.items():
        print(f"\n## {name}")
        for statement, (ms, values) in of_one.items():
            short = " ".join(statement.split())
            if statement in printed or not HAS_A_PLAN.match(short):
                continue
            printed.add(statement)
            columns = re.sub(r"^SELECT .*? FROM ", "SELECT … FROM ", short)
            print(
                f"\n{ms:.1f} ms: {columns[:600]}\n{plan(database, statement, values)}", flush=True
            )
