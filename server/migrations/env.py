"""Alembic's environment: one connection, handed in by `server.schema`; the models are the target."""

from alembic import context

import server.notices
import server.teach.course_tables
import server.teach.lti_tables
import server.teach.tables  # noqa: F401 - their tables belong to the target
from server.db import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection, target_metadata=Base.metadata, compare_type=True, render_as_batch=connection.dialect.name == "sqlite"
)
with context.begin_transaction():
    context.run_migrations()
