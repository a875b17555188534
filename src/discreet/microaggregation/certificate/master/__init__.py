"""The set-partitioning master: the groups it may choose from, its linear relaxation, and column generation.

`columns` holds the groups, `interior_point` (with `cholesky`) solves the relaxation over them, `column_generation`
prices and solves in turn until nothing is missing, and `cut_master` goes on from there with cuts, by the simplex
method.
"""
