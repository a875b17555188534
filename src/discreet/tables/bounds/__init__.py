"""Bounds that are asked for: of one atom, of every cell of a table, of some cells; and what they say about risk.

`one_atom.py` says in which order the means in `sharpen/` and `update/` are tried, `whole_table.py` bounds every cell,
`chosen_cells.py` asks about some cells only, and stops as soon as the question is settled. `split.py` is what the last
two share. All else in the room is imported here, and nothing of this folder elsewhere in it.
"""
