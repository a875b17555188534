"""The methods by name and what each can honor; what a problem, an answer and a proof are in this room.

A method is a function from a `Call` to an `Outcome` in the module of its algorithm, imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from discreet import methods as protocol
from discreet.methods import Method, Registry, count, number, one_of

if TYPE_CHECKING:
    from discreet.microaggregation.certificate.result import Certificate
    from discreet.microaggregation.problem import Floats, Labels


class Problem(NamedTuple):
    """Partition the rows of `points` into groups of k .. 2k−1."""

    points: Floats
    k: int


Call: TypeAlias = protocol.Call[Problem]
# Labels may be of any numbering. The proof, where a method has one, is a certificate of the same points.
Outcome: TypeAlias = protocol.Outcome["Labels", "Certificate"]

EFFORTS: Mapping[str, str] = {
    "fast": "a construction and local search",
    "default": "two annealings, the better is kept",
    "best": "slow annealings, pooling, annealing in regions, column generation; until the time limit",
}

REGISTRY: Registry[Problem, Labels, Certificate] = Registry(
    "discreet.microaggregation",
    {
        "auto": Method(
            "picks a method by the number of records and columns, k and effort",
            "automatic:run",
            effort=True,
            time_limit=True,
            executor=True,
        ),
        "mdav": Method("maximum distance to average vector: two groups of k a step", "constructions.mdav:run"),
        "md": Method(
            "maximum distance: groups around the two most distant records", "constructions.maximum_distance:run"
        ),
        "v-mdav": Method(
            "MDAV with groups that grow while a near record is closer to them than to others",
            "constructions.vmdav:run",
            options={"gamma": number(0)},
        ),
        "tfrp": Method(
            "two fixed reference points, then dissolving groups where that helps",
            "constructions.tfrp:run",
            options={"phases": one_of(1, 2)},
        ),
        "gsms": Method("successive selection of the group that leaves least SSE behind", "constructions.gsms:run"),
        "gsms-t2": Method("gsms, then the second phase of tfrp", "constructions.gsms:run_t2"),
        "dba": Method(
            "groups around the densest records first, then dissolving groups, the last formed first",
            "constructions.density:run",
            options={"phases": one_of(1, 2)},
        ),
        "dba-2p": Method(
            "dba after p groups around the records of least density",
            "constructions.density:run_2p",
            options={"p": count(0, none=True)},
        ),
        "mst": Method(
            "cuts the longest edges of a minimum spanning tree, then splits by md", "constructions.spanning_tree:run"
        ),
        "npn-mhm": Method("nearest point next, cut optimally", "constructions.orderings:run_npn"),
        "md-mhm": Method("a path through the groups of md, cut optimally", "constructions.orderings:run_md"),
        "mdav-mhm": Method("a path through the groups of mdav, cut optimally", "constructions.orderings:run_mdav"),
        "fdm": Method("a short tour through all records, the same for every k, cut optimally", "constructions.fdm:run"),
        "mu-approx": Method(
            "trees of at least k near records, cut into groups (a polynomial-time approximation)",
            "constructions.approximation:run",
        ),
        "column-generation": Method(
            "the rounding heuristics of Gentile, Spagnolo-Arrizabalaga and Castro, for up to 300 records",
            "certificate.paper.heuristic_mp:run",
            time_limit=True,
        ),
        "univariate": Method("the optimum for one column (Hansen-Mukherjee)", "constructions.univariate:run"),
        "icsm": Method(
            "iterative constraint satisfaction: exchanges, migrations and cyclic shifts from mdav",
            "search.icsm:run",
            time_limit=True,
            executor=True,
            options={
                "max_iterations": count(0, none=True),
                "pool_size": count(1),
                "sources": count(1),
                "restarts": count(0),
            },
        ),
        "ils": Method(
            "iterated local search: disturb a few groups, improve, keep what is better",
            "search.iterated:run",
            time_limit=True,
            options={"iterations": count(0), "strength": count(1)},
        ),
        "annealing": Method(
            "simulated annealing over neighbor lists, then local search",
            "search.portfolio:run_annealing",
            effort=True,
            time_limit=True,
            executor=True,
        ),
        "pool": Method(
            "annealings whose groups are combined by set partitioning",
            "search.portfolio:run_pool",
            effort=True,
            time_limit=True,
            executor=True,
        ),
        "blocks": Method(
            "large data: annealing in blocks that are cut anew every round",
            "search.blocks:run",
            effort=True,
            time_limit=True,
            executor=True,
        ),
    },
    EFFORTS,
)
METHODS: Mapping[str, str] = {name: method.summary for name, method in REGISTRY.items()}
