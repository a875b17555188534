"""The figures of a `Utility` as JSON and in words; what is absent is named with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import listing
from discreet.instruments.measured.utility_parts import FIGURES, Totals
from discreet.measure.utility.absent import Absent, Figure
from discreet.measure.utility.columns import Floats

if TYPE_CHECKING:
    from discreet.instruments.measured.utility_result import Utility

HIGH = 95


def figures(found: Utility) -> dict[str, Any]:
    """What `--json` writes: no values of the data. What is absent is null, with its reason under `absent`."""
    from discreet._version import __version__

    absent: dict[str, str] = {}

    def figure(value: Figure, *path: str) -> float | None:
        if isinstance(value, Absent):
            absent[".".join(path)] = value.why
            return None
        return float(value)

    before, after = found.classes
    errors = found.query_errors
    out: dict[str, Any] = {
        "instrument": "utility",
        "version": __version__,
        "n": found.n,
        "published_rows": found.published_rows,
        "pairing": found.pairing._asdict(),
        "weight": found.weight,
        "seed": found.random_state,
        "left_out": list(found.left_out),
        "overall_loss": figure(found.overall_loss, "overall_loss"),
        "information_loss": figure(found.information_loss, "information_loss"),
        "gcp": figure(found.gcp, "gcp"),
    }
    out |= {name: figure(value, name) for name, value in found.deviations._asdict().items() if name != "by_column"}
    related = {"largest_change": found.correlations.largest, "mean_change": found.correlations.mean}
    related |= {"eigenvalues": found.correlations.eigenvalues, "il_correl": found.correlations.il_correl}
    out["correlations"] = {name: figure(value, "correlations", name) for name, value in related.items()}
    out["classes"] = {"original": before._asdict(), "published": after._asdict()}
    out["queries"] = {"number": found.queries, "mean": float(errors.mean()), "median": float(np.median(errors))}
    out["queries"]["high"] = float(np.percentile(errors, HIGH))
    told = found.propensity._asdict()
    out["propensity"] = {name: figure(told[name], "propensity", name) for name in told if name != "rows"}
    out["propensity"]["rows"] = list(found.propensity.rows)
    out["totals"] = {
        "by": [pair.name for pair in found.by],
        "domains": len(found.domains),
        "overlap": {one.column or "count": _mean(one.overlap) for one in found.totals},
        "within": {one.column or "count": _mean(within(one)) for one in found.totals},
    }
    out["regression"] = _regression_figures(found, absent)
    out["columns"] = {
        column.name: {"kind": column.kind}
        | {name: figure(getattr(column, name), "columns", column.name, name) for name in FIGURES}
        for column in found.columns
    }
    return {**out, "absent": absent}


def _regression_figures(found: Utility, absent: dict[str, str]) -> dict[str, Any] | None:
    fit = found.regression
    if isinstance(fit, Absent):
        if found.formula is not None:
            absent["regression"] = fit.why
        return None
    return {
        "formula": fit.formula,
        "coefficients": len(fit.names),
        "overlap": _mean(fit.overlap),
        "least_overlap": float(np.nanmin(fit.overlap)),
        "rows": [fit.before.rows, fit.after.rows],
    }


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else None


def within(totals: Totals) -> Floats:
    """1 where the published total lies in the interval of the original one."""
    away = np.abs(totals.after.total - totals.before.total)
    return np.where(np.isfinite(away + totals.before.half), (away <= totals.before.half) * 1.0, np.nan)


def shown(figure: Figure) -> str:
    return figure.why if isinstance(figure, Absent) else digits_of(figure, 4)


def digits_of(value: float, digits: int) -> str:
    """So many digits, and no exponent unless the number is very large or small."""
    return f"{float(f'{value:.{digits}g}'):,.12g}"


def percent(figure: Figure) -> str:
    return figure.why if isinstance(figure, Absent) else f"{100 * figure:.4g} %"


def facts(found: Utility) -> list[tuple[str, str]]:
    errors = found.query_errors
    told = found.propensity
    out = [
        ("rows", f"{'in the same order' if found.pairing.same else 'not row by row'}: {found.pairing.how}"),
        ("overall loss", f"{percent(found.overall_loss)}{_of_cells(found.overall_loss)}"),
        ("information loss", information_in_words(found)),
        ("correlations", f"largest change {shown(found.correlations.largest)}"),
        ("penalty (GCP)", penalty_in_words(found)),
        ("queries", f"{100 * np.median(errors):.4g} % off in the median, {100 * errors.mean():.4g} % on average"),
        ("told apart", f"by regression, pMSE {ratio_in_words(told.logistic, told.logistic_ratio)}"),
        ("told by a tree", f"pMSE {ratio_in_words(told.tree, told.tree_ratio)}"),
        ("totals", _totals_in_words(found)),
    ]
    if found.formula is not None:
        fit = found.regression
        words = fit.why if isinstance(fit, Absent) else f"{percent(mean_figure(fit.overlap))} overlap of intervals"
        out.append(("regression", words))
    unread = [column.name for column in found.columns if column.unread > 0]
    if unread:
        out.append(("not understood", f"some published values of {listing(unread)}, taken for anything or as new"))
    if found.left_out:
        out.append(("left out", f"{listing(found.left_out)}: not in both files, or not to be read"))
    return out


def _of_cells(figure: Figure) -> str:
    return "" if isinstance(figure, Absent) else " of what the cells told"


def penalty_in_words(found: Utility) -> str:
    """GCP, and how many columns it leaves out."""
    replaced = sum(isinstance(column.ncp, Absent) for column in found.columns)
    if isinstance(found.gcp, Absent) or not replaced:
        return shown(found.gcp)
    return f"{shown(found.gcp)}, without {replaced} of {len(found.columns)} columns, whose values were replaced"


def information_in_words(found: Utility) -> str:
    loss = found.information_loss
    return loss.why if isinstance(loss, Absent) else f"{loss:.4g} % of the variance of numbers"


def ratio_in_words(value: Figure, ratio: Figure) -> str:
    if isinstance(value, Absent):
        return value.why
    return f"{value:.4g}" + ("" if isinstance(ratio, Absent) else f", {ratio:.3g} times what chance gives")


def mean_figure(values: Floats) -> Figure:
    mean = _mean(values)
    return Absent("not defined: no variance") if mean is None else mean


def _totals_in_words(found: Utility) -> str:
    every = mean_figure(np.concatenate([one.overlap for one in found.totals]))
    where = f"in {len(found.domains)} domains of {listing([pair.name for pair in found.by])}" if found.by else "of all"
    return f"{percent(every)}{'' if isinstance(every, Absent) else ' overlap of intervals'}, {where}"
