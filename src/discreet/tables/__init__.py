"""What published margins reveal about the cells of a table of counts (Dobra and Fienberg).

A k-way table is secret, some of its margins are public. The room computes, from the margins alone, the least and
the greatest count each cell can have in a non-negative integer table with those margins; how many such tables there
are; and draws one. It knows arrays, names and categories, no dataframes.
"""
