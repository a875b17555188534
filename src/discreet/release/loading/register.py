"""A table under a policy becomes a dataset: checked, stored, and entered into the ledger.

What the policy declares as published is judged by the policy's own rule (`published.py`). Where it breaks the rule, it
counts only with a custodian's confirmation, which is entered with its figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from discreet.errors import Faults, InputError
from discreet.release.engine import Table
from discreet.release.history import store
from discreet.release.history.chain import SERVER
from discreet.release.history.database import Database
from discreet.release.history.store import Origin, StoredState
from discreet.release.life.stages import DRAFT, OPEN
from discreet.release.loading.checks import check_table, published_masks
from discreet.release.loading.codebook import Codebook
from discreet.release.loading.published import Figures, explain_unsafe, judge
from discreet.release.policy import Policy
from discreet.release.units.entering import prepare, remember


@dataclass(frozen=True)
class NewDataset:
    """A dataset before it is stored. `figures` are those of `judge`; `confirmed` says that a custodian saw them.

    `unit` names the dataset whose history it joins, `distinct` says that it is about other people than any before,
    `population` the people it is about, `predecessor` the edition before. A `draft` is not open yet.
    """

    name: str
    table: Table
    policy: Policy
    figures: Figures | None = None
    confirmed: bool = False
    codebook: str | Codebook | None = None
    unit: str | None = None
    distinct: bool = False
    population: str | None = None
    predecessor: str | None = None
    draft: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """What `add_dataset` takes by name."""
        return {
            "confirmed": self.confirmed,
            "codebook": self.codebook,
            "unit": self.unit,
            "distinct": self.distinct,
            "population": self.population,
            "predecessor": self.predecessor,
            "draft": self.draft,
        }

    @property
    def unsafe(self) -> bool:
        return self.figures is not None and not self.figures.safe


def add_dataset(
    database: Database,
    who: str,
    name: str,
    table: Table,
    policy: Policy,
    *,
    confirmed: bool = False,
    codebook: str | Codebook | None = None,
    unit: str | None = None,
    distinct: bool = False,
    population: str | None = None,
    predecessor: str | None = None,
    draft: bool = False,
) -> list[str]:
    """Load a table under a policy; what a custodian should know of it, in sentences.

    `unit` names a dataset of which this is another view, `distinct` says that it is not one although it looks like it.
    """
    figures = judge(table, policy, check_dataset(name, table, policy))
    new = NewDataset(name, table, policy, figures, confirmed, codebook, unit, distinct, population, predecessor, draft)
    try:
        with database.writing() as connection:
            return enter_dataset(connection, who, new)
    except IntegrityError:
        raise taken_name(name) from None


def enter_dataset(connection: Connection, who: str, new: NewDataset) -> list[str]:
    """Store a dataset and open it, within a transaction; an `IntegrityError` says that the name is taken."""
    table = new.table
    labels: dict[str, tuple[str, ...]] = {}
    if new.codebook is not None:
        book = Codebook.from_text(new.codebook) if isinstance(new.codebook, str) else new.codebook
        table, labels = book.apply(table)
    masks = check_dataset(new.name, table, new.policy)
    if new.unsafe and not new.confirmed:
        assert new.figures is not None
        raise InputError(explain_unsafe(new.figures, new.policy))
    origin = Origin(labels, new.unit, {}, new.population, new.predecessor)
    entering = prepare(connection, new.name, table, new.policy, masks, origin, distinct=new.distinct)
    state = StoredState(0, 0, entering.frontier, {}, stage=DRAFT if new.draft else OPEN)
    number = store.add_dataset(connection, new.name, table, new.policy, state, entering.origin)
    remember(connection, number, table, entering)
    opening: dict[str, Any] = {
        "what": "opened",
        "who": who,
        "policy": new.policy.to_dict(),
        "variables": list(table.names),
        "table": store.table_digest(table),
        **entering.content(),
    }
    if new.draft:
        opening["stage"] = DRAFT
    if new.figures is not None:
        opening["published"] = new.figures.to_dict()
    if new.unsafe:
        opening["confirmed"] = True
        confirmation = {"what": "published margins confirmed", "who": who, "name": new.name}
        store.append(connection, SERVER, {**confirmation, "figures": opening["published"]})
    entry = store.append(connection, store.chain_of(new.name), opening)
    store.append(connection, SERVER, {"what": "dataset added", "who": who, "name": new.name, "entry": entry.hash})
    return list(entering.notes)


def taken_name(name: str) -> InputError:
    return InputError(f"there is already a dataset named {name!r}: choose another name")


def check_dataset(name: str, table: Table, policy: Policy) -> list[int]:
    """Whether a table can be served; the masks of the margins that are public already."""
    faults = Faults()
    faults.check(store.is_name(name), "a dataset's " + store.NAME_RULE)
    check_table(faults, table)
    masks: list[int] = []
    try:
        masks = published_masks(table, policy)
    except InputError as error:
        faults.extend(error)
    faults.raise_if_any()
    return masks
