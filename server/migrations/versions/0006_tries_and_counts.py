"""Tries and counts"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0006"
down_revision = "0005"

COUNTED = "state = 'done' AND NOT trial AND outcome != 'judge_error'"
GOOD = "CASE WHEN outcome = 'accepted'"


def upgrade() -> None:
    op.create_table(
        "tries",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String(length=80), nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False),
        sa.Column("accepted", sa.Integer(), nullable=False),
        sa.Column("solved_at", server.models.base.Utc(timezone=True), nullable=True),
        sa.Column("cpu_ms", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tries_user_id_users")),
        sa.PrimaryKeyConstraint("user_id", "problem", name=op.f("pk_tries")),
    )
    op.create_table(
        "ranks",
        sa.Column("user_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("last_at", server.models.base.Utc(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_ranks_user_id_users")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_ranks")),
    )
    op.create_table(
        "problem_counts",
        sa.Column("problem", sa.String(length=80), nullable=False),
        sa.Column("part", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False),
        sa.Column("accepted", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("problem", "part", name=op.f("pk_problem_counts")),
    )
    op.execute(
        "INSERT INTO tries (user_id, problem, judged, accepted, solved_at, cpu_ms) SELECT user_id,"
        f" problem, count(*), sum({GOOD} THEN 1 ELSE 0 END), min({GOOD} THEN submitted_at END),"
        f" min({GOOD} THEN cpu_ms END) FROM submissions WHERE {COUNTED} GROUP BY user_id, problem"
    )
    op.execute(
        "INSERT INTO problem_counts (problem, part, judged, accepted) SELECT problem, user_id % 16,"
        " sum(judged), sum(accepted) FROM tries GROUP BY problem, user_id % 16"
    )
    op.execute(
        "INSERT INTO ranks (user_id, solved, last_at) SELECT user_id, count(*), max(solved_at) FROM"
        " tries WHERE solved_at IS NOT NULL GROUP BY user_id"
    )
    op.create_index("ix_ranks_solved", "ranks", ["solved"])
    op.create_index(
        "ix_tries_fastest",
        "tries",
        ["problem", "cpu_ms"],
        sqlite_where=sa.text("cpu_ms IS NOT NULL"),
        postgresql_where=sa.text("cpu_ms IS NOT NULL"),
    )
    op.drop_index("ix_submissions_problem", "submissions")
    op.create_index("ix_submissions_problem", "submissions", ["problem", "id"])
    op.create_index("ix_submissions_latest", "submissions", ["user_id", "id"])
    op.create_index(
        "ix_submissions_trials",
        "submissions",
        ["judged_at"],
        sqlite_where=sa.text("trial"),
        postgresql_where=sa.text("trial"),
    )
    errors = sa.text("outcome = 'judge_error'")
    op.create_index(
        "ix_submissions_errors", "submissions", ["id"], sqlite_where=errors, postgresql_where=errors
    )


def downgrade() -> None:
    op.drop_index("ix_submissions_errors", "submissions")
    op.drop_index("ix_submissions_trials", "submissions")
    op.drop_index("ix_submissions_latest", "submissions")
    op.drop_index("ix_submissions_problem", "submissions")
    op.create_index("ix_submissions_problem", "submissions", ["problem", "outcome"])
    op.drop_table("problem_counts")
    op.drop_table("ranks")
    op.drop_table("tries")
