"""Exact pricing: for given multipliers, the groups of negative reduced cost, by branch and bound from every root.

`sweep` prices all roots on several threads; `roots` prices some of them; `search` is the depth-first search of one root
and size, and `candidates` says who can still take part in it. Nothing here knows the master or the best partition.
"""
