"""Courses that a problem is limited to"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "audiences",
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("course_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_audiences_course_id_courses")
        ),
        sa.PrimaryKeyConstraint("slug", "course_id", name=op.f("pk_audiences")),
    )
    op.create_index(op.f("ix_audiences_course_id"), "audiences", ["course_id"])
    none = sa.Column("courses", sa.JSON(none_as_null=True), server_default="[]", nullable=False)
    op.add_column("schedules", none)
    zone = sa.Column("zone", sa.String(length=64), server_default="UTC", nullable=False)
    op.add_column("schedules", zone)


def downgrade() -> None:
    op.drop_column("schedules", "zone")
    op.drop_column("schedules", "courses")
    op.drop_index(op.f("ix_audiences_course_id"), table_name="audiences")
    op.drop_table("audiences")
