"""The result of a large microaggregation: figures of the whole, and data that is a dataset again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import InputError
from discreet.instruments.microaggregation import Labels, Microaggregation
from discreet.results import Section, Verdict, about

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.frames.datasets import Dataset
    from discreet.verify import File


def as_checked(data: Dataset, *, published: bool) -> Dataset | File | Path:
    """A dataset as the checker takes it: text by its dialect, a folder with all that lies in it."""
    from discreet.verify import File

    if data.text is None:
        return data.folder if published and not data.single else data
    delimiter, encoding = data.dialect
    return File(data.paths[0], delimiter=delimiter, encoding=encoding)


@dataclass(frozen=True)
class LargeMicroaggregation(Microaggregation):
    """A microaggregated dataset and what is known about it; `data` and `original` are datasets.

    Which record is in which group is not kept: `labels` is empty. `counts` has the number of groups of each size, and
    `losses` per column the share of its variation that is gone, in percent.
    """

    counts: Mapping[int, int] = field(default_factory=dict)
    losses: tuple[float, ...] = ()

    @property
    def groups(self) -> int:
        return sum(self.counts.values()) + (self.suppressed > 0)

    @property
    def sizes(self) -> list[Labels]:
        found = np.repeat(list(self.counts), list(self.counts.values())).astype(np.int64)
        return [np.append(found, self.suppressed) if self.suppressed else found]

    @property
    def size_range(self) -> tuple[int, int]:
        sizes = [*self.counts, *([self.suppressed] if self.suppressed else [])]
        return min(sizes), max(sizes)

    def verify(self) -> Verdict:
        from discreet.scale.memory import memory_limit
        from discreet.verify import verify

        limit = memory_limit(self.original.memory)
        return verify(
            as_checked(self.original, published=False),
            as_checked(self.data, published=True),
            memory=limit,
            **self.claim(),
        )

    def sections(self) -> list[Section]:
        rows = [(name, f"{loss:.3f}") for name, loss in zip(self.columns, self.losses)]
        words = "The share of a column's variation that is gone."
        return [Section("What is lost, column by column", words, ("column", "loss, %"), rows, confidential=True)]

    def public_sections(self) -> list[Section]:
        rows = [(name, about(loss)) for name, loss in zip(self.columns, self.losses)]
        words = "The share of a column's variation that is gone, to two digits."
        return [Section("What is lost, column by column", words, ("column", "loss, %"), rows)]

    def plot(self, kind: str | None = None, *, column: str | None = None) -> Figure:
        """A picture: "loss" by column, or group "sizes"."""
        from discreet.report.pictures.losses import losses
        from discreet.report.pictures.sizes import sizes

        if column is not None or kind not in (None, "loss", "sizes"):
            raise InputError('of a dataset there are pictures of "loss" by column and of group "sizes"')
        if kind == "sizes":
            return sizes(self.sizes[0])
        title = "Information loss by column"
        return losses(self.columns, list(self.losses), title=title, unit="% of the variation")
