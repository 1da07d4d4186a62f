"""What failures that nothing explains do in public cases, to group them"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

TABLES = ("submissions", "rejudgements")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("behaviour", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "behaviour")
