"""The heuristic of Gentile, Spagnolo-Arrizabalaga and Castro (2020) as they print it, under their names.

MicroaggregationHeuristicMP is in `heuristic_mp`, PricingProblem with Table 2 and its three routines, model (14) among
them, in `pricing_problem`, the two rounding heuristics in `simple_rounding` and `rounding_mst`. For a few hundred
records and for comparison: a faster way to do any of this belongs to the other folders, and their model (7) to the
tests' oracles.
"""
