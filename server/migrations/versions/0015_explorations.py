"""Explorations: what a sample run looks into, and whether learners may try inputs of their own"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("submissions", sa.Column("exploration", sa.JSON(), nullable=True))
    op.add_column(
        "assignments",
        sa.Column("own_inputs", sa.Boolean(), nullable=False, server_default=sa.true()),
    )


def downgrade() -> None:
    op.drop_column("assignments", "own_inputs")
    op.drop_column("submissions", "exploration")
