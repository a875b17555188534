"""Which instrument, method and k to take: what can protect all that is named is tried, and the best of it proposed.

Risk is held by proof, not by measurement: with k nobody finds more than 1/k, so most_risk asks for k >= 1/most_risk. Of
what the check confirms for all the columns, the least loss is proposed; where most_loss alone is given, the largest k
that keeps to it. Where nothing keeps to both, smaller k are tried too, to say what would.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from discreet.errors import Faults, InputError
from discreet.instruments.comparison.compare import compared
from discreet.instruments.comparison.comparison import Compared, Comparison
from discreet.instruments.comparison.recommendation import Recommendation
from discreet.instruments.comparison.trials import Made, Roles, Trial, adopted, make
from discreet.work import SEED_FAULT, Deadline, ProgressCallback, Reporter, is_seed, with_bar

# Tried where no risk is given, and below the k that the risk asks for.
LADDER = (3, 5, 10, 20)


@with_bar
def recommend(
    frame: Any,
    *,
    keys: Sequence[str] = (),
    numeric: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    weight: str | None = None,
    household: str | None = None,
    most_risk: float | None = None,
    most_loss: float | None = None,
    accept: Sequence[str] = (),
    time_limit: float | None = None,
    random_state: int | None = None,
    progress: ProgressCallback | None = None,
) -> Recommendation:
    """Propose how to protect a file: an instrument, a method and k, with the reasons and all that was tried.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table.
    keys, numeric : columns an intruder may know: categories and the like, and numbers. Where neither is named, roles of
        all columns are guessed from their names and values, and the reasons say so.
    sensitive, identifiers, weight, household : as in `protect`; identifiers are left out.
    most_risk : the largest share of persons whom anybody may find, held by proof.
    most_loss : the largest loss, from 0, nothing, to 1, everything. Give at least one of the two.
    accept : left columns that may tell, accepted by name; see `discreet.verify`.
    time_limit : seconds for all that is tried, shared out evenly.
    random_state : seed of everything random but the draws of releases, which nobody sees.
    """
    faults = Faults()
    given = [value for value in (most_risk, most_loss) if value is not None]
    faults.check(bool(given), "say how much may be found (most_risk), or how much may be lost (most_loss)")
    for name, value in (("most_risk", most_risk), ("most_loss", most_loss)):
        sound = value is None or (isinstance(value, int | float) and 0 < value <= 1)
        faults.check(sound, f"{name} must be a share above 0, up to 1")
    faults.check(is_seed(random_state), SEED_FAULT)
    faults.raise_if_any()
    lists = [tuple(names) for names in (keys, numeric, sensitive, identifiers)]
    said = Roles(lists[0], lists[1], lists[2], lists[3], weight, household, tuple(accept))
    roles = said if keys or numeric else _guessed(frame, said)
    n = len(adopted(frame, roles))
    if not (roles.keys or roles.numeric):
        raise InputError("nothing that an intruder may know is named, nor can be guessed: name keys or numeric columns")
    sizes = _sizes(most_risk, n)
    if not sizes:
        raise InputError(
            f"most_risk asks for k = {_least(most_risk or 1.0)}, and there are {n} records: allow a larger risk"
        )
    run = _Run(frame, roles, random_state, Deadline(time_limit), Reporter(progress))
    found = run.tried(sizes, share=1.0 if most_loss is None or most_risk is None else 0.5)
    best = _best(found, most_risk, most_loss)
    if best is None and most_risk is not None and most_loss is not None:
        smaller = [k for k in LADDER if k < sizes[0]]
        found = run.tried([*smaller, *sizes], share=1.0) if smaller else found
    return Recommendation.of(found, run.trials, roles, best, (most_risk, most_loss), guessed=roles is not said)


def _least(most_risk: float) -> int:
    """The least k whose 1/k is within the risk."""
    return max(2, ceil(1.0 / most_risk - 1e-9))


def _sizes(most_risk: float | None, n: int) -> list[int]:
    """The k to try first."""
    wanted = LADDER if most_risk is None else (_least(most_risk),)
    return [k for k in wanted if k <= n]


def _guessed(frame: Any, said: Roles) -> Roles:
    """Roles by what columns are called and look like."""
    from discreet.frames import adopt
    from discreet.instruments.protect.proposals import propose

    table = adopt(frame)
    found = propose(table, table.columns)
    named = {*said.sensitive, *said.identifiers, said.weight, said.household}

    def guessed(role: str) -> tuple[str, ...]:
        return tuple(name for name, one in found.items() if one.role == role and name not in named)

    return Roles(
        guessed("keys"),
        guessed("numeric"),
        said.sensitive or guessed("sensitive"),
        (*said.identifiers, *guessed("identifiers"), *guessed("person")),
        said.weight or next(iter(guessed("weight")), None),
        said.household or next(iter(guessed("household")), None),
        said.accept,
    )


def suitable(roles: Roles) -> list[Trial]:
    """What protects all the columns together: both kinds of columns, weights and households are for `protect`."""
    if (roles.keys and roles.numeric) or roles.household is not None or (roles.keys and roles.weight is not None):
        return [Trial("protect", "matchings"), Trial("protect", "classes")]
    if roles.numeric:
        return [Trial("microaggregate", "auto"), Trial("microaggregate", "mdav")]
    return [
        Trial("generalize", "auto"),
        Trial("suppress-locally", "class"),
        Trial("protect", "classes"),
    ]


class _Run:
    """Trials of one file, each made once."""

    def __init__(self, frame: Any, roles: Roles, seed: int | None, deadline: Deadline, report: Reporter) -> None:
        self.frame, self.roles, self.seed, self.deadline, self.report = frame, roles, seed, deadline, report
        self.trials = suitable(roles)
        self._made: dict[int, Made] = {}

    def tried(self, sizes: Sequence[int], share: float) -> Comparison:
        """All trials with these k, compared; what was made before is taken as it is."""
        for done, k in enumerate(sizes, 1):
            if k not in self._made:
                left = self.deadline.until(share * done / len(sizes))
                self._made[k] = make(
                    self.frame,
                    self.trials,
                    [k],
                    self.roles,
                    bounds=False,
                    seed=self.seed,
                    time_limit=None if left.limit is None else left.remaining,
                    report=self.report,
                )
        made = [self._made[k] for k in sizes]
        self.report("attacking all of them", None)
        return compared(
            [result for one in made for result in one.results],
            columns=None,
            names=[name for one in made for name in one.names],
            bounds={},
            check=True,
            random_state=self.seed,
        )


def _best(found: Comparison, most_risk: float | None, most_loss: float | None) -> Compared | None:
    """The proven release that keeps to both: with the least loss, or the largest k where only the loss is limited."""
    sound = [entry for entry in found.entries if keeps(entry, most_risk, most_loss)]
    if not sound:
        return None
    if most_risk is None:
        most = max(entry.k or 0 for entry in sound)
        sound = [entry for entry in sound if entry.k == most]
    return min(sound, key=lambda entry: (entry.loss, entry.risk))


def keeps(entry: Compared, most_risk: float | None, most_loss: float | None) -> bool:
    """Whether a release is proven for all columns, and keeps to the risk and the loss that are allowed."""
    if entry.guaranteed is None or entry.loss is None:
        return False
    return (most_risk is None or entry.guaranteed <= most_risk + 1e-12) and (
        most_loss is None or entry.loss <= most_loss
    )
