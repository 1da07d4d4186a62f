"""Writes the whole database to one file, and restores it.

The file is the same for SQLite and PostgreSQL, so it also moves a site from one to the other. It is
a zip with meta.json (format, schema revision, counts) and one `tables/NAME.jsonl` for each table,
one row a line. The tables are read from the database, not from the models: a backup of an older
revision is restored as it was, and then migrated.
"""

import base64
import json
import os
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

from sqlalchemy import (
    JSON,
    Connection,
    DateTime,
    LargeBinary,
    MetaData,
    Table,
    func,
    insert,
    select,
    text,
)

from grader.errors import UsageError
from server.models import migrations
from server.models.database import Database

FORMAT = 1
CHUNK = 500
VERSION_TABLE = "alembic_version"


def backup(database: Database, path: Path) -> dict[str, int]:
    """Writes the file whole or not at all, readable by its owner only: it holds password hashes.

    Returns the rows of each table. Raises `UsageError` when it cannot be written, or when there is
    nothing to write.
    """
    if path.exists():
        raise UsageError(f"{path} exists already and stays as it is; name another file")
    if migrations.current(database) is None:
        raise UsageError(
            "the database is empty, so there is nothing to keep; see JUDGE_DATABASE_URL"
        )
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            counts = _write(database, file)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)
    return counts


def _write(database: Database, file: IO[bytes]) -> dict[str, int]:
    counts: dict[str, int] = {}
    revision = migrations.current(database)
    engine = database.engine
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with (
        engine.connect() as connection,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for table in _tables(connection):
            with archive.open(f"tables/{table.name}.jsonl", "w", force_zip64=True) as out:
                counts[table.name] = 0
                rows = connection.execution_options(yield_per=CHUNK).execute(select(table))
                for row in rows.mappings():
                    values = [_plain(row[column.name]) for column in table.columns]
                    out.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
                    counts[table.name] += 1
        columns = {table.name: [c.name for c in table.columns] for table in _tables(connection)}
        about = {
            "format": FORMAT,
            "revision": revision,
            "made_at": datetime.now(UTC).isoformat(),
            "columns": columns,
            "rows": counts,
        }
        archive.writestr("meta.json", json.dumps(about, indent=1))
    return counts


def restore(database: Database, path: Path) -> dict[str, int]:
    """Fills an empty database, then migrates it, and returns the rows of each table.

    Raises `UsageError`, and changes nothing, when the database is not empty.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            about = json.loads(archive.read("meta.json"))
            _check(database, path, about)
            if migrations.current(database):
                migrations.downgrade(database, "base")
            migrations.upgrade(database, about["revision"])
            with database.engine.execution_options(write=True).begin() as connection:
                counts = {
                    table.name: _fill(connection, table, archive, about)
                    for table in _tables(connection)
                }
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, LookupError, TypeError, AttributeError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read as a backup: {error}") from None
    migrations.upgrade(database)
    return counts


def _check(database: Database, path: Path, about: dict[str, Any]) -> None:
    if about["format"] != FORMAT or about["revision"] not in migrations.revisions():
        raise UsageError(
            f"{path}: made by a newer version of this program (revision {about['revision']});"
            " update first"
        )
    with database.engine.connect() as connection:
        for table in _tables(connection):
            if connection.scalar(select(func.count()).select_from(table)):
                raise UsageError(
                    f"the database is not empty ({table.name}); restore goes into an empty one:"
                    " name another in JUDGE_DATABASE_URL, or empty this one, for good, with"
                    " `flask --app server db downgrade base`"
                )


def _tables(connection: Connection) -> list[Table]:
    """Returns the tables of this database, each after those that it refers to."""
    metadata = MetaData()
    metadata.reflect(connection)
    tables = [table for table in metadata.sorted_tables if table.name != VERSION_TABLE]
    for table in tables:
        for column in table.columns:
            if isinstance(column.type, JSON):
                column.type = JSON(none_as_null=True)
    return tables


def _fill(
    connection: Connection, table: Table, archive: zipfile.ZipFile, about: dict[str, Any]
) -> int:
    names, count = about["columns"].get(table.name, []), 0
    if not names:
        return 0
    with archive.open(f"tables/{table.name}.jsonl") as lines:
        for chunk in _chunks(lines):
            rows = [
                {n: _value(table, n, v) for n, v in zip(names, json.loads(line), strict=True)}
                for line in chunk
            ]
            connection.execute(insert(table), rows)
            count += len(rows)
    if count != about["rows"][table.name]:
        raise ValueError(f"{table.name} has {count} rows of {about['rows'][table.name]}")
    if connection.dialect.name == "postgresql" and "id" in table.columns:
        connection.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), (SELECT max(id) FROM"
                f" {table.name}))"
            )
        )
    return count


def _chunks(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    lines = iter(lines)
    while chunk := list(islice(lines, CHUNK)):
        yield chunk


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        moment = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        return moment.isoformat()
    return base64.b64encode(value).decode() if isinstance(value, bytes | memoryview) else value


def _value(table: Table, name: str, value: Any) -> Any:
    kind = table.columns[name].type
    if value is None or isinstance(kind, JSON):
        return value
    if isinstance(kind, DateTime):
        return datetime.fromisoformat(value)
    return base64.b64decode(value) if isinstance(kind, LargeBinary) else value
