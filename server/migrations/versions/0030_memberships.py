"""Where a learning platform gives the list of a course's people"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    # empty: it offers none, or nobody has come since this column is there
    op.add_column(
        "lti_contexts", sa.Column("memberships_url", sa.Text, nullable=False, server_default="")
    )


def downgrade() -> None:
    with op.batch_alter_table("lti_contexts") as table:
        table.drop_column("memberships_url")
