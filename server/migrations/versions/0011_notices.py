"""Notices"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("reset_id", sa.Integer(), nullable=True),
        sa.Column("dismissed_at", server.models.base.Utc(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["reset_id"], ["password_resets.id"], name=op.f("fk_notices_reset_id_password_resets")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_notices_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
    )
    op.create_index("ix_notices_user", "notices", ["user_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_notices_user", table_name="notices")
    op.drop_table("notices")
