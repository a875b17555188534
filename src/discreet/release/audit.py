"""`discreet ledger verify`: does the database still tell the history that was written?

Beyond the chains themselves (`history/chain.py`): every dataset is in the server's chain and every one named there
exists; a dataset's counts, variables and policy are those it was opened with; its frontiers are those that follow from
its entries; every margin that was answered is the one the entry fixed; bounds and witnesses carried on are true of the
table; and tokens are those that were given. Receipts and earlier heads (`history/anchors.py`) show a ledger that was
rewritten as a whole. A clock that was set back is noted: entries follow one another by number, not by time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from discreet.errors import InputError
from discreet.release.checks.dataset_chain import dataset_faults
from discreet.release.checks.server_chain import added, server_faults
from discreet.release.history import store
from discreet.release.history.anchors import Anchor, anchor_faults
from discreet.release.history.chain import SERVER, Entry, chain_faults, clock_steps
from discreet.release.history.database import Database, reason
from discreet.release.history.models import LedgerEntry


@dataclass(frozen=True)
class Audit:
    """`heads` has, per chain, the number of entries and the last hash: worth keeping. `notes` are no faults."""

    faults: tuple[str, ...]
    heads: dict[str, tuple[int, str]]
    notes: tuple[str, ...] = ()

    @property
    def intact(self) -> bool:
        return not self.faults

    @property
    def entries(self) -> int:
        return sum(length for length, _ in self.heads.values())


def audit(database: Database, receipts: Iterable[str] = (), anchors: Iterable[Anchor] = ()) -> Audit:
    """Check every chain; `receipts` are hashes that must be in one of them, `anchors` earlier heads.

    `InputError` where it cannot be told: a file whose pages are damaged, a database that does not answer.
    """
    damage = database.damage()
    if damage is not None:
        raise InputError(f"cannot tell whether the ledger is intact: the database is damaged ({damage})")
    try:
        with database.snapshot() as connection:
            return audit_within(connection, receipts, anchors)
    except DBAPIError as error:
        raise InputError(f"cannot tell whether the ledger is intact: {reason(error)}") from None


def audit_within(connection: Connection, receipts: Iterable[str] = (), anchors: Iterable[Anchor] = ()) -> Audit:
    """The same of what one transaction sees."""
    wanted = set(receipts)
    faults: list[str] = []
    notes: list[str] = []
    heads = {str(chain): tip for chain, tip in store.read_chains(connection).items() if isinstance(tip[0], int)}
    found: dict[str, list[Entry]] = {}
    for chain, (length, head) in heads.items():
        found[chain] = list(store.read_entries(connection, chain))
        faults += _guarded(chain, partial(chain_faults, chain, found[chain], length, head))
        wanted -= {entry.hash for entry in found[chain]}
    if SERVER not in heads:
        faults.append("the server's own chain is missing")
    stray = set(connection.execute(select(LedgerEntry.chain).distinct()).scalars()) - set(heads)
    faults += [f"chain {chain}: has entries but no length" for chain in sorted(stray)]
    if not faults:
        notes += [note for chain, entries in found.items() for note in clock_steps(chain, entries)]
        faults += _guarded("the server's chain", partial(server_faults, connection, found))
    if not faults:
        for name in added(found[SERVER]):
            entries = found[store.chain_of(name)]
            faults += _guarded(f"dataset {name}", partial(dataset_faults, connection, name, entries))
    faults += anchor_faults(anchors, found)
    faults += [f"the receipt {receipt[:64]} is not in the ledger" for receipt in sorted(wanted)]
    return Audit(tuple(faults), heads, tuple(notes))


def _guarded(what: str, look: Callable[[], list[str]]) -> list[str]:
    try:
        return look()
    except (DBAPIError, MemoryError):
        raise
    except Exception as error:  # whatever reading a forgery may raise
        return [f"{what}: what is stored cannot be followed ({type(error).__name__})"]
