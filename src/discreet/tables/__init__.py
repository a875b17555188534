"""What published margins reveal about the cells of a table of counts (Dobra and Fienberg).

A k-way table is secret, some of its margins are public. The room computes, from the margins alone, the least and
the greatest count each cell can have in a non-negative integer table with those margins; how many such tables there
are; and draws one. It knows arrays, names and categories, no dataframes.

`table.py` holds the counts, `convert.py` brings them from dataframes and back. Each folder imports only those named
before it: `theory/` (what the margins say by themselves), `outer/` (bounds from outside), `state/` (what is known of an
atom), `sharpen/` (means that close open sides), `update/` (one more margin), `draw/` (counting and sampling), `bounds/`
(of an atom, of a whole table, of chosen cells).
"""
