"""Instruments on data that does not fit into memory: a dataset in, a dataset out."""
