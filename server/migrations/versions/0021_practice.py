"""Practice items of problems, and what learners answered to them"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "practice_sets",
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("framework", sa.String(length=16), nullable=False),
        sa.Column("items", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("slug", "digest", "framework", name=op.f("pk_practice_sets")),
    )
    op.create_table(
        "practice_answers",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String(length=80), nullable=False),
        sa.Column("framework", sa.String(length=16), nullable=False),
        sa.Column("item", sa.String(length=40), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("solved_at", server.models.base.Utc(timezone=True), nullable=True),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_practice_answers_user_id_users")
        ),
        sa.PrimaryKeyConstraint(
            "user_id", "problem", "framework", "item", name=op.f("pk_practice_answers")
        ),
    )


def downgrade() -> None:
    op.drop_table("practice_answers")
    op.drop_table("practice_sets")
