"""The tables of the database. The first migration creates exactly these."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Dataset(Base):
    """What was loaded; never changed afterwards. `digest` fixes the counts in the ledger."""

    __tablename__ = "datasets"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    variables: Mapped[str] = mapped_column(Text)
    policy: Mapped[str] = mapped_column(Text)
    counts: Mapped[bytes] = mapped_column(LargeBinary)
    digest: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class DatasetState(Base):
    """What has been decided so far.

    `revision` changes with every frontier, `version` with every release; a decision counts only if the revision is
    still the one it was made for. `carried` holds bounds and witness tables.
    """

    __tablename__ = "states"

    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), primary_key=True)
    revision: Mapped[int]
    version: Mapped[int]
    frontier: Mapped[str] = mapped_column(Text)
    carried: Mapped[bytes] = mapped_column(LargeBinary)


class Synthetic(Base):
    """The synthetic table of a release state: one, kept for good."""

    __tablename__ = "synthetics"

    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    counts: Mapped[bytes] = mapped_column(LargeBinary)


class Chain(Base):
    """Length and last hash of a chain of ledger entries; its row is the lock for appending."""

    __tablename__ = "chains"

    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    length: Mapped[int]
    head: Mapped[str] = mapped_column(String(64))


class LedgerEntry(Base):
    """Append-only: triggers refuse to change or delete a row."""

    __tablename__ = "ledger"
    __table_args__ = (UniqueConstraint("chain", "sequence"), Index("ledger_hash", "hash"))

    id: Mapped[int] = mapped_column(primary_key=True)
    chain: Mapped[str] = mapped_column(String(80), ForeignKey("chains.name"))
    sequence: Mapped[int]
    previous: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
    hash: Mapped[str] = mapped_column(String(64))


class Token(Base):
    """An API token: only its digest is kept, which is enough to recognize it."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    revoked: Mapped[datetime | None] = mapped_column(DateTime(timezone=True), nullable=True)


class Session(Base):
    """A browser session, begun with a token and ending with it. `csrf` must come with every change."""

    __tablename__ = "sessions"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    token_id: Mapped[int] = mapped_column(ForeignKey("tokens.id"))
    csrf: Mapped[str] = mapped_column(String(64))
    expires: Mapped[datetime] = mapped_column(DateTime(timezone=True))
