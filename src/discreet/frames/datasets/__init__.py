"""Tables larger than memory: files that are read and written as streams of Arrow batches."""

from __future__ import annotations

from discreet.frames.datasets.dataset import Dataset, dataset

__all__ = ["Dataset", "dataset"]
