"""The paper's three algorithms by their names: Greedy, SortGreedy and Hungarian, one iteration each, and their shell.

`iterations` runs k − 1 of them within blocks and defines what a pair costs; `repair` resolves the dead ends of the
greedy ones. A new rule for one iteration is a file here and a line in `iterations.RULES`.
"""
