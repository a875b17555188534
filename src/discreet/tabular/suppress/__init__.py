"""Which cells to hide so that every sensitive one is protected, at the least cost, with a proof.

    minimize Σ w_i x_i   over x ∈ {0, 1}ⁿ with x = 1 on cells that must be hidden and 0 on those that must be published
    such that for every requirement (p, side, need) an intruder must think a_p + side·need possible:
    some move f has A f = 0, −Lo_i x_i ≤ f_i ≤ Up_i x_i and side·f_p ≥ need.

Benders decomposition after Fischetti and Salazar (2001): by duality of the intruder's linear program the requirement
is a family of capacity inequalities in x, one for each vector of multipliers of the relations.
"""

from discreet.tabular.suppress.conflict import Conflict
from discreet.tabular.suppress.requirements import Requirements, requirements_of
from discreet.tabular.suppress.search import Suppression, suppress

__all__ = ["Conflict", "Requirements", "Suppression", "requirements_of", "suppress"]
