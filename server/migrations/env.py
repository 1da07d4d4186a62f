"""Alembic's environment: one connection, handed in by `server.models.migrations`; the models are
the target.
"""

from alembic import context

import server.models.accounts
import server.models.capstone
import server.models.courses
import server.models.lessons
import server.models.lti
import server.models.notices
import server.models.practice
import server.models.reviews
import server.models.submissions
import server.models.teaching  # noqa: F401 - their tables belong to the target
from server.models.base import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    compare_type=True,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
