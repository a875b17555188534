"""What is known of an atom at any moment: proven bounds, tables that were found, and the sides still open.

Every means in `sharpen/` and `update/` reads and extends the same state; every table is checked where it enters.
"""
