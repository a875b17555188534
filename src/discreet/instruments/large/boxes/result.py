"""The result of a large generalization: figures of the whole, and data that is a dataset again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from discreet.errors import InputError
from discreet.instruments.generalization import Generalization
from discreet.instruments.large.result import as_checked
from discreet.results import Publication, Section, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOT_KEPT = (
    "the matchings of a dataset stay with the workers that drew them: ask for them with keep_secret (--keep-secret)"
)


@dataclass(frozen=True)
class LargeGeneralization(Generalization):
    """A generalized dataset, shuffled, and what is known about it; `data` and `original` are datasets.

    Neither matches nor the draw are kept: `matches`, `matchings`, `boxes` and `origin` are empty.
    """

    def claim(self) -> dict[str, Any]:
        """What the release claims, as arguments of `discreet.verify`; there is no evidence but the files."""
        return {
            "k": self.k,
            "quasi_identifiers": self.quasi_identifiers,
            "guarantee": "matchings",
            "categorical": self.categorical,
            "hierarchies": {name: tree.rows() for name, tree in self.hierarchies.items()},
            "missing": "wildcard" if self.missing == "wildcard" else "value",
            **{name: value for name, value in (("accept", self.accept), ("caps", self.caps)) if value},
        }

    def verify(self) -> Verdict:
        """The check from the two datasets alone, within the memory of the original."""
        from discreet.scale.memory import memory_limit
        from discreet.verify import verify

        limit = memory_limit(self.original.memory)
        return verify(
            as_checked(self.original, published=False),
            as_checked(self.data, published=True),
            memory=limit,
            **self.claim(),
        )

    def publication(self) -> Publication:
        return Publication(self.data, anew=self.quasi_identifiers)

    def secret(self) -> str:
        raise InputError(NOT_KEPT)

    def sections(self) -> list[Section]:
        return self.words()

    def plot(self, kind: str | None = None, *, column: str | None = None) -> Figure:
        """A picture: "loss" by column, or values "widened"."""
        from discreet.instruments.drawn.generalization import by_column
        from discreet.report.figures import choose

        return choose(by_column(self), kind, column)
