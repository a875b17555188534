"""Results side by side: what each one risks, loses and proves, and what it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from discreet.errors import Faults, InputError, listing
from discreet.instruments.comparison.comparison import OWN, Compared, Comparison, Own
from discreet.instruments.comparison.measured import check_columns, measured, unprotected
from discreet.instruments.comparison.releases import check_same_original, is_release, worked_on
from discreet.instruments.comparison.trials import Roles, adopted, check_sizes, make, trials_of
from discreet.results import Result
from discreet.work import SEED_FAULT, ProgressCallback, Reporter, is_seed


def compare(
    results: Sequence[Result],
    *,
    columns: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    check: bool = True,
    random_state: int | None = None,
) -> Comparison:
    """Compare results of any instruments that were made from the same records.

    Parameters
    ----------
    results : what `microaggregate`, `generalize`, `protect` and the like have returned, for the same frame.
    columns : what the intruder knows of everybody; by default all columns that any of the releases has protected. One
        that a release leaves as it is tells all the more there: every release meets the same intruder.
    names : one for each result; by default method and k.
    check : have every release checked, so that `guaranteed` can say what is proven. Without it nothing is.
    random_state : seed of the sample of persons on whom attacks are tried in large files, 0 unless given.
    """
    results = list(results)
    return compared(results, columns=columns, names=names, bounds={}, check=check, random_state=random_state)


def compare_methods(
    frame: Any,
    sizes: Sequence[int],
    methods: Sequence[str],
    roles: Roles,
    *,
    columns: Sequence[str] | None = None,
    bounds: bool = True,
    random_state: int | None = None,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
) -> Comparison:
    """The comparison of releases of one frame by these methods, each for every k; see `trials.py` for their names."""
    table, faults = adopted(frame, roles), Faults()
    faults.check(is_seed(random_state), SEED_FAULT)
    ks = check_sizes(sizes, len(table), faults)
    trials = trials_of(methods, roles, faults)
    faults.raise_if_any()
    report = Reporter(progress)
    made = make(frame, trials, ks, roles, bounds=bounds, seed=random_state, time_limit=time_limit, report=report)
    report("attacking all of them", None)
    return compared(
        made.results,
        columns=columns,
        names=made.names,
        bounds=made.bounds,
        check=True,
        random_state=random_state,
    )


def compared(
    results: Sequence[Result],
    *,
    columns: Sequence[str] | None,
    names: Sequence[str] | None,
    bounds: Mapping[int, float],
    check: bool,
    random_state: int | None,
) -> Comparison:
    """The comparison; `bounds` has, for the place of a result, a bound on its own loss that was proven elsewhere."""
    if not results:
        raise InputError("compare needs at least one result")
    faults = Faults()
    strange = [place for place, result in enumerate(results, 1) if not isinstance(result, Result)]
    if strange:
        raise InputError(f"compare takes results of instruments, and number {listing(strange)} is none")
    faults.check(is_seed(random_state), SEED_FAULT)
    figures = [result.to_dict() for result in results]
    called = _names(figures, names, faults)
    releases = [is_release(result) for result in results]
    if not all(releases):
        kinds = sorted({type(result).__name__ for result in results})
        faults.check(
            len(kinds) == 1, f"only releases of records are compared across instruments, not {' and '.join(kinds)}"
        )
        faults.check(columns is None, "columns are for releases of records only")
        faults.raise_if_any()
        rows = [Compared(n, r, f, None, _own(f, None)) for n, r, f in zip(called, results, figures)]
        return Comparison(tuple(rows), (), None, None, None)
    known = _columns(results, columns, faults)
    check_same_original(results, known, faults)
    check_columns(results, known, faults)
    faults.raise_if_any()
    seed = int(random_state or 0)
    rows = [
        Compared(name, result, figure, measured(result, known, check=check, seed=seed), _own(figure, bounds.get(place)))
        for place, (name, result, figure) in enumerate(zip(called, results, figures))
    ]
    original = results[0].original  # type: ignore[attr-defined]
    return Comparison(tuple(rows), known, _rows(original), unprotected(results[0], known), original)


def _rows(frame: Any) -> int:
    from discreet.frames import adopt

    return len(adopt(frame))


def _columns(results: Sequence[Result], columns: Sequence[str] | None, faults: Faults) -> tuple[str, ...]:
    """What the intruder knows: what is named, or all that any of the releases has worked on."""
    from discreet.frames import adopt, column_faults

    if columns is None:
        return tuple(dict.fromkeys(name for result in results for name in worked_on(result)))
    wrong = column_faults(adopt(results[0].original), columns)  # type: ignore[attr-defined]
    for fault in wrong:
        faults.add(fault)
    faults.raise_if_any()
    return tuple(columns)


def _names(figures: Sequence[Mapping[str, Any]], names: Sequence[str] | None, faults: Faults) -> tuple[str, ...]:
    """The name of each result: given, or made of instrument (where there are several), method and k."""
    if names is not None:
        told = [] if isinstance(names, str) else [str(name) for name in names]
        faults.check(len(told) == len(figures), f"give a name for each of the {len(figures)} results, or none")
        faults.check(len(set(told)) == len(told), "two results have the same name")
        faults.raise_if_any()
        return tuple(told)
    several = len({figure.get("instrument") for figure in figures}) > 1
    plain = []
    for figure in figures:
        words = [str(figure.get("instrument"))] if several or not figure.get("method") else []
        words += [str(figure["method"])] if figure.get("method") else []
        plain.append(" ".join(words) + (f" k={figure['k']}" if figure.get("k") is not None else ""))
    many, seen, out = Counter(plain), Counter[str](), []
    for name in plain:
        seen[name] += 1
        out.append(name if many[name] == 1 else f"{name} ({seen[name]})")
    return tuple(out)


def _own(figures: Mapping[str, Any], elsewhere: float | None) -> Own | None:
    """The loss of the instrument's own, with the better of its bounds."""
    unit = next((name for name in OWN if figures.get(name) is not None), None)
    if unit is None:
        return None
    value = float(figures[unit])
    found = [bound for bound in (figures.get("lower_bound"), elsewhere) if bound is not None]
    return Own(OWN[unit], value, min(max(found), value) if found else None)
