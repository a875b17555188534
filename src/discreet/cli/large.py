"""Commands on data that is worked on in blocks: a folder of Parquet files, or a file larger than memory."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import InputError
from discreet.results import Audience, Result, Verdict

if TYPE_CHECKING:
    from discreet.frames.datasets import Dataset

# What a record takes in memory while it is worked on, as a multiple of what it takes in a file.
GROWTH = 15


def is_large(data: str, memory: str | None, cluster: str | None, resume: bool, *, texts: bool = True) -> bool:
    """Whether the input is worked on in blocks: a folder or a pattern is, and what would not fit into memory.

    `texts` says that any delimited text can be.
    """
    from discreet.frames.atomic import is_standard
    from discreet.frames.formats import extension_of

    if memory is not None or cluster is not None or resume:
        return True
    if is_standard(data):
        return False
    try:
        if Path(data).is_dir():
            return True
        if not Path(data).exists():
            return glob.has_magic(data)
        size = float(Path(data).stat().st_size)
        kind = extension_of(data).removesuffix(".gz")
        if extension_of(data) != kind:
            size *= _packing(data)
    except (OSError, ValueError):
        return False
    kinds = ("parquet", "pq", *(("csv", "tsv", "txt", "tab") if texts else ()))
    return kind in kinds and GROWTH * size > _memory()


def _packing(data: str) -> float:
    """How many times its size a compressed file is when it is unpacked, by its beginning."""
    import zlib

    with open(data, "rb") as file:
        start = file.read(1 << 18)
    try:
        return len(zlib.decompressobj(31).decompress(start, 1 << 28)) / max(1, len(start))
    except zlib.error:  # its reader will say so
        return 1.0


def _memory() -> float:
    """How much memory this machine has; endless where it does not tell."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return float("inf")


def large_dataset(
    data: str,
    output: str | os.PathLike[str],
    memory: str | None,
    cluster: str | None,
    *,
    resume: bool,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Dataset:
    from discreet.frames.atomic import is_standard
    from discreet.frames.datasets import dataset

    if is_standard(data) or is_standard(output):
        raise InputError("what is worked on in blocks is read from files and written to files: - cannot be used")
    return dataset(
        data,
        memory=memory,
        cluster=cluster,
        output=output,
        resume=resume,
        delimiter=delimiter,
        encoding=encoding,
    )


@dataclass(frozen=True)
class Beside:
    """What goes along with a release, and whether people are told."""

    report: Path | None
    audience: Audience
    json: Path | None
    force: bool
    quiet: bool

    def check(self, data: Dataset, *folders: Path | None, inputs: Iterable[Any] = ()) -> None:
        """Fail before long work where something could not be written; `folders` are outputs that are folders, and
        `inputs` other files that are read."""
        from discreet.cli.outputs import check_outputs

        text = None if data.text is None else data.output
        files = [Path(one) for one in inputs if isinstance(one, str | os.PathLike)]
        check_outputs([text, self.json, self.report], force=self.force, inputs=[*data.paths, *files])
        places = [Path(place).resolve() for place in (data.output, *folders) if place is not None]
        for one, other in permutations(places, 2):
            if one == other or one in other.parents:
                raise InputError(f"the outputs {one} and {other} are in one another: choose other names")
        for file in (self.json, self.report):
            if file is not None and any(
                place in (Path(file).resolve(), *Path(file).resolve().parents) for place in places
            ):
                raise InputError(f"{file} would be within an output, which is data alone: choose another place")

    def write(self, result: Result, verdict: Verdict, _: Path) -> None:
        """The figures and the page; the data follows."""
        from discreet.cli.outputs import as_json
        from discreet.frames.atomic import together
        from discreet.report import page

        with together(self.force) as batch:
            if self.json is not None:
                batch.text(self.json, as_json(result.to_dict()))
            if self.report is not None:
                batch.text(self.report, page([result], verdicts=[verdict], audience=self.audience))


def microaggregate_large(data: Dataset, k: int, *, beside: Beside, accept: Any, **asked: Any) -> None:
    """Protect a dataset by group means."""
    from discreet.instruments.large.door import check_asked, microaggregate_dataset

    beside.check(data)
    checked = check_asked(data, k, accept=accept, **asked)
    _carry_out(data, beside, microaggregate_dataset, checked, accept=accept)


def generalize_large(
    data: Dataset, k: int, *, beside: Beside, accept: Any, keep_secret: Path | None, **asked: Any
) -> None:
    """Protect a dataset by wider values; the matchings and the draw go to the folder `keep_secret`."""
    from discreet.instruments.large.boxes.door import check_asked, generalize_dataset

    beside.check(data, keep_secret, inputs=asked["treatment"].hierarchies.values())
    checked = check_asked(data, k, accept=accept, secret=keep_secret is not None, **asked)
    _carry_out(data, beside, generalize_dataset, checked, accept=accept, keep_secret=keep_secret)


def _carry_out(data: Dataset, beside: Beside, work: Callable[..., Result], checked: Any, **given: Any) -> None:
    """Do the work and say what it came to; what is finished is kept where the run is stopped."""
    from discreet.cli.console import progress, say
    from discreet.scale.run import work_folder

    assert data.output is not None
    try:
        with progress(beside.quiet) as callback:
            result = work(data, checked, force=beside.force, progress=callback, beside=beside.write, **given)
    except KeyboardInterrupt:
        say(f"what is finished is kept in {work_folder(data.output)}: --resume goes on with it")
        raise
    if not beside.quiet:
        say(result.summary())
