"""Chvátal-Gomory cuts: inequalities that every partition satisfies and a fractional solution violates.

`cut` says what a cut is and what it charges a group; `rank_one` finds violated ones on few records, `modular` on any
number. A new family of cuts is a module here that returns cuts.
"""
