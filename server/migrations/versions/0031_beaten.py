"""What inputs showed of the known mistakes is kept with the answer"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    with op.batch_alter_table("practice_answers") as table:
        table.add_column(sa.Column("kills", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("practice_answers") as table:
        table.drop_column("kills")
