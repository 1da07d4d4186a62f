"""Comments on submissions"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "comments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("asks", sa.Boolean(), nullable=False),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["users.id"], name=op.f("fk_comments_by_users")),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_comments_submission_id_submissions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comments")),
    )
    op.create_index(op.f("ix_comments_submission_id"), "comments", ["submission_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_comments_submission_id"), table_name="comments")
    op.drop_table("comments")
