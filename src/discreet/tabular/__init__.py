"""Additive tables: counts or amounts with their totals, what published cells tell about hidden ones, what to hide."""
