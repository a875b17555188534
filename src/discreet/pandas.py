"""The pandas accessor `frame.discreet`: the instruments as methods of a dataframe.

    import discreet.pandas
    frame.discreet.risk(keys=["age", "sex"])

`import discreet` registers it too, where pandas was imported before. Each method is the function of its name with the
frame as its first argument.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

import discreet


@pd.api.extensions.register_dataframe_accessor("discreet")
class DiscreetAccessor:
    """The instruments of discreet on one dataframe."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def risk(self, keys: Any, **settings: Any) -> Any:
        """How exposed the records are: `discreet.risk`."""
        return discreet.risk(self._frame, keys, **settings)

    def utility(self, published: Any, **settings: Any) -> Any:
        """What a published version of this frame is still good for: `discreet.utility`."""
        return discreet.utility(self._frame, published, **settings)

    def microaggregate(self, k: Any, **settings: Any) -> Any:
        """Numbers replaced by the means of groups: `discreet.microaggregate`."""
        return discreet.microaggregate(self._frame, k, **settings)

    def generalize(self, k: int, **settings: Any) -> Any:
        """Keys widened so that each person has k matches: `discreet.generalize`."""
        return discreet.generalize(self._frame, k, **settings)

    def protect(self, k: int = 5, **settings: Any) -> Any:
        """The whole file, by the roles of its columns: `discreet.protect`."""
        return discreet.protect(self._frame, k, **settings)

    def suppress_locally(self, k: int, **settings: Any) -> Any:
        """The fewest keys blanked so that each combination is shared by k: `discreet.suppress_locally`."""
        return discreet.suppress_locally(self._frame, k, **settings)

    def pram(self, columns: Any, **settings: Any) -> Any:
        """Categories drawn anew, measured and not proven: `discreet.pram`."""
        return discreet.pram(self._frame, columns, **settings)

    def rank_swap(self, columns: Any, **settings: Any) -> Any:
        """Numbers exchanged between near ranks, measured and not proven: `discreet.rank_swap`."""
        return discreet.rank_swap(self._frame, columns, **settings)

    def add_noise(self, columns: Any, **settings: Any) -> Any:
        """Noise added to numbers, measured and not proven: `discreet.add_noise`."""
        return discreet.add_noise(self._frame, columns, **settings)

    def swap_records(self, columns: Any, **settings: Any) -> Any:
        """Households exchange places, measured and not proven: `discreet.swap_records`."""
        return discreet.swap_records(self._frame, columns, **settings)

    def verify(self, published: Any, **claim: Any) -> Any:
        """Whether a published version of this frame holds what it claims: `discreet.verify`."""
        return discreet.verify(self._frame, published, **claim)
