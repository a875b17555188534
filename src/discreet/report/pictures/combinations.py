"""The combinations of keys that fewest records share, with how many share them: counts only, no record.

With a `threshold` combinations that fewer share are left out, values and counts: that is the public form. Without one
the picture is confidential.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.errors import listing
from discreet.report.bars import lying
from discreet.report.figures import mark_confidential, panel, tell

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 12


def combinations(
    labels: Sequence[str], counts: Sequence[float], *, keys: Sequence[str], k: int, threshold: int | None = None
) -> Figure:
    """The rarest of the combinations `labels` of `keys`; those that fewer than k share are hatched."""
    chosen = [place for place, count in enumerate(counts) if threshold is None or count >= threshold]
    chosen.sort(key=lambda place: (counts[place], place))
    shown = chosen[:MOST]
    title = f"Combinations that fewest share of {listing(keys)}"
    if threshold is not None:
        title += f"; none below {threshold}"
    if shown:
        values = [counts[place] for place in shown]
        rare = [count < k for count in values]
        figure = lying(title, [labels[place] for place in shown], values, "records", marked=rare)
        if threshold is not None:
            tell(figure, "Rarer ones are left out.")
    else:
        figure, axis = panel(title, height=1.2)
        axis.set_axis_off()
        axis.text(0.0, 0.5, "No combination is shared by so many.", fontsize=9)
        tell(figure, "No combination is shared by so many.")
    mark_confidential(figure, threshold is None)
    return figure
