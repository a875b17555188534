"""The tables with given margins as a set: how many there are, and one of them at random."""
