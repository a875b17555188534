"""What the methods of `discreet perturb` share: their options, and how their file is written, or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.errors import InputError

if TYPE_CHECKING:
    from discreet.instruments.perturbed.perturbation import Perturbation

Data = Annotated[str, typer.Argument(help="CSV, Parquet, Excel, SPSS, Stata or SAS file; - is CSV from a pipe.")]
Known = Annotated[
    str | None,
    typer.Option(
        "--known", help="Columns left as they are that an intruder may know: who is found again is measured with them."
    ),
]
By = Annotated[
    str | None, typer.Option("--by", help="Columns whose values are strata: values are exchanged within them.")
]
MeasuredOnly = Annotated[
    bool,
    typer.Option(
        "--measured-only", help="Write the file although nothing about its protection is proven, only measured."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        help="Seed of the random numbers, to repeat them: whoever knows it takes the perturbation back. Secret unless "
        "given.",
        max=2**62,
    ),
]


@dataclass(frozen=True, kw_only=True)
class Files:
    """What is read and written."""

    data: str
    output: str
    report: Path | None
    audience: str | None
    json: Path | None
    delimiter: str | None
    encoding: str | None
    force: bool
    quiet: bool


def run(
    files: Files,
    perturb: Callable[[Any], Perturbation],
    *,
    used: Sequence[str],
    drop: str | None,
    measured_only: bool,
    inputs: Sequence[str] = (),
) -> None:
    """Perturb the file by `perturb` and write it, if the custodian has said that measured is enough.

    Without that word the figures are shown, nothing is written and the exit code is that of "cannot tell".
    """
    from discreet.cli.console import progress, say, split_names, warn
    from discreet.cli.identifiers import notice, without
    from discreet.cli.inputs import Source
    from discreet.cli.outputs import check_outputs, publish
    from discreet.cli.pages import readers

    check_outputs(
        [files.json, files.report],
        data=files.output,
        force=files.force,
        inputs=[files.data, *inputs],
        manifest=True,
    )
    whom = readers(files.audience, files.report)
    source = Source.take(files.data, files.delimiter, files.encoding)
    document = source.read()
    frame = without(document.frame, split_names(drop), used)
    with progress(files.quiet):
        result = perturb(frame)
        if not measured_only:
            if not files.quiet:
                say(result.summary())
            raise InputError(
                "cannot tell: what this protects is measured, not proven, so nothing is written. If measured is enough "
                "for you, say so (--measured-only)"
            )
        warning = notice(frame, [*result.columns, *result.accept])
        verdict = publish(
            result,
            files.output,
            source=source,
            like=document,
            report=files.report,
            audience=whom,
            json=files.json,
            force=files.force,
            measured_only=True,
        )
    if not files.quiet:
        say(result.summary())
        say(verdict.summary())
    if warning is not None:
        warn(warning)
