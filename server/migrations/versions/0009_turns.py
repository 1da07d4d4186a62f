"""Turns"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0009"
down_revision = "0008"

OPEN, QUEUED = sa.text("state != 'done'"), sa.text("state = 'queued'")
# Of each learner the first that waits gets turn 0, the second turn 1 …
EARLIER = (
    "SELECT count(*) FROM submissions AS earlier WHERE earlier.user_id = submissions.user_id AND"
    " earlier.id < submissions.id"
)


def upgrade() -> None:
    op.add_column(
        "submissions", sa.Column("turn", sa.Integer(), nullable=False, server_default="0")
    )
    op.execute(
        f"UPDATE submissions SET turn = ({EARLIER} AND earlier.state != 'done') WHERE state !="
        " 'done'"
    )
    op.drop_index("ix_submissions_open", "submissions")
    op.create_index(
        "ix_submissions_queued",
        "submissions",
        ["turn", "id"],
        sqlite_where=QUEUED,
        postgresql_where=QUEUED,
    )
    op.drop_column("users", "served_at")


def downgrade() -> None:
    op.add_column(
        "users", sa.Column("served_at", server.models.base.Utc(timezone=True), nullable=True)
    )
    op.drop_index("ix_submissions_queued", "submissions")
    op.create_index(
        "ix_submissions_open",
        "submissions",
        ["state", "not_before"],
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )
    op.drop_column("submissions", "turn")
