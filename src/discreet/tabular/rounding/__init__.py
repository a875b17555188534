"""Controlled rounding of additive tables: multiples of a base that still add up, with a proven bound."""

from discreet.tabular.rounding.controlled import Rounding, distance_bound, round_cells

__all__ = ["Rounding", "distance_bound", "round_cells"]
