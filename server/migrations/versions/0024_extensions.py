"""Extensions of an assignment for one learner"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "extensions",
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("due_at", server.models.base.Utc(timezone=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignments.id"],
            name=op.f("fk_extensions_assignment_id_assignments"),
        ),
        sa.ForeignKeyConstraint(["by"], ["users.id"], name=op.f("fk_extensions_by_users")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_extensions_user_id_users")
        ),
        sa.PrimaryKeyConstraint("assignment_id", "user_id", name=op.f("pk_extensions")),
    )
    op.create_index(op.f("ix_extensions_user_id"), "extensions", ["user_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_extensions_user_id"), table_name="extensions")
    op.drop_table("extensions")
