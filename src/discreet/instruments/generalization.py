"""`Generalization`: a generalized dataframe as a result: figures, words, pictures, the secret and its own check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.methods import Detail, Status
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.work import Moment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Generalization(Result):
    """A generalized dataframe, shuffled, and what is known about it.

    `gcp` is the mean of NCP over all cells of the quasi-identifiers; `lower_bound`, where asked for, is a GCP below
    which no release of this kind can get; `gap` = 100·(GCP − lower bound)/GCP. `status` is "complete", "time limit"
    or "optimal".

    For the custodian only: `matches[i]` are the k originals that the box made from original i covers, and column t of
    `matchings` has the same originals in the order of k disjoint perfect matchings; row q of `data` shows the box of
    original `boxes[q]` and carries the other columns of original `origin[q]`, which is one of its matchings, the same
    throughout a connected component. `cover[i]`, where there is one, lists all that box i was made to cover.
    `trace` has the best loss and the bound over time, where the search told them.
    """

    data: Any = field(repr=False)
    matches: Integers = field(repr=False)
    matchings: Integers = field(repr=False)
    cover: Integers | None = field(repr=False)
    boxes: Integers = field(repr=False)
    origin: Integers = field(repr=False)
    k: int
    n: int
    quasi_identifiers: tuple[str, ...]
    method: str
    status: Status
    gcp: float
    lower_bound: float | None
    gap: float | None
    seconds: float
    seed: int | None
    ncp: str
    missing: str
    shuffled: bool
    sensitive: str | None
    l: int | None
    bound: str | None
    losses: Mapping[str, float] = field(repr=False)
    widened: Mapping[str, int] = field(repr=False)
    detail: Detail = field(repr=False)
    original: Any = field(repr=False)
    categorical: tuple[str, ...] = field(repr=False)
    hierarchies: Mapping[str, Any] = field(repr=False)
    accept: tuple[str, ...] = field(default=(), repr=False)
    caps: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    levels: Mapping[str, int] = field(default_factory=dict, repr=False)
    trace: tuple[Moment, ...] = field(default=(), repr=False, compare=False)

    @property
    def secret_draw(self) -> bool:
        """Whether nobody can repeat the draw, nor see it in the order of rows: then matches are equally likely."""
        return self.seed is None and self.shuffled

    def title(self) -> str:
        equally = "equally likely " if self.secret_draw else ""
        return f"Generalization of {self.n} records: each person has {self.k} {equally}matches"

    def facts(self) -> list[tuple[str, str]]:
        cells = self.n * len(self.quasi_identifiers)
        changed = sum(self.widened.values())
        facts = [
            ("loss (GCP)", f"{self.gcp:.6f}"),
            ("widened", f"{changed} of {cells} values ({100 * changed / cells:.1f} %)"),
            ("quasi-identifiers", f"{len(self.quasi_identifiers)} ({', '.join(self.quasi_identifiers)})"),
            ("method", f"{self.method}, {self.status}"),
            ("draw", self._draw()),
            ("time", f"{self.seconds:.2f} s"),
        ]
        if self.lower_bound is not None and self.gap is not None:
            proof = f"no release can lose less than {self.lower_bound:.6f} ({self.bound})"
            facts.insert(1, ("proof", proof + ("" if self.gap == 0 else f"; at most {self.gap:.3g} % is left")))
        if self.l is not None:
            facts.insert(1, ("diversity", f"each person's matches carry {self.l} or more values of {self.sensitive}"))
        return facts

    def _draw(self) -> str:
        words = "secret, from the operating system's generator" if self.seed is None else "from a fixed seed"
        if self.seed is not None:
            words += ": repeatable by whoever knows the seed, so not for publication"
        return words if self.shuffled else words + "; rows not shuffled: unsafe to publish"

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": "generalization",
            "version": __version__,
            "k": self.k,
            "n": self.n,
            "quasi_identifiers": list(self.quasi_identifiers),
            "categorical": list(self.categorical),
            "method": self.method,
            "status": self.status,
            "seconds": self.seconds,
            "seed": self.seed,
            "secret_draw": self.seed is None,
            "shuffled": self.shuffled,
            "ncp": self.ncp,
            "missing": self.missing,
            "caps": {name: dict(cap) for name, cap in self.caps.items()},
            "levels": dict(self.levels),
            "sensitive": self.sensitive,
            "l": self.l,
            "gcp": self.gcp,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "bound": self.bound,
            "losses": dict(self.losses),
            "widened": dict(self.widened),
            "detail": dict(self.detail),
        }

    def claim(self) -> dict[str, Any]:
        """What the release claims, as arguments of `discreet.verify`, with the secret as its evidence."""
        claim: dict[str, Any] = {
            "k": self.k,
            "quasi_identifiers": self.quasi_identifiers,
            "guarantee": "matchings",
            "categorical": self.categorical,
            "hierarchies": {name: tree.rows() for name, tree in self.hierarchies.items()},
            "sensitive": self.sensitive if self.l is not None else None,
            "l": self.l,
            "missing": "wildcard" if self.missing == "wildcard" else "value",
            "secret": self.secret(),
        }
        given = {"accept": self.accept, "caps": self.caps}
        return {**claim, **{name: value for name, value in given.items() if value}}

    def public_sections(self) -> list[Section]:
        from discreet.instruments.statements.boxed import lost

        return [lost(self), *super().public_sections()]

    def publication(self) -> Publication:
        return Publication(self.data, anew=self.quasi_identifiers, order=self.origin)

    def verify(self) -> Verdict:
        """The check from the two tables and the secret: k disjoint matchings, least boxes, one of them drawn."""
        from discreet.verify import verify

        return verify(self.original, self.data, **self.claim())

    def statement(self) -> Statement:
        from discreet.instruments.statements.boxed import statement

        return statement(self)

    def sections(self) -> list[Section]:
        from discreet.instruments.drawn.generalization import sections as pictures
        from discreet.report.figures import available

        return [*self.words(), *(pictures(self) if available() else [])]

    def words(self) -> list[Section]:
        """What a report says without pictures."""
        rows = [
            (name, f"{self.losses[name]:.5f}", f"{100 * self.widened[name] / self.n:.1f}")
            for name in self.quasi_identifiers
        ]
        return [
            Section(
                "What is lost, column by column",
                "NCP is the mean width of the published values: 0 is unchanged, 1 covers the whole column.",
                ("column", "NCP", "widened, %"),
                rows,
                confidential=True,
            ),
            Section("What an intruder can do", self._odds()),
        ]

    def _odds(self) -> str:
        """What whoever knows all but the draw can tell, and when it is more."""
        words = (
            f"Someone who knows the quasi-identifiers of everyone, and the method, finds {self.k} disjoint ways to "
            "assign all people to all published records, one of which was drawn. "
        )
        if self.seed is not None:
            words += "The draw came from a fixed seed: whoever knows or guesses the seed knows everyone's record."
        elif not self.shuffled:
            words += "The rows were not shuffled: their order may tell the draw, and with it everyone's record."
        else:
            words += (
                "Each is as likely as the other, so a guess at anyone's record is right with probability "
                f"{100 / self.k:.2f} %, unless the columns that go out as they are tell more."
            )
        if self.l is not None and self.l > 1:
            words += f" Boxes were chosen with a view to {self.sensitive}, so they may tell something about it."
        return words

    def plot(self, kind: str | None = None, *, column: str | None = None) -> Figure:
        """A picture: "loss" by column, values "widened", a column's "distribution", "convergence" of the search."""
        from discreet.instruments.drawn.generalization import pictures
        from discreet.report.figures import choose

        return choose(pictures(self), kind, column)

    def secret(self) -> str:
        """The matchings and the draw as CSV, for the custodian, numbered from 0: `discreet verify --secret` reads it.

        Per published row its origin, which match column was drawn (from 1), its original in each matching, and, where
        boxes were made to cover more than their matches, in the column `also`, those others.
        """
        return self._secret

    @cached_property
    def _secret(self) -> str:
        # Asked for by the check and by whoever keeps it: made once.
        import io

        import pyarrow as pa
        from pyarrow import csv

        matches = self.matchings[self.boxes]
        drawn = (matches == self.origin[:, None]).argmax(axis=1) + 1
        columns = {"published_row": np.arange(self.n), "origin": self.origin, "drawn": drawn}
        columns |= {f"match_{t + 1}": matches[:, t] for t in range(self.k)}
        table = pa.table(columns)
        if self.cover is not None:
            covered = zip(self.cover[self.boxes].tolist(), matches.tolist())
            also = [" ".join(str(one) for one in sorted(set(wide) - set(narrow))) for wide, narrow in covered]
            table = table.append_column("also", pa.array(also))
        body = io.BytesIO()
        csv.write_csv(table, body, csv.WriteOptions(include_header=False, quoting_style="none"))
        return ",".join(table.column_names) + "\n" + body.getvalue().decode()
