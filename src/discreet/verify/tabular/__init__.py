"""The check of additive tables: intervals, patterns and suppression certificates, in whole numbers.

It reads `.jj` files by itself, rebuilds every row from its multipliers, adds up every witness, and shares nothing with
the code that found them.
"""

from discreet.verify.tabular.pattern import verify_pattern

__all__ = ["verify_pattern"]
