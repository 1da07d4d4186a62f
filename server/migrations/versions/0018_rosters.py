"""Rosters of courses"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "roster",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("course_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("section", sa.String(length=60), nullable=False),
        sa.Column("code", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_roster_course_id_courses")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_roster_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_roster")),
        sa.UniqueConstraint("code", name=op.f("uq_roster_code")),
        sa.UniqueConstraint("course_id", "email", name=op.f("uq_roster_course_id_email")),
    )


def downgrade() -> None:
    op.drop_table("roster")
