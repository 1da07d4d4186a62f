"""Which steps of a hint learners have asked for"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "hint_steps",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String(length=80), nullable=False),
        sa.Column("mistake", sa.String(length=200), nullable=False),
        sa.Column("step", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_hint_steps_user_id_users")
        ),
        sa.PrimaryKeyConstraint(
            "user_id", "problem", "mistake", "step", name=op.f("pk_hint_steps")
        ),
    )


def downgrade() -> None:
    op.drop_table("hint_steps")
