"""The methods by name and what each can honor; what a problem, an answer and a proof are in this room.

| method | what it does |
|---|---|
| `auto`, `reassign` | `hungarian`, then rounds of `reassignment.py`; for k = 2 the optimum (`pairs.py`) |
| `greedy`, `sort-greedy`, `hungarian` | k − 1 matchings one after another, within blocks (`matching/`) |
| `ring`, `mondrian` | groups of k … 2k − 1 (`ring.py`, `baselines/mondrian.py`) |
| `k-concealment` | boxes grown until each record has k candidates (`baselines/k_concealment.py`) |
| `min-cost-flow` | k matchings of least total distance (`baselines/min_cost_flow.py`) |
| `mip` | the optimum, for a handful of records (`baselines/mip.py`) |

A method is a function from a `Call` to an `Outcome` in the module of its algorithm, imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from discreet import methods as protocol
from discreet.errors import Faults, whole
from discreet.generalization.domain import MEAN, Domain, Floats, Integers
from discreet.methods import Detail, Method, Option, Registry, Status, Wanted, count, one_of
from discreet.work import Deadline, ProgressCallback, Reporter


class Problem(NamedTuple):
    """k matches for every record of a domain.

    With `l`, each person's matches carry at least l distinct `values` (0, 1, … for each record, −1 where it is missing
    and counts as none), whatever is drawn. `start`, where there is one, are matches to begin with: what is found loses
    no more than they do.
    """

    domain: Domain
    k: int
    values: Integers | None = None
    l: int = 1
    start: Integers | None = None


@dataclass(frozen=True)
class Matches:
    """`matches[i]`: the k originals of record i, itself first; every original occurs k times.

    `cover[i]` lists what the published box must cover where that is more (None: just the matches). `matchings`, where
    given, splits the matches into k disjoint perfect matchings in a way the draw must keep to.
    """

    matches: Integers = field(repr=False)
    cover: Integers | None = field(default=None, repr=False)
    matchings: Integers | None = field(default=None, repr=False)

    @property
    def covered(self) -> Integers:
        return self.matches if self.cover is None else self.cover


Call: TypeAlias = protocol.Call[Problem]
# The proof, where a method has one, are prices: how much records are wanted as matches, in units of cost. A lower bound
# starts from them.
Outcome: TypeAlias = protocol.Outcome[Matches, Floats]

_SIZE = count(2, below=2**31)
_IN_BLOCKS: Mapping[str, Option] = {
    "partition": one_of("kd", "lexicographic"),
    "partition_size": _SIZE,
    # Its names are checked against those of the quasi-identifiers: `check_order`.
    "attribute_order": Option(lambda order: True, "names"),
}
_IN_ROUNDS: Mapping[str, Option] = {
    **_IN_BLOCKS,
    "rounds": count(0, below=2**31),
    "block_size": _SIZE,
}

REGISTRY: Registry[Problem, Matches, Floats] = Registry(
    "discreet.generalization",
    {
        "auto": Method(
            "hungarian, then rounds of reassignment; for k = 2 the optimum",
            "automatic:run",
            time_limit=True,
            executor=True,
            options=_IN_ROUNDS,
        ),
        "reassign": Method("the same by name", "automatic:run", time_limit=True, executor=True, options=_IN_ROUNDS),
        "greedy": Method(
            "each record in turn takes its nearest free match",
            "blockwise:run_greedy",
            time_limit=True,
            executor=True,
            options=_IN_BLOCKS,
        ),
        "sort-greedy": Method(
            "pairs of records by rising cost, taken while both are free",
            "blockwise:run_sort_greedy",
            time_limit=True,
            executor=True,
            options=_IN_BLOCKS,
        ),
        "hungarian": Method(
            "one assignment of least cost after another",
            "blockwise:run_hungarian",
            time_limit=True,
            executor=True,
            options=_IN_BLOCKS,
        ),
        "ring": Method("rings within groups of k to 2k − 1", "ring:run"),
        "mondrian": Method(
            "groups of k to 2k − 1, halved at medians, each published as one box", "baselines.mondrian:run"
        ),
        "k-concealment": Method(
            "boxes grown until each record has k candidates", "baselines.k_concealment:run", time_limit=True
        ),
        "min-cost-flow": Method(
            "k matchings of least total distance at once",
            "baselines.min_cost_flow:run",
            time_limit=True,
            executor=True,
            options=_IN_BLOCKS,
        ),
        "mip": Method("the optimum, for a handful of records", "baselines.mip:run", time_limit=True),
    },
)
METHODS: Mapping[str, str] = {name: method.summary for name, method in REGISTRY.items()}
# Those that can keep to l.
DIVERSE = ("auto", "reassign")
# Those that know no means: the sets of k-concealment differ in size, so totals would not be kept; a variance is no part
# of a linear program.
BOXES_ONLY = ("k-concealment", "mip")


@dataclass(frozen=True, kw_only=True)
class Solution(Matches):
    """What a method found: the matches, and how good they are.

    `status` is "complete" (the method ran to its end), "time limit" or "optimal". `prices`, where the method has them,
    say how much records are wanted as matches, in units of cost: a start for a lower bound.
    """

    gcp: float
    method: str
    status: Status
    detail: Detail
    prices: Floats | None = field(default=None, repr=False)


def check_means(faults: Faults, method: str, domain: Domain) -> None:
    """Note numbers that are to be published as means by a method that has boxes only."""
    if method in BOXES_ONLY:
        means = [attribute.name for attribute in domain.attributes if attribute.kind == MEAN]
        faults.check(not means, f"method {method!r} has boxes only, no means as for {', '.join(means)}: use auto")


def check_order(faults: Faults, names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Note what is wrong with an order of the quasi-identifiers."""
    order = options.get("attribute_order")
    if order is not None:
        faults.check(options.get("partition") == "lexicographic", 'attribute_order needs partition="lexicographic"')
        named = [order] if isinstance(order, str) else list(order)
        complete = sorted(map(str, named)) == sorted(names)
        faults.check(complete, "attribute_order must name every quasi-identifier once")


def solve(
    domain: Domain,
    k: int,
    *,
    values: Integers | None = None,
    l: int = 1,
    method: str = "auto",
    time_limit: float | None = None,
    random_state: int = 0,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    **options: Any,
) -> Solution:
    """Matches by the named method: the door for those who hold a domain."""
    faults, wanted = Faults(), Wanted(method, None, time_limit, executor, options)
    REGISTRY.check(faults, wanted)
    check_order(faults, [a.name for a in domain.attributes], options)
    check_means(faults, method, domain)
    matches = whole(k) or 0
    if faults.check(matches >= 2, "k must be a whole number, 2 or more"):
        faults.check(
            matches <= domain.n, f"k = {k} is larger than the number of records ({domain.n}): choose a smaller k"
        )
    faults.raise_if_any()
    call = Call(
        problem=Problem(domain, matches, values, int(l)),
        deadline=Deadline(time_limit),
        report=Reporter(progress),
        seed=int(random_state),
        executor=executor,
        options=options,
    )
    return search(method, call)


def search(method: str, call: Call) -> Solution:
    """What the named method finds, for a call that was checked, and what it loses."""
    from discreet.generalization.boxes import gcp

    outcome = REGISTRY.run(method, call)
    domain, found = call.problem.domain, outcome.answer
    return Solution(
        found.matches,
        found.cover,
        found.matchings,
        gcp=gcp(domain.tables, domain.codes, found.covered),
        method=outcome.method,
        status=outcome.status,
        detail=outcome.detail,
        prices=outcome.proof,
    )
