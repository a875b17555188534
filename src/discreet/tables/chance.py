"""Random numbers inside compiled loops: SplitMix64 on a state that the caller owns (`kernels/randoms.py`)."""

from discreet.kernels.randoms import Random, seeded
from discreet.kernels.randoms import scaled_below as below
from discreet.kernels.randoms import uniform as draw

__all__ = ["Random", "below", "draw", "seeded"]
