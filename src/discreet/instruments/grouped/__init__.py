"""Microaggregation of more than complete records: sets of columns, strata, weights, gaps, and what reports say."""
