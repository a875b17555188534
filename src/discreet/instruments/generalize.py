"""Freeform generalization of a dataframe: every quasi-identifier widened until each person has k equal matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from discreet.errors import Faults, UnsafeReleaseError, whole
from discreet.frames.datasets import Dataset
from discreet.generalization.methods import DIVERSE, REGISTRY, Call, Problem, check_order, search
from discreet.instruments.drawn.search import traced
from discreet.instruments.generalization import Generalization
from discreet.instruments.quasi_identifiers import Reading, Treatment, known_columns, read
from discreet.methods import Wanted
from discreet.work import SEED_FAULT, Deadline, Moment, ProgressCallback, Reporter, is_seed, with_bar

if TYPE_CHECKING:
    from discreet.generalization.methods import Solution

Method = Literal[
    "auto",
    "reassign",
    "greedy",
    "sort-greedy",
    "hungarian",
    "ring",
    "mondrian",
    "k-concealment",
    "min-cost-flow",
    "mip",
]
Ncp = Literal["distinct", "share"]
Missing = Literal["error", "value", "wildcard"]

# A loss that exceeds the bound by less than this share of itself is the optimum, up to rounding.
PROOF_TOLERANCE = 1e-9


@with_bar
def generalize(
    frame: Any,
    k: int,
    *,
    quasi_identifiers: Sequence[str],
    method: Method = "auto",
    hierarchies: Mapping[str, Any] | None = None,
    certify: bool = False,
    time_limit: float | None = None,
    random_state: int | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    categorical: Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    importance: Mapping[str, float] | None = None,
    ncp: Ncp = "distinct",
    missing: Missing = "error",
    numeric: Sequence[str] = (),
    caps: Mapping[str, Any] | None = None,
    levels: Mapping[str, int] | None = None,
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
    frame : a pandas, Polars or pyarrow table, or a `discreet.dataset` larger than memory. The result's `data` is of
        the same kind, with its rows shuffled. Columns that are not quasi-identifiers are published as they are,
        attached through the secret draw: leave out names, addresses and other direct identifiers.
    k : how many matches each person has.
    quasi_identifiers : the columns an intruder may know.
    method : how to search; see `discreet.generalization.methods`.
    hierarchies : per column a CSV file of values and ever wider labels, its rows, a nested mapping, or a `Hierarchy`.
    certify : also compute a lower bound on the loss of any release; `time_limit`, if given, bounds search and bound.
    random_state : fixes search and draw to the last bit, and with it the secret. Without it the search is the same
        each time but the draw comes from the operating system's generator.
    categorical : numeric columns that are really categories.
    ordered : columns of categories that stand in an order, with their values from first to last.
    importance : per column how much its loss counts; 1 unless given. This has nothing to do with sampling weights.
    ncp : "distinct" or "share", see `discreet.generalization.domain`.
    missing : "error"; "value", a value of its own; or "wildcard", matched by anything.
    numeric : columns of text whose digits are numbers; other text is categories, whatever it looks like.
    caps : per column the greatest value that is published, or (least, greatest): `{"age": 85}` makes 85 of all above.
    levels : per column with a hierarchy the level that nothing is published below; 0 are the values themselves.
    sensitive, l : each person's k matches carry at least `l` distinct known values of the column `sensitive`.
    shuffle : False keeps the order of rows, which gives everyone away: for tests only.
    check : check the release by independent code, and raise UnsafeReleaseError if that does not confirm it.
    accept : columns that the check may find telling, accepted by name; see `discreet.verify`.
    options : parameters of the method, as `discreet.generalization.methods` documents them.
    """
    asked = _Asked(
        weights=options.pop("weights", None),
        quasi_identifiers=quasi_identifiers,
        wanted=Wanted(method, None, time_limit, executor, options),
        certify=certify,
        random_state=random_state,
        hierarchies=hierarchies,
        categorical=categorical,
        ordered=ordered,
        importance=importance,
        ncp=ncp,
        missing=missing,
        numeric=numeric,
        caps=caps,
        levels=levels,
        sensitive=sensitive,
        l=l,
        shuffle=shuffle,
        check=check,
        accept=accept,
    )
    return (asked.of_dataset if isinstance(frame, Dataset) else asked.of_table)(frame, k, progress)


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What the user asked for, as it was given: nothing of it is checked yet. `weights` is an old name."""

    weights: Any
    quasi_identifiers: Sequence[str]
    wanted: Wanted
    certify: bool
    random_state: int | None
    hierarchies: Mapping[str, Any] | None
    categorical: Sequence[str]
    ordered: Mapping[str, Sequence[str]] | None
    importance: Mapping[str, float] | None
    ncp: Ncp
    missing: Missing
    numeric: Sequence[str]
    caps: Mapping[str, Any] | None
    levels: Mapping[str, int] | None
    sensitive: str | None
    l: int | None
    shuffle: bool
    check: bool
    accept: Sequence[str]

    def treatment(self, faults: Faults) -> Treatment:
        """How columns are read."""
        if self.weights is not None:
            faults.add(
                "weights is now called importance, as in importance={'age': 2}: how much a column's loss counts. A "
                "column of sampling weights has a role of its own in protect, weight='...'"
            )
        return Treatment(
            hierarchies=_mapping(self.hierarchies, "hierarchies", "hierarchies", faults),
            categorical=self.categorical,
            ordered=_mapping(self.ordered, "ordered", "lists of values, from first to last", faults),
            importance=_mapping(self.importance, "importance", "numbers, such as {'age': 2}", faults),
            ncp=self.ncp,
            missing=self.missing,
            sensitive=self.sensitive,
            numeric=self.numeric,
            caps=self.caps or {},
            levels=self.levels or {},
        )

    def of_table(self, frame: Any, k: Any, progress: ProgressCallback | None) -> Generalization:
        """The release of a table in memory, which an independent check has confirmed unless none is wanted."""
        task = self.task(frame, k, progress)
        result = task.result()
        if self.check:
            task.report("check", None)
            verdict = result.verify()
            if not verdict.safe:
                raise UnsafeReleaseError("the independent check does not confirm this release.\n" + verdict.summary())
        return result

    def task(self, frame: Any, k: Any, progress: ProgressCallback | None) -> _Task:
        """What is to be done, once everything is read; one error for all that is wrong."""
        from discreet.frames import adopt, column_faults

        faults, wanted, l = Faults(), self.wanted, self.l
        treatment = self.treatment(faults)
        table = adopt(frame)
        REGISTRY.check(faults, wanted, certify=self.certify)
        for fault in column_faults(table, self.accept, what="accepted column") if len(self.accept) else ():
            faults.add(fault)
        known = known_columns(table, self.quasi_identifiers, faults)
        check_order(faults, known, wanted.options)
        _check_numbers(faults, len(table), k, l, self.random_state)
        _check_sensitive(faults, wanted.method, known, self.sensitive, l)
        return _Task(
            frame=frame,
            table=table,
            reading=read(table, known, treatment, faults),
            treatment=treatment,
            wanted=wanted,
            k=int(k),
            l=None if l is None else int(l),
            certify=self.certify,
            seed=None if self.random_state is None else int(self.random_state),
            shuffle=self.shuffle,
            accept=tuple(self.accept),
            deadline=Deadline(wanted.time_limit),
            report=Reporter(progress),
        )

    def of_dataset(self, data: Dataset, k: Any, progress: ProgressCallback | None) -> Generalization:
        """The release of data beyond memory, by blocks; what needs all records at once is refused."""
        from discreet.instruments.large.boxes.door import check_asked, generalize_dataset

        faults, wanted = Faults(), self.wanted
        asked = check_asked(
            data,
            k,
            quasi_identifiers=self.quasi_identifiers,
            treatment=self.treatment(faults),
            method=wanted.method,
            options=wanted.options,
            random_state=self.random_state,
            accept=self.accept,
            refused={
                "certify": self.certify,
                "shuffle=False": not self.shuffle,
                "check=False": not self.check,
                "sensitive and l": self.sensitive is not None or self.l is not None,
                "time_limit": wanted.time_limit is not None,
                "executor": wanted.executor is not None,
            },
            faults=faults,
        )
        return generalize_dataset(data, asked, accept=self.accept, progress=progress)


def _mapping(given: Any, what: str, values: str, faults: Faults) -> Mapping[str, Any]:
    """What is given per column; nothing, and a fault, where it is no mapping."""
    sound = faults.check(isinstance(given, Mapping | None), f"{what} must be a mapping from columns to {values}")
    return dict(given or {}) if sound else {}


def _check_numbers(faults: Faults, n: int, k: Any, l: Any, seed: Any) -> None:
    faults.check(n > 0, "the data has no records")
    matches, values = whole(k) or 0, whole(l) or 0
    if faults.check(matches >= 2, "k must be a whole number, 2 or more") and n:
        faults.check(matches <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k")
    if l is not None and faults.check(values >= 1, "l must be a whole number, 1 or more") and matches >= 2:
        faults.check(values <= matches, f"l = {l} is larger than k = {k}: k matches cannot carry more than k values")
    faults.check(is_seed(seed), SEED_FAULT)


def _check_sensitive(faults: Faults, method: str, known: Sequence[str], sensitive: str | None, l: Any) -> None:
    faults.check((sensitive is None) == (l is None), "sensitive and l go together: give both or neither")
    if l is not None:
        faults.check(method in DIVERSE, f"method {method!r} cannot keep to l: use auto")
        faults.check(sensitive not in known, "the sensitive column cannot be a quasi-identifier")


@dataclass(frozen=True, kw_only=True)
class _Task:
    """What was read and asked for, once it is checked."""

    frame: Any
    table: Any
    reading: Reading
    treatment: Treatment
    wanted: Wanted
    k: int
    l: int | None
    certify: bool
    seed: int | None
    shuffle: bool
    accept: tuple[str, ...]
    deadline: Deadline
    report: Reporter

    def result(self) -> Generalization:
        """The release: matches, the draw among them, the texts that are published, and what is known about it."""
        from discreet.frames import replace_text_columns, respell, take_rows
        from discreet.generalization.extraction import draw

        reading, treatment = self.reading, self.treatment
        solution = self.matches()
        self.report("draw", None)
        secret = draw(solution.matches, seed=self.seed, shuffle=self.shuffle, matchings=solution.matchings)
        order = secret.order
        texts, widened = reading.spell(solution.covered)
        data = respell(take_rows(self.table, secret.origin[order]), reading.plain(secret.origin[order], texts))
        changed = {name: column[order].tolist() for name, column in texts.items()}
        lower, kind = self.bound(solution) if self.certify else (None, None)
        proven = solution.status == "optimal" or (
            lower is not None and solution.gcp - lower <= PROOF_TOLERANCE * solution.gcp
        )
        end = Moment(self.deadline.elapsed, solution.gcp, np.nan if lower is None else lower)
        return Generalization(
            data=replace_text_columns(data, changed) if changed else data,
            matches=solution.matches,
            matchings=np.ascontiguousarray(secret.matchings.T),
            cover=solution.cover,
            boxes=order,
            origin=secret.origin[order],
            k=self.k,
            n=reading.domain.n,
            quasi_identifiers=tuple(reading.names),
            method=solution.method,
            status="optimal" if proven else solution.status,
            gcp=solution.gcp,
            lower_bound=lower,
            gap=None if lower is None else (0.0 if proven else 100.0 * (solution.gcp - lower) / solution.gcp),
            seconds=self.deadline.elapsed,
            seed=self.seed,
            ncp=treatment.ncp,
            missing=treatment.missing,
            shuffled=self.shuffle,
            sensitive=treatment.sensitive,
            l=self.l,
            bound=kind,
            losses=reading.losses(solution.covered),
            widened=widened,
            detail=solution.detail,
            original=self.frame,
            categorical=tuple(name for name in reading.names if name not in reading.numbers),
            hierarchies=reading.hierarchies,
            accept=self.accept,
            caps=reading.caps,
            levels=dict(treatment.levels),
            trace=traced(self.report.trace, end),
        )

    def matches(self) -> Solution:
        values = None if self.l is None else self.reading.sensitive_codes()
        if values is not None and self.l == 1 and (values >= 0).all():
            values = None  # whoever has matches has one value
        problem = Problem(self.reading.domain, self.k, values, self.l or 1, self.start(values))
        call = Call(
            problem=problem,
            deadline=self.deadline,
            report=self.report,
            seed=self.seed or 0,
            executor=self.wanted.executor,
            options=self.wanted.options,
        )
        return search(self.wanted.method, call)

    def start(self, values: Any) -> Any:
        """Where values become themselves or *: the classes of local suppression, for methods that can begin there."""
        if values is not None or self.wanted.method not in DIVERSE:
            return None
        from discreet.instruments.local_suppression.start import class_matches

        return class_matches(self.reading.domain, self.k, self.deadline, self.report, self.seed or 0)

    def bound(self, solution: Solution) -> tuple[float, str]:
        """A lower bound on the loss of any release, and which one it is. What the method has proved stays proved."""
        from discreet.generalization.bound.lower_bound import lower_bound

        if solution.status == "optimal":
            return solution.gcp, "integer program"
        return lower_bound(
            self.reading.domain,
            self.k,
            solution.gcp,
            time_limit=None if self.deadline.limit is None else self.deadline.remaining,
            prices=solution.prices,
            executor=self.wanted.executor,
            report=self.report,
        )
