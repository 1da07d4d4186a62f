"""Lessons, questions and steps of practice in assignments"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.create_table(
        "assignment_items",
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("step", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("points", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignments.id"],
            name=op.f("fk_assignment_items_assignment_id_assignments"),
        ),
        sa.PrimaryKeyConstraint(
            "assignment_id", "kind", "slug", "step", name=op.f("pk_assignment_items")
        ),
    )
    op.create_table(
        "completions",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("step", sa.String(length=16), nullable=False),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_completions_user_id_users")
        ),
        sa.PrimaryKeyConstraint("user_id", "kind", "slug", "step", name=op.f("pk_completions")),
    )
    with op.batch_alter_table("overrides") as table:
        table.alter_column("slug", type_=sa.String(length=120), existing_type=sa.String(length=80))


def downgrade() -> None:
    op.execute("DELETE FROM overrides WHERE slug LIKE '%:%'")
    with op.batch_alter_table("overrides") as table:
        table.alter_column("slug", type_=sa.String(length=80), existing_type=sa.String(length=120))
    op.drop_table("completions")
    op.drop_table("assignment_items")
