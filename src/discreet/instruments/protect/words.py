"""What a protection says of itself: the facts, and the sections of its report. Every sentence is true for the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.errors import listing
from discreet.results import Section

if TYPE_CHECKING:
    from discreet.instruments.protect.means import Means
    from discreet.instruments.protect.protection import Protection

MOST_DOMAINS = 60


def facts(result: Protection) -> list[tuple[str, str]]:
    """The figures a reader wants first."""
    recipe = result.recipe
    out = [("loss", f"{result.loss:.6f}")]
    if result.lower_bound is not None and result.gap is not None:
        proof = f"no release of this kind can lose less than {result.lower_bound:.6f}"
        out.append(("proof", proof + ("" if result.gap == 0 else f"; at most {result.gap:.3g} % is left")))
    if result.widened:
        cells, changed = result.rows * len(result.widened), sum(result.widened.values())
        out.append(("widened", f"{changed} of {cells} values of keys ({100 * changed / max(1, cells):.1f} %)"))
    if result.totals:
        out.append(("totals", _totals(result)))
    if recipe.l is not None:
        whose = "each person's matches carry" if recipe.guarantee == "matchings" else "each class carries"
        out.append(("diversity", f"{whose} {recipe.l} or more known values of {recipe.sensitive[0]}"))
    if result.units:
        count, what = sum(result.units.values()), "households" if recipe.household is not None else "persons"
        out.append((what, f"{count} {what} of {len(result.units)} sizes; {_rare(result)}"))
    if recipe.identifiers:
        out.append(("left out", listing(recipe.identifiers)))
    left = [*recipe.sensitive, *recipe.leave]
    if left:
        out.append(("as they were", listing(left)))
    if recipe.accept:
        out.append(("accepted", listing(list(recipe.accept))))
    out += [
        ("method", f"{result.method}, {result.status}"),
        ("draw", _draw(result)),
        ("time", f"{result.seconds:.2f} s"),
    ]
    return out


def _totals(result: Protection) -> str:
    whose = f" of the {result.rows} rows published" if result.covering.lost.size else ""
    kept = [name for name, one in result.totals.items() if one.kept]
    if len(kept) == len(result.totals):
        return f"kept to the last digit{whose}: {listing(kept)}"
    near = [f"{name} to {one.decimals} decimals" for name, one in result.totals.items() if one.near and not one.kept]
    changed = [f"{name} by {one.difference}{_percent(one)}" for name, one in result.totals.items() if not one.near]
    parts = ((f"kept to the last digit{whose}", kept), ("kept", near), ("changed", changed))
    return "; ".join(f"{what}: {listing(names)}" for what, names in parts if names)


def _percent(one: Means) -> str:
    change = _change(float(one.original), float(one.published))
    return f" ({change} %)" if change and abs(float(change)) >= 0.01 else ""


def _rare(result: Protection) -> str:
    scarce = {size: count for size, count in result.units.items() if count < result.k}
    if not scarce:
        return f"each size has {result.k} or more"
    persons = sum(size * count for size, count in scarce.items())
    few = f"{sum(scarce.values())} of rare sizes ({persons} rows)"
    lost = result.covering.lost.size
    done = {
        "merge": f"{few} published with fewer members, {lost} rows not published",
        "suppress": f"{few} not published",
        "unlink": f"{few} published row by row, without a number",
    }
    return done.get(result.recipe.rare, few)


def _draw(result: Protection) -> str:
    if result.seed is None:
        return "secret, from the operating system's generator"
    return "from a fixed seed: repeatable by whoever knows the seed, so not for publication"


def sections(result: Protection) -> list[Section]:
    """What the report shows below the facts."""
    from discreet.instruments.drawn.protection import sections as pictures
    from discreet.report.figures import available

    out = [_columns(result)]
    if result.totals:
        out.append(_amounts(result))
    if result.domains:
        out.append(_domains(result))
    if result.units:
        out.append(_units(result))
    if result.recipe.accept:
        rows = [(name, why) for name, why in result.recipe.accept.items()]
        words = "These columns may tell something about keys or persons. Whoever wrote the recipe accepted that:"
        out.append(Section("Accepted by name", words, ("column", "why"), rows, confidential=True))
    return [*out, Section("What an intruder can do", _odds(result)), *(pictures(result) if available() else [])]


def _columns(result: Protection) -> Section:
    recipe = result.recipe
    rows: list[tuple[str, str, str, str, str]] = []
    for name in recipe.identifiers:
        rows.append((name, "identifier", "left out", "", ""))
    for name in recipe.boxes:
        role = "key" if name in recipe.keys else "numeric"
        share = f"{100 * result.widened.get(name, 0) / max(1, result.rows):.1f}"
        shown = "one level for all" if recipe.recoding == "global" else "boxes"
        rows.append((name, role, shown, share, f"{result.losses.get(name, 0):.5f}"))
    for name in recipe.means:
        role = "weight" if name == recipe.weight else "numeric"
        rows.append((name, role, "means", "", f"{result.losses.get(name, 0):.5f}"))
    rows += [(name, "sensitive", "as it was", "", "") for name in recipe.sensitive]
    rows += [(name, "leave", "as it was", "", "") for name in recipe.leave]
    if recipe.unit is not None:
        rows.append((recipe.unit, result.whom, "fresh numbers", "", ""))
    words = (
        "The loss of a key is the mean width of its published values: 0 is unchanged, 1 covers the whole column. "
        "That of a number is the share of its variance that means do not show."
    )
    return Section(
        "What becomes of each column",
        words,
        ("column", "role", "published", "widened, %", "loss"),
        rows,
        confidential=True,
    )


def _amounts(result: Protection) -> Section:
    rows = [(name, one.original, one.published, one.difference, one.blank_rows) for name, one in result.totals.items()]
    kept = [name for name, one in result.totals.items() if one.kept]
    words = f"Every row shows the mean of its set{', rounded so that the rows add up' if kept else ''}. "
    lost = result.covering.lost.size
    if lost:
        words += f"{lost} rows are not published, and are in no total here. "
    if len(kept) == len(result.totals):
        words += "Totals are those of the original, to the last digit."
    else:
        changed = [name for name, one in result.totals.items() if not one.kept]
        words += f"Not kept to the last digit: {listing(changed)}, as {_why_changed(result)}"
        words += f" Kept to the last digit: {listing(kept)}." if kept else ""
    return Section(
        "Totals", words, ("column", "before", "after", "difference", "rows left blank"), rows, confidential=True
    )


def _why_changed(result: Protection) -> str:
    """All that may be the reason here."""
    reasons = []
    if any(one.gaps for one in result.totals.values()):
        reasons.append("means are over the values that are known, and stand in rows too where none was")
    if result.recipe.guarantee == "classes" or result.shared & {
        name for name, one in result.totals.items() if not one.kept
    }:
        reasons.append("rows that must look alike show the same rounded mean")
    return "; ".join(reasons or ["a stored number holds no more than 15 digits"]) + "."


def _domains(result: Protection) -> Section:
    rows = [
        (one.column, one.value, f"{one.before:.6g}", f"{one.after:.6g}", _change(one.before, one.after))
        for one in result.domains[:MOST_DOMAINS]
    ]
    words = (
        f"Sums of {result.recipe.weight} by the values of columns that have few. A row whose key was widened counts in "
        f"equal parts for each of its values; those that fewer than {result.k} persons have are pooled or not shown."
    )
    return Section(
        "Weighted totals by domain", words, ("column", "value", "before", "after", "change, %"), rows, confidential=True
    )


def _change(before: float, after: float) -> str:
    return f"{100 * (after - before) / before:+.2f}" if before else ""


def _units(result: Protection) -> Section:
    what = "Households" if result.recipe.household is not None else "Persons with several rows"
    rows: list[tuple[Any, ...]] = sorted(result.units.items())
    columns: tuple[str, ...] = ("size", "number")
    if any(count < result.k for _, count in rows):
        rows = [(size, count, "" if count >= result.k else _fate(result)) for size, count in rows]
        columns = (*columns, "published")
    common = f" The rows of each have in common: {listing(sorted(result.shared))}." if result.shared else ""
    return Section(what, f"Each is one among {result.k} of its size.{common}", columns, rows, confidential=True)


def _fate(result: Protection) -> str:
    fates = {"merge": "with fewer members", "suppress": "not published", "unlink": "row by row, without a number"}
    return fates.get(result.recipe.rare, "")


def _odds(result: Protection) -> str:
    """What whoever knows all but the draw can tell, and when it is more."""
    recipe, k = result.recipe, result.k
    known = listing([*recipe.keys, *recipe.numeric, *([] if recipe.weight is None else [recipe.weight])])
    whom = result.whom
    if recipe.guarantee == "classes":
        words = (
            f"Someone who knows {known} of everyone finds, for each {whom}, {k} or more published ones that look "
            "the same in all these columns."
        )
        return words + _diverse(result)
    words = (
        f"Someone who knows {known} of everyone, and the method, finds {k} disjoint ways to assign all of them to all "
        "that is published, one of which was drawn. "
    )
    if result.seed is not None:
        words += "The draw came from a fixed seed: whoever knows or guesses the seed knows everyone's record."
    else:
        words += (
            f"Each is as likely as the other, so a guess at anyone's {'record' if whom == 'person' else whom} is "
            f"right with probability {100 / k:.2f} %, unless the columns that go out as they are tell more."
        )
    return words + _diverse(result)


def _diverse(result: Protection) -> str:
    if result.recipe.l is None or result.recipe.l < 2:
        return ""
    return f" Sets were chosen with a view to {result.recipe.sensitive[0]}, so they may tell something about it."
