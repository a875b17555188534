"""`suppress_locally`: a dataframe in, the same with as few blank keys as possible out, each person one of k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, UnsafeReleaseError, whole
from discreet.instruments.local_suppression.importance import Importance, read_importance
from discreet.instruments.local_suppression.local_suppression import LocalSuppression
from discreet.work import SEED_FAULT, Deadline, ProgressCallback, Reporter, is_seed, with_bar

if TYPE_CHECKING:
    from discreet.frames.exact import Entries
    from discreet.suppression.suppress import Suppression

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
Semantics = Literal["class", "cover"]
SEMANTICS = get_args(Semantics)


@with_bar
def suppress_locally(
    frame: Any,
    k: int,
    *,
    keys: Sequence[str],
    importance: Mapping[str, float] | None = None,
    semantics: Semantics = "class",
    combinations: int | None = None,
    accept: Sequence[str] = (),
    certify: bool = True,
    shuffle: bool | None = None,
    time_limit: float | None = None,
    random_state: int | None = None,
    progress: ProgressCallback | None = None,
    check: bool = True,
) -> LocalSuppression:
    """Leave as few keys as possible blank so that every published combination of keys is shared by `k`.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with the same rows,
        and in the same order unless that tells blanks; see `shuffle`.
    k : how many share every combination.
    keys : the columns an intruder may know. A key that is missing is published blank, and costs nothing.
    importance : per key what a blank in it costs, 1 unless given: the greater, the fewer blanks it gets.
    semantics : "class": k published rows show every combination, a blank being a value. "cover": every combination fits
        k records of the data, a blank fitting anything; cheaper, and weaker: who is looked for may fit fewer than k
        rows.
    combinations : ask this of every so many keys, and of fewer, rather than of all of them at once.
    accept : columns that the check may find telling, accepted by name; see `discreet.verify`.
    certify : also prove how few blanks any such release needs: `lower_bound`, `gap` and the `certificate`.
    shuffle : publish rows in a random order. In a file that is sorted the rows around a blank tell it: unless told
        otherwise, rows are shuffled where the values next to blanks tell more of them than chance would. With False
        they stay, and such a file is refused.
    time_limit : seconds; then the best so far is taken. Without it the work is fixed by the data.
    random_state : fixes search and shuffle. Without it the search is the same each time, and the shuffle comes from the
        operating system's generator.
    check : check the release by independent code, and raise UnsafeReleaseError if that does not confirm it.
    """
    from discreet.frames import adopt, column_faults

    table, faults = adopt(frame), Faults()
    for fault in column_faults(table, keys, what="key"):
        faults.add(fault)
    for fault in column_faults(table, accept, what="accepted column") if len(accept) else ():
        faults.add(fault)
    names = [] if isinstance(keys, str) else [name for name in dict.fromkeys(keys) if name in table.columns]
    weights = read_importance(importance, names, faults)
    size = _check_numbers(faults, len(table), k, combinations, random_state)
    faults.check(semantics in SEMANTICS, f"unknown semantics: choose one of {', '.join(SEMANTICS)}")
    columns = _columns(table, names, faults)
    deadline = _deadline(time_limit, faults)
    faults.raise_if_any()
    assert weights is not None
    task = _Task(
        frame=frame,
        table=table,
        columns=columns,
        importance=weights,
        k=int(k),
        semantics=semantics,
        combinations=size if size is not None and size < len(names) else None,
        accept=tuple(accept),
        certify=certify,
        shuffle=shuffle,
        seed=None if random_state is None else int(random_state),
        deadline=deadline,
        report=Reporter(progress),
    )
    result = task.result()
    if check:
        task.report("check", None)
        verdict = result.verify()
        if not verdict.safe:
            raise UnsafeReleaseError("the independent check does not confirm this release.\n" + verdict.summary())
    return result


def _check_numbers(faults: Faults, n: int, k: Any, combinations: Any, seed: Any) -> int | None:
    faults.check(n > 0, "the data has no records")
    sharers = whole(k) or 0
    if faults.check(sharers >= 2, "k must be a whole number, 2 or more") and n:
        faults.check(sharers <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k")
    size = None if combinations is None else whole(combinations)
    faults.check(
        combinations is None or (size is not None and size >= 1), "combinations must be a whole number, 1 or more"
    )
    faults.check(is_seed(seed), SEED_FAULT)
    return size


def _deadline(time_limit: float | None, faults: Faults) -> Deadline:
    try:
        return Deadline(time_limit)
    except InputError as error:
        faults.extend(error)
        return Deadline(None)


def _columns(table: Any, names: Sequence[str], faults: Faults) -> dict[str, Entries]:
    """The keys by exact value; what is wrong with them is noted."""
    from discreet.frames.exact import entries

    found = {}
    for name in names:
        try:
            found[name] = entries(table, name)
        except InputError as error:
            faults.extend(error)
    return found


@dataclass(frozen=True, kw_only=True)
class _Task:
    """What was read and asked for, once it is checked."""

    frame: Any
    table: Any
    columns: dict[str, Entries] = field(repr=False)
    importance: Importance
    k: int
    semantics: Semantics
    combinations: int | None
    accept: tuple[str, ...]
    certify: bool
    shuffle: bool | None
    seed: int | None
    deadline: Deadline
    report: Reporter

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.columns)

    def result(self) -> LocalSuppression:
        from discreet.frames import respell, take_rows
        from discreet.frames.blank import leave_blank

        codes = np.stack([column.codes for column in self.columns.values()], axis=1)
        found = self.found(codes)
        blank = found.blank & (codes >= 0)
        cost = int(blank.sum(axis=0) @ self.importance.cost)
        certificate = self.certificate(codes, found) if self.certify else None
        order = self.order(len(codes)) if self.shuffles(codes, blank) else None
        data = leave_blank(respell(self.table, self.columns), dict(zip(self.keys, blank.T)))
        least = None if certificate is None else int(certificate["lower_bound"])
        proven = least is not None and least >= cost
        return LocalSuppression(
            data=data if order is None else take_rows(data, order),
            blank=blank if order is None else blank[order],
            order=order,
            k=self.k,
            n=len(codes),
            keys=self.keys,
            importance=self.importance.given,
            semantics=self.semantics,
            combinations=self.combinations,
            cost=self.importance.worth(cost),
            lower_bound=None if least is None else self.importance.worth(least),
            gap=None if least is None else 100.0 * (cost - least) / cost if cost else 0.0,
            status="optimal" if proven else "time limit" if self.deadline.passed else "complete",
            missing=int((codes < 0).sum()),
            solved=found.status in ("optimal", "solved") and bool((codes >= 0).all()),
            seconds=self.deadline.elapsed,
            seed=self.seed,
            certificate=certificate,
            original=self.frame,
            accept=self.accept,
        )

    def found(self, codes: Codes) -> Suppression:
        """What the room finds, with a missing key as a value of its own: as published it is one with the blanks."""
        from discreet.instruments.local_suppression.gaps import blanks

        return blanks(
            codes,
            self.importance.cost,
            self.k,
            semantics=self.semantics,
            combinations=self.combinations,
            deadline=self.deadline,
            reporter=self.report,
            seed=self.seed or 0,
        )

    def certificate(self, codes: Codes, found: Suppression) -> dict[str, Any]:
        """The certificate: what its own check computes from the prices, and nothing that the check refuses."""
        from discreet.instruments.local_suppression.gaps import certificate

        self.report("certificate", None)
        return certificate(
            self.keys, codes, self.importance.cost, self.k, self.semantics, self.combinations, found.prices
        )

    def shuffles(self, codes: Codes, blank: Flags) -> bool:
        """Whether rows leave in another order: as asked, else where the order would tell what is blank."""
        from discreet.verify.blanks.neighbors import told_by_order

        if self.shuffle is not None:
            return self.shuffle
        shown = codes + 1  # 0 is a blank
        return bool(told_by_order(self.keys, shown, np.where(blank, 0, shown)))

    def order(self, n: int) -> Codes:
        """A random order of the rows."""
        if self.seed is not None:
            return np.random.default_rng(self.seed).permutation(n).astype(np.int64)
        from secrets import randbits

        return np.random.default_rng(randbits(256)).permutation(n).astype(np.int64)
