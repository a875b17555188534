"""Better partitions: none of this proves anything, all of it feeds the pool of groups.

`starts` are partitions to begin with; `dives` fix groups of the relaxation over the pool, `plunges` hold together pairs
of records in the relaxation over listed groups; `windows` solve integer programs on some hundred records at a time.
"""
