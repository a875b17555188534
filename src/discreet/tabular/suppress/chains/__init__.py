"""Patterns for large tables, from products of chains: without a bound, but with a witness of every sensitive cell."""

from discreet.tabular.suppress.chains.large import suppress_large
from discreet.tabular.suppress.chains.witnesses import Witness

__all__ = ["Witness", "suppress_large"]
