"""Scores from the index"""

from alembic import op

revision = "0008"
down_revision = "0007"

SCORED = ["trial", "state", "outcome", "score", "max_score", "submitted_at"]


def upgrade() -> None:
    op.drop_index("ix_submissions_history", "submissions")
    op.create_index(
        "ix_submissions_history",
        "submissions",
        ["user_id", "problem", "id"],
        postgresql_include=SCORED,
    )


def downgrade() -> None:
    op.drop_index("ix_submissions_history", "submissions")
    op.create_index("ix_submissions_history", "submissions", ["user_id", "problem", "id"])
