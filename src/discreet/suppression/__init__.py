"""Local suppression: single key cells of single records are blanked until every record is one of k, with a proof.

A table of n records has d keys, each coded 0, 1, …; blanking a cell of column j costs c_j. Two promises, the second
the stronger one. N_S(i) is the number of originals that equal record i outside the set S of columns.

    cover   every published record fits at least k originals:  N_S(i) ≥ k for the blanked columns S of every record i
    class   every published combination of keys is that of at least k records; blank is a value of its own

`cover.py` is the exact optimum of the first, which falls apart into records. The second is a problem of location with
least loads: records with the same keys are customers, patterns (a set of blanked columns and the values outside) are
places that are used by k records or by none. `prices.py` bounds it from below, the rest searches.
"""
