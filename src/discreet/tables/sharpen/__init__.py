"""The means that close open sides, one per file: simplex walks, linear programs, search in the fibre, integer programs.

Each proves a bound from outside, finds a table from inside, or both. `bounds/one_atom.py` says in which order they are
tried; a new means belongs here and is called there.
"""
