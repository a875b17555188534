"""Disclosure risk: pure functions of arrays, one measure a file.

A table of keys is an n × d array of codes 0, 1, …, with −1 where a value is missing. Every figure is either counted in
the file or estimated by a model of the population it was drawn from; each file says which.
"""
