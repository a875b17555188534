"""The bound for files whose distances do not fit in a table.

`blocks` runs column generation on boxes of records and prices all roots against all records; `local_pricing` does that
without a table of distances, with the help of `box_tree`; `multipliers` makes the boxes' multipliers agree.
"""
