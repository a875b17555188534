"""The guarantee of a generalized release: k disjoint perfect matchings, what they leave to guess, and the draw."""

from discreet.verify.matchings.check import verify_matchings

__all__ = ["verify_matchings"]
