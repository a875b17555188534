"""Bounds from outside: what no table with the margins can exceed, whether or not a table attains it.

The generalized shuttle, Buzzigoli and Giusti's original, the linear program, and the linear proof that there is no
table. A new method that only proves belongs here.
"""
