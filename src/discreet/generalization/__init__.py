"""Freeform generalization: k disjoint perfect matchings of small loss, from arrays of codes.

`domain.py` says what widening costs, `methods.solve` finds the matches, `extraction.draw` makes the secret draw,
`bounds.lower_bound` proves how little any release could lose.
"""
