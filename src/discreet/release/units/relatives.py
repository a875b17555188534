"""Which datasets are about the same people: those of one population, and the editions of one table."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from discreet.release.history.models import Dataset


@dataclass(frozen=True)
class Relative:
    """Another dataset about the same people; `edition` says that it is the same table of another time."""

    id: int
    name: str
    edition: bool


def find_relatives(
    connection: Connection, name: str, population: str | None, predecessor: str | None
) -> list[Relative]:
    """All datasets that a decision on this one must look at, by number; the dataset itself need not exist yet."""
    rows = connection.execute(
        select(Dataset.id, Dataset.name, Dataset.population, Dataset.predecessor).order_by(Dataset.id)
    ).all()
    names = {row.id: row.name for row in rows}
    links = [(row.name, names[row.predecessor]) for row in rows if row.predecessor is not None]
    if predecessor is not None:
        links.append((name, predecessor))
    family = {name}
    while True:
        more = {n for link in links if family & set(link) for n in link} - family
        if not more:
            break
        family |= more
    found = []
    for row in rows:
        together = population is not None and row.population == population
        if row.name != name and (together or row.name in family):
            found.append(Relative(row.id, row.name, edition=not together))
    return found
