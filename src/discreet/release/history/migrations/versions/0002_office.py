"""What an office needs: drafts, codebooks, stages, editions, digests of margins, proposals, expiry and grants."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

STAMP = sa.DateTime(timezone=True)


def upgrade() -> None:
    _datasets()
    _states()
    _tokens()


def _datasets() -> None:
    op.add_column("datasets", sa.Column("codebook", sa.Text, nullable=True))
    op.add_column("datasets", sa.Column("population", sa.String(64), nullable=True))
    for name in ("unit", "predecessor"):  # SQLite adds a column with its reference in one statement only
        op.execute(f"ALTER TABLE datasets ADD COLUMN {name} INTEGER REFERENCES datasets (id)")
    op.create_table(
        "digests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("dataset_id", sa.Integer, sa.ForeignKey("datasets.id"), nullable=False),
        sa.Column("margin", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
    )
    op.create_index("digests_digest", "digests", ["digest"])
    op.create_table(
        "drafts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("created", STAMP, nullable=False),
        sa.Column("suffix", sa.String(16), nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("choices", sa.Text, nullable=False),
    )
    op.create_table(
        "proposals",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("created", STAMP, nullable=False),
        sa.Column("decided_by", sa.String(64), nullable=True),
        sa.Column("decided", STAMP, nullable=True),
        sa.Column("outcome", sa.String(16), nullable=True),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def _states() -> None:
    op.add_column("states", sa.Column("stage", sa.String(16), nullable=False, server_default="open"))
    op.add_column("states", sa.Column("policy", sa.Text, nullable=True))
    op.add_column("states", sa.Column("unresolved", sa.Text, nullable=False, server_default="{}"))


def _tokens() -> None:
    op.add_column("tokens", sa.Column("expires", STAMP, nullable=True))
    op.add_column("tokens", sa.Column("issuer", sa.String(255), nullable=True))
    op.add_column("tokens", sa.Column("subject", sa.String(255), nullable=True))
    op.add_column("tokens", sa.Column("creator", sa.String(64), nullable=True))
    op.create_table(
        "grants",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token_id", sa.Integer, sa.ForeignKey("tokens.id"), nullable=False),
        sa.Column("dataset", sa.String(64), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.UniqueConstraint("token_id", "dataset"),
    )
    op.create_table(
        "spent",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("expires", STAMP, nullable=False),
    )


def downgrade() -> None:
    raise NotImplementedError("a ledger is not taken back: restore a copy of the database instead")
