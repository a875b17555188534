"""Datasets, their state, the ledger, tokens and sessions; the ledger refuses changes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STAMP = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "datasets",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("variables", sa.Text, nullable=False),
        sa.Column("policy", sa.Text, nullable=False),
        sa.Column("counts", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created", STAMP, nullable=False),
    )
    op.create_table(
        "states",
        sa.Column("dataset_id", sa.Integer, sa.ForeignKey("datasets.id"), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("frontier", sa.Text, nullable=False),
        sa.Column("carried", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "synthetics",
        sa.Column("dataset_id", sa.Integer, sa.ForeignKey("datasets.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("counts", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "chains",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
    )
    op.execute(f"INSERT INTO chains (name, length, head) VALUES ('server', 0, '{'0' * 64}')")
    op.create_table(
        "ledger",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("chain", sa.String(80), sa.ForeignKey("chains.name"), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.UniqueConstraint("chain", "sequence"),
    )
    op.create_index("ledger_hash", "ledger", ["hash"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("created", STAMP, nullable=False),
        sa.Column("revoked", STAMP, nullable=True),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("token_id", sa.Integer, sa.ForeignKey("tokens.id"), nullable=False),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("expires", STAMP, nullable=False),
    )
    _refuse_changes()


def _refuse_changes() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
        )
        op.execute(
            "CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
        )
    else:
        for event in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER ledger_no_{event.lower()} BEFORE {event} ON ledger "
                "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
            )


def downgrade() -> None:
    raise NotImplementedError("a ledger is not taken back: restore a copy of the database instead")
