"""The tables of the database. The migrations create exactly these."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Dataset(Base):
    """What was loaded; never changed afterwards. `digest` fixes the counts in the ledger.

    `codebook` holds declared categories, labels and order (JSON), or nothing where categories come from the data.
    Datasets of one `unit` share a history: they are views of one table. `population` names the people they are about,
    `predecessor` the edition before.
    """

    __tablename__ = "datasets"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    variables: Mapped[str] = mapped_column(Text)
    policy: Mapped[str] = mapped_column(Text)
    counts: Mapped[bytes] = mapped_column(LargeBinary)
    digest: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    codebook: Mapped[str | None] = mapped_column(Text, nullable=True)
    unit: Mapped[int | None] = mapped_column(ForeignKey("datasets.id"), nullable=True)
    population: Mapped[str | None] = mapped_column(String(64), nullable=True)
    predecessor: Mapped[int | None] = mapped_column(ForeignKey("datasets.id"), nullable=True)


class MarginDigest(Base):
    """A keyed digest of the counts of each small margin, by which the same table under another name is known again."""

    __tablename__ = "digests"
    __table_args__ = (Index("digests_digest", "digest"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    margin: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))


class Draft(Base):
    """A file that a custodian has sent and not yet confirmed; for custodians' eyes, removed when it is settled."""

    __tablename__ = "drafts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    who: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    suffix: Mapped[str] = mapped_column(String(16))
    data: Mapped[bytes] = mapped_column(LargeBinary)
    choices: Mapped[str] = mapped_column(Text)


class Proposal(Base):
    """A change that a second custodian must confirm. `content` is JSON; `outcome` is empty while it waits."""

    __tablename__ = "proposals"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(32))
    subject: Mapped[str] = mapped_column(String(64))
    content: Mapped[str] = mapped_column(Text)
    who: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    decided_by: Mapped[str | None] = mapped_column(String(64), nullable=True)
    decided: Mapped[datetime | None] = mapped_column(DateTime(timezone=True), nullable=True)
    outcome: Mapped[str | None] = mapped_column(String(16), nullable=True)


class Setting(Base):
    """What the server remembers about itself: keys of digests, the last anchor, the wish for four eyes."""

    __tablename__ = "settings"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class DatasetState(Base):
    """What has been decided so far.

    `revision` changes with every frontier, `version` with every release; a decision counts only if the revision is
    still the one it was made for. `carried` holds bounds and witness tables. `stage` is draft, open, closed or retired;
    `policy` the present rule where it is no longer the opening one; `unresolved` the margins that were not settled,
    each with its tries (JSON).
    """

    __tablename__ = "states"

    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), primary_key=True)
    revision: Mapped[int]
    version: Mapped[int]
    frontier: Mapped[str] = mapped_column(Text)
    carried: Mapped[bytes] = mapped_column(LargeBinary)
    stage: Mapped[str] = mapped_column(String(16), server_default="open")
    policy: Mapped[str | None] = mapped_column(Text, nullable=True)
    unresolved: Mapped[str] = mapped_column(Text, server_default="{}")


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
    """An API token: only its digest is kept, which is enough to recognize it.

    A person who signs in elsewhere (OpenID Connect) has a row too, with `issuer` and `subject` and no usable token.
    `creator` is whoever made the token, and so has seen it.
    """

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    revoked: Mapped[datetime | None] = mapped_column(DateTime(timezone=True), nullable=True)
    expires: Mapped[datetime | None] = mapped_column(DateTime(timezone=True), nullable=True)
    issuer: Mapped[str | None] = mapped_column(String(255), nullable=True)
    subject: Mapped[str | None] = mapped_column(String(255), nullable=True)
    creator: Mapped[str | None] = mapped_column(String(64), nullable=True)


class Grant(Base):
    """A role for one dataset. Whoever has any grant sees the granted datasets alone."""

    __tablename__ = "grants"
    __table_args__ = (UniqueConstraint("token_id", "dataset"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    token_id: Mapped[int] = mapped_column(ForeignKey("tokens.id"))
    dataset: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(16))


class Session(Base):
    """A browser session, begun with a token and ending with it. `csrf` must come with every change."""

    __tablename__ = "sessions"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    token_id: Mapped[int] = mapped_column(ForeignKey("tokens.id"))
    csrf: Mapped[str] = mapped_column(String(64))
    expires: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class SpentSignIn(Base):
    """A sign-in by OpenID Connect that has been carried out: its state does not serve a second time."""

    __tablename__ = "spent"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    expires: Mapped[datetime] = mapped_column(DateTime(timezone=True))
