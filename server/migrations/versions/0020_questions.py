"""What learners answered to the questions of lessons"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "question_answers",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=80), nullable=False),
        sa.Column("question", sa.String(length=40), nullable=False),
        sa.Column("answer", sa.String(length=200), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("at", server.models.base.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_question_answers_user_id_users")
        ),
        sa.PrimaryKeyConstraint("user_id", "lesson", "question", name=op.f("pk_question_answers")),
    )


def downgrade() -> None:
    op.drop_table("question_answers")
