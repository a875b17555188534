"""Generalization of data that does not fit into memory: closed blocks, a draw in each, and a shuffle of all rows."""
