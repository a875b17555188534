"""Additive tables: counts or amounts with their totals, what the published cells tell about the hidden ones, and which to hide."""
