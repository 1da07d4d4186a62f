"""One lease for every job: verification, rejudging and grade passback get rounds and delays"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0013"
down_revision = "0012"

TABLES = ("verify_runs", "rejudgements", "lti_grades")
DELAYED = ("verify_runs", "rejudgements")  # the others have the column already
ORDER = {
    "verify_runs": ("ix_verify_runs_open", ["state"]),
    "rejudgements": ("ix_rejudgements_open", ["state"]),
    "lti_grades": ("ix_lti_grades_state", ["state", "not_before"]),
}


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("turn", sa.Integer(), nullable=False, server_default="0"))
    for table in DELAYED:
        op.add_column(
            table, sa.Column("not_before", server.models.base.Utc(timezone=True), nullable=True)
        )
    for table, (index, _) in ORDER.items():
        op.drop_index(index, table)
        op.create_index(index, table, ["state", "turn", "id"])


def downgrade() -> None:
    for table, (index, columns) in ORDER.items():
        op.drop_index(index, table)
        op.create_index(index, table, columns)
    for table in DELAYED:
        op.drop_column(table, "not_before")
    for table in TABLES:
        op.drop_column(table, "turn")
