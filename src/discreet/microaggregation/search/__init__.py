"""Better partitions from given ones.

`icsm` is the method of Mortazavi and Jalili, `iterated` that of Laszlo and Mukherjee. `moves` are the changes of which
`local_search` and `annealing` are made, over distances in `lanes`. `portfolio` runs annealings with different
schedules, combines what they find (`pooling`) and goes on in `regions`; `blocks` is for large files. `restarts` runs
independent tasks until a deadline.
"""
