"""One more margin: what was known before it, brought over to the tables that have it too.

Old bounds still hold, old tables mostly lack the new margin: `prior` gathers both, `margin_walk` takes small tables
along edges of the old polytope to the new margin.
"""
