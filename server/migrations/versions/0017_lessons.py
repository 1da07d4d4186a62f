"""What the programs of lessons computed"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "lesson_results",
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("computed", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.Column("computed_at", server.models.base.Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("slug", "digest", name=op.f("pk_lesson_results")),
    )


def downgrade() -> None:
    op.drop_table("lesson_results")
