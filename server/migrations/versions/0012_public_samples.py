"""Samples are drawn with a public seed: those that were kept are computed anew"""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.execute("UPDATE problem_versions SET samples = NULL, case_counts = NULL")


def downgrade() -> None:
    op.execute("UPDATE problem_versions SET samples = NULL, case_counts = NULL")
