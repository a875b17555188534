"""Generalization in closed blocks: cells of the space of values, each solved by itself over the domain of all."""
