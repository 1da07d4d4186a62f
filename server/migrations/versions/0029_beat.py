"""Practice sets are made again: they have one more step"""

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    # without items a set is wanted, and the worker makes it
    op.execute("UPDATE practice_sets SET items = NULL WHERE items IS NOT NULL")


def downgrade() -> None:
    """A version without the step can show neither its items nor what was answered to them."""
    op.execute("DELETE FROM practice_answers WHERE item LIKE 'beat-%'")
    op.execute("UPDATE practice_sets SET items = NULL WHERE items IS NOT NULL")
