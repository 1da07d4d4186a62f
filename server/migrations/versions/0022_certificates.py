"""Certificates of the capstone"""

import sqlalchemy as sa
from alembic import op

import server.models.base

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "certificates",
        sa.Column("token", sa.String(length=43), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("issued_at", server.models.base.Utc(timezone=True), nullable=False),
        sa.Column("parts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("compared", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_certificates_user_id_users")
        ),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_certificates")),
        sa.UniqueConstraint("user_id", name=op.f("uq_certificates_user_id")),
    )


def downgrade() -> None:
    op.drop_table("certificates")
