"""Partitions made from nothing: the methods of the literature by name, and orders of records to be cut into groups.

`mdav`, `maximum_distance` (MD), `vmdav`, `tfrp`, `gsms` and `density` (DBA) take group after group; `remaining` is what
these share. `spanning_tree` (M-d) and `approximation` (μ-Approx) cut trees; `orderings` (NPN-MHM, MD-MHM, MDAV-MHM) and
`fdm` lead a path or tour through all records, which `path_cut` above cuts; `univariate` solves one column to
optimality. `endings` brings what is left to sizes of k .. 2k−1.
"""
