"""Freeform generalization: k disjoint perfect matchings of small loss, from arrays of codes.

`domain.py` says what widening costs, `methods.solve` finds the matches (`matching/`, then `reassignment.py`; for k = 2
`pairs.py`), `extraction.draw` makes the secret draw, `bound/` proves how little any release could lose, `diversity/`
keeps l sensitive values in sight, `baselines/` has the methods that are compared.
"""
