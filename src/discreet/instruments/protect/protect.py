"""Protect a whole file: every column has a role, and one guarantee covers keys, numbers, weights and households."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import fields, replace
from os import PathLike
from typing import Any, Literal

from discreet.errors import InputError, UnsafeReleaseError
from discreet.instruments.drawn.search import traced
from discreet.instruments.protect.plan import Plan, prepare
from discreet.instruments.protect.protection import Protection
from discreet.instruments.protect.recipe import Recipe
from discreet.work import Deadline, Moment, ProgressCallback, Reporter

# What may be given beside a recipe: it says how to run, and stands in for what the recipe says of it.
BESIDE = ("time_limit", "seed", "accept", "earlier")


def protect(
    frame: Any,
    k: int = 5,
    *,
    keys: Sequence[str] = (),
    numeric: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    leave: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    weight: str | None = None,
    household: str | None = None,
    person: str | None = None,
    l: int | None = None,
    guarantee: Literal["matchings", "classes"] = "matchings",
    recoding: Literal["local", "global"] = "local",
    numbers: Literal["mean", "range"] = "mean",
    hierarchies: Mapping[str, Any] | None = None,
    categorical: Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    caps: Mapping[str, Mapping[str, float]] | None = None,
    levels: Mapping[str, int] | None = None,
    importance: Mapping[str, float] | None = None,
    missing: str | Mapping[str, str] = "error",
    rare: Literal["error", "merge", "suppress", "unlink"] = "error",
    accept: Mapping[str, str] | Sequence[str] = (),
    checks: Mapping[str, float] | None = None,
    recipe: Recipe | str | PathLike[str] | None = None,
    random_state: int | None = None,
    time_limit: float | None = None,
    certify: bool = False,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    earlier: Sequence[str | PathLike[str]] = (),
    check: bool = True,
) -> Protection:
    """Publish a file in which each person, or household, has `k` equally likely matches, losing as little as possible.

    Every column has one role; an error lists those without one, and proposes a role for each.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with its rows shuffled.
    k : how many matches each person has, or each household.
    keys : columns an intruder may know, published as ranges, sets or labels of a hierarchy.
    numeric : numbers an intruder may know, published as means of sets of k (or ranges, see `numbers`).
    sensitive : what an intruder wants to know, published as it is.
    leave : columns that nobody knows of others, published as they are.
    identifiers : names, numbers and the like: left out.
    weight : the sampling weight, published as means, so that its total stays and it tells nothing.
    household : the column that numbers households: each has k matches among households of its size, whole.
    person : the column that numbers persons who have several rows: likewise.
    l : each person's matches carry `l` or more different known values of the one sensitive column.
    guarantee : "matchings", each person is at each of k rows with probability 1/k; "classes", k or more rows are the
        same in keys, numbers and weight.
    recoding : "local", every row is widened as it needs; "global", every key has one level for the whole column.
    numbers : "mean" or "range".
    hierarchies : per key a CSV file of values and ever wider labels, its rows, a nested mapping, or a `Hierarchy`.
    categorical, ordered : keys that are categories though they hold numbers; keys whose values stand in an order.
    caps : per key {"top": …, "bottom": …}, beyond which values are published as the cap.
    levels : per key with a hierarchy, the finest level that may be published.
    importance : how much a column's loss counts; 1 unless given.
    missing : "error"; or of keys "value" or "wildcard", with numbers then averaged over what is known; or
        {"keys": …, "numbers": "error" or "known"}.
    rare : sizes that fewer than k households have: "error", "merge" (published with fewer members), "suppress" or
        "unlink" (their members are published as single persons).
    accept : left columns that may tell, accepted by name, better with the reason: {column: why}.
    checks : the greatest "loss", and the greatest share of persons "found" by all left columns, that may go out.
    recipe : all of the above in a `Recipe`, or the file of one, in place of the arguments.
    random_state : fixes search and draw to the last bit, and with it the secret: for tests.
    time_limit : seconds; then the best so far is taken.
    certify : also compute a lower bound on the loss of any release of this kind.
    earlier : manifests of earlier releases of these persons, against which the check compares this one.
    check : check the release by independent code, and raise UnsafeReleaseError if that does not confirm it.
    """
    given: dict[str, Any] = {
        "k": k,
        "keys": keys,
        "numeric": numeric,
        "sensitive": sensitive,
        "leave": leave,
        "identifiers": identifiers,
        "weight": weight,
        "household": household,
        "person": person,
        "l": l,
        "guarantee": guarantee,
        "recoding": recoding,
        "numbers": numbers,
        "hierarchies": hierarchies or {},
        "categorical": categorical,
        "ordered": ordered or {},
        "caps": caps or {},
        "levels": levels or {},
        "importance": importance or {},
        "missing": missing,
        "rare": rare,
        "accept": accept,
        "checks": checks or {},
        "seed": random_state,
        "time_limit": time_limit,
        "earlier": earlier,
    }
    chosen = Recipe(**given) if recipe is None else _beside(recipe, given)
    result = protect_by(frame, chosen, certify=certify, executor=executor, progress=progress)
    if check:
        Reporter(progress)("check", None)
        verdict = result.verify()
        if not verdict.safe:
            raise UnsafeReleaseError("the independent check does not confirm this release.\n" + verdict.summary())
        short = result.shortfalls(verdict)
        if short:
            raise UnsafeReleaseError("this release does not hold what the recipe demands: " + "; ".join(short))
    return result


def _beside(recipe: Recipe | str | PathLike[str], given: Mapping[str, Any]) -> Recipe:
    """A recipe with what was given beside it; an error for what the recipe alone should say."""
    loaded = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    said, plain = Recipe(**given), Recipe()
    differing = [
        one.name for one in fields(Recipe) if one.compare and getattr(said, one.name) != getattr(plain, one.name)
    ]
    both = [name for name in differing if name not in BESIDE]
    if both:
        raise InputError(f"given both in the recipe and beside it: {', '.join(both)}; write them into the recipe")
    changes = {name: getattr(said, name) for name in differing}
    if "accept" in changes:
        changes["accept"] = {**loaded.accept, **changes["accept"]}
    return replace(loaded, **changes)


def protect_by(
    frame: Any,
    recipe: Recipe,
    *,
    certify: bool = False,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
) -> Protection:
    """The release that a recipe describes, not yet checked."""
    from discreet.frames import adopt

    deadline, report = Deadline(recipe.time_limit), Reporter(progress)
    report("read", None)
    plan = prepare(adopt(frame), recipe)
    return _released(frame, plan, deadline, report, executor, certify)


def _released(
    frame: Any, plan: Plan, deadline: Deadline, report: Reporter, executor: Executor | None, certify: bool
) -> Protection:
    from discreet.generalization.covering import draw_rows
    from discreet.instruments.protect.publishing import publish_rows, weighted_totals
    from discreet.instruments.protect.search import search

    recipe, reading = plan.recipe, plan.reading
    found = search(plan, deadline=deadline, report=report, executor=executor, certify=certify)
    covering = found.covering
    report("draw", None)
    drawn = draw_rows(covering, recipe.seed)
    published = publish_rows(plan, found, drawn)
    lower, loss = covering.lower_bound, covering.loss
    gap = None
    if lower is not None:
        gap = 0.0 if covering.status == "optimal" or loss <= lower else 100.0 * (loss - lower) / loss
    end = Moment(deadline.elapsed, loss, float("nan") if lower is None else lower)
    return Protection(
        data=published.data,
        recipe=recipe,
        covering=covering,
        sets=found.sets,
        drawn=drawn,
        n=plan.n,
        loss=loss,
        lower_bound=lower,
        gap=gap,
        method=covering.method,
        status=covering.status,
        seconds=deadline.elapsed,
        losses=covering.losses,
        widened=found.widened,
        totals=published.means,
        domains=weighted_totals(plan, found, drawn, published),
        units=plan.sizes,
        shared=plan.shared,
        categorical=() if reading is None else tuple(name for name in reading.names if name not in reading.numbers),
        hierarchies={} if reading is None else reading.hierarchies,
        caps={} if reading is None else reading.caps,
        detail=covering.detail,
        original=frame,
        # Those of households are in another unit than the loss of rows.
        trace=traced(report.trace, end) if recipe.unit is None else (),
    )
