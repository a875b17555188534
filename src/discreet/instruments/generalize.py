"""Freeform generalization of a dataframe: every quasi-identifier widened until each person has k equal matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, UnsafeReleaseError
from discreet.results import Result, Section, Verdict
from discreet.work import Deadline, ProgressCallback, Reporter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.generalization.methods import Solution
    from discreet.instruments.quasi_identifiers import Reading

Integers = NDArray[np.int64]

# A loss that exceeds the bound by less than this share of itself is the optimum, up to rounding.
PROOF_TOLERANCE = 1e-9


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
    status: str
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
    detail: Mapping[str, float | int | str] = field(repr=False)
    original: Any = field(repr=False)
    categorical: tuple[str, ...] = field(repr=False)
    hierarchies: Mapping[str, Any] = field(repr=False)
    accept: tuple[str, ...] = field(default=(), repr=False)

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
        words = "secret, from the operating system's generator" if self.seed is None else f"from seed {self.seed}"
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
        return {**claim, "accept": self.accept} if self.accept else claim

    def verify(self) -> Verdict:
        """The check from the two tables and the secret: k disjoint matchings, least boxes, one of them drawn."""
        from discreet.verify import verify

        return verify(self.original, self.data, **self.claim())

    def sections(self) -> list[Section]:
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
            words += f"The draw came from seed {self.seed}: whoever knows or guesses the seed knows everyone's record."
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

    def plot(self) -> Figure:
        """The loss on each quasi-identifier, and how many of its values were widened."""
        from discreet.report.figures import bars, canvas

        figure, (left, right) = canvas(2)
        names = self.quasi_identifiers
        bars(left, names, [self.losses[name] for name in names], "Loss by column", "", "NCP", lying=True)
        shares = [100 * self.widened[name] / self.n for name in names]
        bars(right, names, shares, "Values widened", "", "%", lying=True)
        return figure

    def secret(self) -> str:
        """The matchings and the draw as CSV, for the custodian, numbered from 0: `discreet verify --secret` reads it.

        Per published row its origin, which match column was drawn (from 1), its original in each matching, and, where
        boxes were made to cover more than their matches, in the column `also`, those others.
        """
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


def generalize(
    frame: Any,
    k: int,
    *,
    quasi_identifiers: Sequence[str],
    method: str = "auto",
    hierarchies: Mapping[str, Any] | None = None,
    certify: bool = False,
    time_limit: float | None = None,
    random_state: int | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    categorical: Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    weights: Mapping[str, float] | None = None,
    ncp: str = "distinct",
    missing: str = "error",
    sensitive: str | None = None,
    l: int | None = None,
    shuffle: bool = True,
    check: bool = True,
    accept: Sequence[str] = (),
    **options: Any,
) -> Generalization:
    """Widen quasi-identifiers so that each person has `k` equally likely matches, losing as little as possible.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with its rows shuffled. Columns
        that are not quasi-identifiers are published as they are, attached through the secret draw: leave out names,
        addresses and other direct identifiers.
    k : how many matches each person has.
    quasi_identifiers : the columns an intruder may know.
    method : how to search; see `discreet.generalization.methods`.
    hierarchies : per column a CSV file of values and ever wider labels, its rows, a nested mapping, or a `Hierarchy`.
    certify : also compute a lower bound on the loss of any release; `time_limit`, if given, bounds search and bound.
    random_state : fixes search and draw to the last bit, and with it the secret. Without it the search is the same
        each time but the draw comes from the operating system's generator.
    categorical : numeric columns that are really categories.
    ordered : columns of categories that stand in an order, with their values from first to last.
    weights : how much a column's loss counts; 1 unless given.
    ncp : "distinct" or "share", see `discreet.generalization.domain`.
    missing : "error"; "value", a value of its own; or "wildcard", matched by anything.
    sensitive, l : each person's k matches carry at least `l` distinct values of the column `sensitive`.
    shuffle : False keeps the order of rows, which gives everyone away: for tests only.
    check : check the release by independent code, and raise UnsafeReleaseError if that does not confirm it.
    accept : columns that the check may find telling, accepted by name; see `discreet.verify`.
    options : parameters of the method, as `discreet.generalization.methods` documents them.
    """
    from discreet.frames import adopt, column_faults, replace_text_columns, respell, take_rows
    from discreet.generalization.extraction import draw
    from discreet.generalization.methods import UNTIMED
    from discreet.instruments.quasi_identifiers import read

    table = adopt(frame)
    deadline = Deadline(time_limit)
    report = Reporter(progress)
    faults = Faults()
    faults.check(
        time_limit is None or certify or method not in UNTIMED,
        f"method {method!r} cannot stop early: leave time_limit out",
    )
    for fault in column_faults(table, accept, what="accepted column") if len(accept) else ():
        faults.add(fault)
    reading = read(
        table,
        k,
        quasi_identifiers,
        faults,
        method=method,
        options=options,
        hierarchies=hierarchies or {},
        categorical=categorical,
        ordered=ordered or {},
        weights=weights or {},
        ncp=ncp,
        missing=missing,
        sensitive=sensitive,
        l=l,
        seed=random_state,
        executor=executor,
    )
    solution = _solve(reading, k, l, method, time_limit, random_state, executor, progress, options)
    report("draw", None)
    secret = draw(solution.matches, seed=random_state, shuffle=shuffle, matchings=solution.matchings)
    order = secret.order
    texts, widened = reading.spell(solution.covered)
    data = respell(take_rows(table, secret.origin[order]), reading.plain(secret.origin[order], texts))
    changed = {name: column[order].tolist() for name, column in texts.items()}
    lower, kind = None, None
    if certify:
        from discreet.generalization.bound.lower_bound import lower_bound

        lower, kind = lower_bound(
            reading.domain,
            k,
            solution.gcp,
            time_limit=None if time_limit is None else max(deadline.remaining, 0.0),
            prices=solution.prices,
            executor=executor,
            report=report,
        )
    proven = solution.status == "optimal" or (
        lower is not None and solution.gcp - lower <= PROOF_TOLERANCE * solution.gcp
    )
    if solution.status == "optimal" and certify:
        lower, kind = solution.gcp, "integer program"
    result = Generalization(
        data=replace_text_columns(data, changed) if changed else data,
        matches=solution.matches,
        matchings=np.ascontiguousarray(secret.matchings.T),
        cover=solution.cover,
        boxes=order,
        origin=secret.origin[order],
        k=int(k),
        n=reading.domain.n,
        quasi_identifiers=tuple(reading.names),
        method=solution.method,
        status="optimal" if proven else solution.status,
        gcp=solution.gcp,
        lower_bound=lower,
        gap=None if lower is None else (0.0 if proven else 100.0 * (solution.gcp - lower) / solution.gcp),
        seconds=deadline.elapsed,
        seed=random_state,
        ncp=ncp,
        missing=missing,
        shuffled=shuffle,
        sensitive=sensitive,
        l=l,
        bound=kind,
        losses=reading.losses(solution.covered),
        widened=widened,
        detail=solution.detail,
        original=frame,
        categorical=tuple(name for name in reading.names if name not in reading.numbers),
        hierarchies=reading.hierarchies,
        accept=tuple(accept),
    )
    if check:
        report("check", None)
        verdict = result.verify()
        if not verdict.safe:
            raise UnsafeReleaseError("the independent check does not confirm this release.\n" + verdict.summary())
    return result


def _solve(
    reading: Reading,
    k: int,
    l: int | None,
    method: str,
    time_limit: float | None,
    random_state: int | None,
    executor: Executor | None,
    progress: ProgressCallback | None,
    options: Mapping[str, Any],
) -> Solution:
    from discreet.generalization.methods import solve

    seed = 0 if random_state is None else int(random_state)
    if l is not None and l > 1:
        from discreet.generalization.diversity.diverse_matchings import solve_diverse

        return solve_diverse(
            reading.domain,
            k,
            reading.sensitive_codes(),
            l,
            time_limit=time_limit,
            random_state=seed,
            executor=executor,
            progress=progress,
            **options,
        )
    return solve(
        reading.domain,
        k,
        method=method,
        time_limit=time_limit,
        random_state=seed,
        executor=executor,
        progress=progress,
        **options,
    )
