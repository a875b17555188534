"""Bounds on the cells of a table, and synthetic tables, checked from the margins with code of its own."""

from discreet.verify.cells.check import verify_cells

__all__ = ["verify_cells"]
