"""Time limits of assignments"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "starts",
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("started_at", server.models.base.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignments.id"],
            name=op.f("fk_starts_assignment_id_assignments"),
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_starts_user_id_users")),
        sa.PrimaryKeyConstraint("assignment_id", "user_id", name=op.f("pk_starts")),
    )
    op.create_index(op.f("ix_starts_user_id"), "starts", ["user_id"])
    op.add_column("assignments", sa.Column("minutes", sa.Integer(), nullable=True))
    more = sa.Column("more_minutes", sa.Integer(), server_default="0", nullable=False)
    op.add_column("extensions", more)


def downgrade() -> None:
    op.drop_column("extensions", "more_minutes")
    op.drop_column("assignments", "minutes")
    op.drop_index(op.f("ix_starts_user_id"), table_name="starts")
    op.drop_table("starts")
