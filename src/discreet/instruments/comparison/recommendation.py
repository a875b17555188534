"""`Recommendation`: what to do with a file, why, and what was tried for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from discreet.errors import listing
from discreet.instruments.comparison.comparison import Compared, Comparison
from discreet.instruments.comparison.trials import Roles, Trial
from discreet.results import Measurement, Result, Section, Statement

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Limits = tuple[float | None, float | None]


@dataclass(frozen=True)
class Recommendation(Measurement):
    """A proposal: instrument, method and k, None where nothing that was tried keeps to what is allowed.

    `reasons` say why in sentences, `call` how to do it from Python, and `comparison` has all that was tried; `roles`
    are those of the columns, and `guessed` says whether they were guessed.
    """

    instrument: str | None
    method: str | None
    k: int | None
    reasons: tuple[str, ...]
    call: str | None
    roles: Roles
    guessed: bool
    most_risk: float | None
    most_loss: float | None
    comparison: Comparison = field(repr=False)
    chosen: Compared | None = field(repr=False)

    @staticmethod
    def of(
        found: Comparison,
        trials: Sequence[Trial],
        roles: Roles,
        best: Compared | None,
        limits: Limits,
        *,
        guessed: bool,
    ) -> Recommendation:
        """The proposal, put into words."""
        places = {entry.name: trials[place % len(trials)] for place, entry in enumerate(found.entries)}
        trial = None if best is None else places[best.name]
        k = None if best is None else best.k
        words = [*_roles(roles, guessed), *(_nothing(found, limits) if best is None else _why(found, best, limits))]
        if roles.identifiers and trial is not None and trial.instrument != "protect":
            words.append(f"Leave {listing(roles.identifiers)} out of the frame first.")
        return Recommendation(
            None if trial is None else trial.instrument,
            None if trial is None else trial.method,
            k,
            tuple(words),
            None if trial is None or k is None else _call(trial, k, roles, found.original),
            roles,
            guessed,
            *limits,
            found,
            best,
        )

    @property
    def met(self) -> bool:
        """Whether something keeps to what is allowed."""
        return self.chosen is not None

    @property
    def result(self) -> Result | None:
        """The release that is proposed, as it was tried: check and publish it, or make it anew."""
        return None if self.chosen is None else self.chosen.result

    def title(self) -> str:
        if self.instrument is None:
            return "Nothing that was tried keeps to what is allowed"
        return f"Recommended: {self.instrument}, {self.method}, k = {self.k}"

    def facts(self) -> list[tuple[str, str]]:
        facts = [(f"reason {place}", words) for place, words in enumerate(self.reasons, 1)]
        return facts if self.call is None else [*facts, ("from Python", self.call)]

    def summary(self) -> str:
        lines = [super().summary(), "", "What was tried:", *self.comparison.summary().split("\n")]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        roles = self.roles
        lists = {name: list(getattr(roles, name)) for name in ("keys", "numeric", "sensitive", "identifiers")}
        return {
            **self.comparison.to_dict(),
            "instrument": "recommendation",
            "met": self.met,
            "recommended": {"instrument": self.instrument, "method": self.method, "k": self.k, "call": self.call},
            "reasons": list(self.reasons),
            "most_risk": self.most_risk,
            "most_loss": self.most_loss,
            "roles": {**lists, "weight": roles.weight, "household": roles.household},
            "guessed": self.guessed,
        }

    def to_frame(self) -> Any:
        """The table of all that was tried."""
        return self.comparison.to_frame()

    def statement(self) -> Statement:
        from discreet.instruments.statements.compared import proposal

        return proposal(self)

    def sections(self) -> list[Section]:
        rows = [(str(place), words) for place, words in enumerate(self.reasons, 1)]
        return [Section("Why", "", ("", "reason"), rows, confidential=True), *self.comparison.sections()]

    def plot(self, kind: str | None = None) -> Figure:
        """The "map" of all that was tried, or its "loss over k"."""
        return self.comparison.plot(kind)


def _roles(roles: Roles, guessed: bool) -> list[str]:
    words = f"The intruder is taken to know {listing((*roles.keys, *roles.numeric))} of everybody"
    if guessed:
        left_out = f"; {listing(roles.identifiers)} must be left out" if roles.identifiers else ""
        words += f". These roles are guessed from names and values{left_out}: look at them before you go on"
    return [words + "."]


def _why(found: Comparison, best: Compared, limits: Limits) -> list[str]:
    most_risk, most_loss = limits
    assert best.guaranteed is not None and best.loss is not None and best.risk is not None
    out = [
        f"With k = {best.k} nobody finds more than {100 * best.guaranteed:.4g} % of the persons, and the check has "
        f"proven it"
        + ("" if most_risk is None else f"; {100 * most_risk:.4g} % are allowed")
        + f". The attacks that were tried find {100 * best.risk:.4g} %, and {100 * (found.unprotected or 0):.4g} % in "
        "the file as it is.",
        f"It loses {100 * best.loss:.4g} % of what the cells told"
        + ("" if most_loss is None else f"; {100 * most_loss:.4g} % are allowed")
        + ".",
    ]
    others = [entry for entry in found.entries if entry.k == best.k and entry.loss is not None and entry is not best]
    if others:
        told = "; ".join(
            f"{entry.name} {100 * (entry.loss or 0):.4g} %" + ("" if entry.guaranteed is not None else ", not proven")
            for entry in others
        )
        out.append(f"With the same k the others lose: {told}.")
    if most_risk is None:
        larger = sorted({entry.k for entry in found.entries if (entry.k or 0) > (best.k or 0)} - {None})  # type: ignore[type-var]
        out.append(
            f"It is the largest k that keeps to the loss: k = {listing(larger)} do not."
            if larger
            else "It is the largest k that was tried: a larger one may keep to the loss too."
        )
    return out


def _nothing(found: Comparison, limits: Limits) -> list[str]:
    """What stands in the way, and what would be possible."""
    most_risk, most_loss = limits
    out = []
    loose = [entry for entry in found.entries if entry.guaranteed is None]
    if loose:
        outcomes = sorted({entry.measured.outcome for entry in loose if entry.measured is not None})
        out.append(
            f"The check does not confirm {listing([entry.name for entry in loose])} ({', '.join(outcomes)}): look at "
            "what it says (discreet verify), and drop or accept the columns that tell."
        )
    proven = [entry for entry in found.entries if entry.guaranteed is not None and entry.loss is not None]
    held = [entry for entry in proven if most_risk is None or (entry.guaranteed or 1.0) <= most_risk + 1e-12]
    if held and most_loss is not None:
        best = min(held, key=lambda entry: entry.loss or 0.0)
        among = "Of all," if most_risk is None else f"Of what finds at most {100 * most_risk:.4g} %,"
        least = f"{best.name} loses least, {100 * (best.loss or 0):.4g} %, and {100 * most_loss:.4g} % are allowed."
        out.append(f"{among} {least}")
    kept = [entry for entry in proven if most_loss is not None and (entry.loss or 0.0) <= most_loss]
    if kept:
        best = max(kept, key=lambda entry: (entry.k or 0, -(entry.loss or 0.0)))
        out.append(
            f"Within that loss the largest k is {best.k} ({best.name}): {100 * (best.guaranteed or 0):.4g} % could be "
            "found."
        )
    elif proven:
        out.append("No smaller k that was tried keeps to the loss either: publish fewer columns, or coarser ones.")
    return out


def _call(trial: Trial, k: int, roles: Roles, original: Any) -> str:
    """The call that makes the release."""
    from discreet.frames import adopt
    from discreet.frames.exact import entries

    table = adopt(original)
    gaps = any(entries(table, name).missing for name in (*roles.keys, *roles.numeric))
    given: dict[str, Any] = {}
    if trial.instrument == "microaggregate":
        given = {"columns": list(roles.numeric), "method": trial.method, "weight": roles.weight}
    elif trial.instrument == "generalize":
        given = {"quasi_identifiers": list(roles.keys), "method": trial.method, "missing": "value" if gaps else None}
    elif trial.instrument == "suppress-locally":
        given = {"keys": list(roles.keys), "semantics": trial.method}
    else:
        given = {name: list(getattr(roles, name)) for name in ("keys", "numeric", "sensitive", "identifiers")}
        given |= {"weight": roles.weight, "household": roles.household, "guarantee": trial.method}
        given["leave"] = [name for name in table.columns if name not in (*roles.named, *roles.identifiers)]
        given |= {"missing": "value"} if gaps else {}
        given |= {"rare": "merge"} if roles.household is not None else {}
    given["accept"] = list(roles.accept)
    words = ", ".join(f"{name}={value!r}" for name, value in given.items() if value)
    return f"dc.{trial.instrument.replace('-', '_')}(frame, k={k}, {words})"
