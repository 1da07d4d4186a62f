"""When drafts are to be published"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.create_table(
        "schedules",
        sa.Column("draft_id", sa.Integer(), nullable=False),
        sa.Column("tree", sa.String(length=64), nullable=False),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("note", sa.String(length=400), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["users.id"], name=op.f("fk_schedules_by_users")),
        sa.ForeignKeyConstraint(
            ["draft_id"],
            ["drafts.id"],
            name=op.f("fk_schedules_draft_id_drafts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("draft_id", name=op.f("pk_schedules")),
    )


def downgrade() -> None:
    op.drop_table("schedules")
