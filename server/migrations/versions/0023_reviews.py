"""When a question or a practice item is to be asked again"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("item", sa.String(length=64), nullable=False),
        sa.Column("due", server.models.base.Utc(timezone=True), nullable=False),
        sa.Column("card", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_reviews_user_id_users")),
        sa.PrimaryKeyConstraint("user_id", "kind", "subject", "item", name=op.f("pk_reviews")),
    )
    op.create_index("ix_reviews_due", "reviews", ["user_id", "due"])


def downgrade() -> None:
    op.drop_index("ix_reviews_due", table_name="reviews")
    op.drop_table("reviews")
