"""A suppression certificate, checked: the cost of the pattern, the bound its tree proves, and what it claims.

The problem is the caller's; the file is evidence only. Every row is rebuilt (cuts.py) and every leaf added up again
(tree.py) in whole numbers and fractions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from discreet.verify.tabular.cuts import Rejected, bridge, cells_of, rebuilt, whole
from discreet.verify.tabular.problem import PRIMARY, SECONDARY, Table
from discreet.verify.tabular.tree import Tree, reduced

FORMAT = "discreet suppression certificate"
_FRACTION = re.compile(r"-?[0-9]{1,1000}(/0*[1-9][0-9]{0,1000})?\Z")
STATUSES = ("optimal", "closed", "time limit", "heuristic")


class Proven(NamedTuple):
    """What the certificate stands for: cost of its pattern, and the bound that was proven again."""

    cost: int
    lower_bound: int
    optimal: bool
    leaves: int
    cuts: int


def check_certificate(
    table: Table,
    document: Any,
    hidden: Collection[int],
    attackers: Collection[frozenset[int]] = (),
    holders: Sequence[Table] = (),
) -> Proven:
    """What a certificate proves about the pattern `hidden`; raises `Rejected` where it claims more, or another."""
    if not isinstance(document, Mapping) or document.get("format") != FORMAT or document.get("version") != 1:
        raise Rejected("the file is no suppression certificate of version 1")
    pattern = set(cells_of(document.get("pattern"), "the pattern", table))
    if pattern != set(hidden):
        raise Rejected("the certificate is about another pattern")
    forced = {i for i in range(table.n) if table.status[i] in (PRIMARY, SECONDARY)}
    if not forced <= pattern:
        raise Rejected("the pattern publishes a cell that must be hidden")
    cost = sum(int(table.cost[i]) for i in pattern if table.status[i] != PRIMARY)
    if whole(document.get("cost"), "the cost", 0) != cost:
        raise Rejected("the certificate states another cost than that of its pattern")
    status = document.get("status")
    if status not in STATUSES:
        raise Rejected("the certificate has no known status")
    parts = {name: document.get(name, []) for name in ("cuts", "bridges", "proofs", "tree")}
    if not all(isinstance(part, list) for part in parts.values()):
        raise Rejected("cuts, bridges, proofs and tree must be lists")
    cuts = [rebuilt(table, cut, attackers, holders) for cut in parts["cuts"]]
    bridges = [bridge(table, entry) for entry in parts["bridges"]]
    if parts["tree"]:
        proofs = [reduced(table, proof, cuts, bridges) for proof in parts["proofs"]]
        proven = Tree(table, parts["tree"], proofs, cost).least()
    else:
        proven = sum(int(table.cost[i]) for i in range(table.n) if table.status[i] == SECONDARY)
    bound = min(cost, max(proven, 0))
    claimed = _number(document.get("lower_bound"))
    if claimed > bound:
        raise Rejected(f"the certificate claims a bound of {claimed}, and proves {bound}")
    if status == "optimal" and bound < cost:
        raise Rejected("the certificate calls the pattern optimal, and does not prove it")
    leaves = sum(1 for node in parts["tree"] if isinstance(node, Mapping) and not {"branch", "then"} & set(node))
    return Proven(cost, bound, bound >= cost, leaves, len(cuts))


def _number(value: Any) -> Fraction:
    """A whole number or "num/den"."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and _FRACTION.match(value):  # no exponents: a short text would be an endless number
        return Fraction(value)
    raise Rejected("the bound is no number")
