"""Compiled pieces that several rooms share: each stands here once, and knows nothing of the rooms.

`compile.py` decorators, `randoms.py` random numbers, `sorting.py` stable orders, `least.py` the t least values,
`renumber.py` labels by first appearance.
"""

from discreet.kernels.compile import inlined, inner, unchecked

__all__ = ["inlined", "inner", "unchecked"]
