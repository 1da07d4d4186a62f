"""How many cases"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("problem_versions", sa.Column("case_counts", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("problem_versions", "case_counts")
