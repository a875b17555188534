"""Closing the gap: every group that a better partition could use is listed, and the best choice among them is found.

`target_enumeration` lists the groups and draws the conclusion; `set_partition` chooses among few by an integer program,
`tree` among many by branch and cut, over the relaxation of `listed_lp`.
"""
