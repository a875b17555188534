"""Results in plain language: what was done, against whom it protects, what it does not cover and what it costs.

One file an instrument. The sentences are for whoever signs and whoever asks, so they hold names of columns, what was
asked for (k, l, a base) and losses to two digits, and no value of the original and no count below the threshold.
"""
