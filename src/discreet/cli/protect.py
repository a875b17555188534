"""`discreet protect`: publish a whole file by a recipe that gives every column a role."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options

if TYPE_CHECKING:
    from discreet.instruments.protect.recipe import Recipe
    from discreet.results import Audience


def command(
    data: Annotated[str, typer.Argument(help="CSV, Parquet, Excel, SPSS, Stata or SAS file; - is CSV from a pipe.")],
    recipe: Annotated[
        Path | None, typer.Argument(help="The recipe; without one, a first recipe is printed.", show_default=False)
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Where to write; - is standard output.", show_default=False)
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would happen, and what stands in the way; write nothing.")
    ] = False,
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", help="A left column that may tell who is who, accepted by name. May be repeated."),
    ] = None,
    certify: Annotated[
        bool, typer.Option("--certify", help="Also prove how little any release of this kind could have lost.")
    ] = False,
    keep_secret: Annotated[
        Path | None,
        typer.Option("--keep-secret", help="Store the sets and the draw for the custodian (mode 0600)."),
    ] = None,
    time_limit: options.TimeLimit = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="Repeat search and draw: for tests, as the seed gives the secret away."),
    ] = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Publish a whole file: every column has a role, and each person or household has k matches in all of them.

    Without a recipe, prints one to save and edit. The release is checked by independent code before anything is
    written, and beside it goes a manifest with which anybody who has the original can check it again.
    """
    from discreet.cli.inputs import Source
    from discreet.cli.pages import readers
    from discreet.errors import InputError
    from discreet.instruments.protect.recipe import Recipe

    run: dict[str, Any] = {"--dry-run": dry_run, "--accept": accept, "--certify": certify, "--keep-secret": keep_secret}
    run |= {"--time-limit": time_limit, "--seed": seed, "--report": report, "--json": json, "-o": output}
    run |= {"--audience": audience}
    if recipe is None:
        given = [name for name, value in run.items() if value not in (None, False)]
        if given:
            raise InputError(
                f"{', '.join(given)}: there is no recipe. Save the one that `discreet protect` prints for the data "
                "alone, edit it, and name it after the data"
            )
        _draft(Source.take(data, delimiter, encoding))
        return
    wanted = _beside(Recipe.load(recipe), accept, seed, time_limit)
    if dry_run:
        _foresee(Source.take(data, delimiter, encoding), wanted)
        return
    if output is None:
        raise InputError("say where to write (-o), or what would happen only (--dry-run)")
    files = {name: wanted.path(given) for name, given in wanted.outputs.items()}
    report, json = report or files.get("report"), json or files.get("json")
    secret = keep_secret or files.get("secret")
    whom = readers(audience, report)
    _release(
        wanted,
        Source.take(data, delimiter, encoding),
        output,
        recipe,
        {"report": report, "json": json, "secret": secret},
        audience=whom,
        certify=certify,
        force=force,
        quiet=quiet,
    )


def _beside(recipe: Recipe, accept: list[str] | None, seed: int | None, time_limit: float | None) -> Recipe:
    """The recipe with what the command line says of the run."""
    from dataclasses import replace

    from discreet.instruments.protect.entries import BY_NAME

    changes: dict[str, Any] = {}
    if accept:
        changes["accept"] = {**recipe.accept, **{n: recipe.accept.get(n, BY_NAME) for n in accept}}
    if seed is not None:
        changes["seed"] = seed
    if time_limit is not None:
        changes["time_limit"] = time_limit
    return replace(recipe, **changes) if changes else recipe


def _draft(source: Any) -> None:
    from discreet.cli.console import tell
    from discreet.frames import adopt
    from discreet.instruments.protect.draft import draft

    tell(draft(adopt(source.read().frame)).rstrip("\n"))


def _read(source: Any, recipe: Recipe) -> Any:
    """The document: digits that a float64 does not hold count, and ids and categories are text."""
    told = [*recipe.keys, *recipe.numeric, *recipe.sensitive, *([] if recipe.weight is None else [recipe.weight])]
    text = [*recipe.categorical, *recipe.ordered, *recipe.hierarchies, *([] if recipe.unit is None else [recipe.unit])]
    return source.read(exact=told, verbatim=text)


def _foresee(source: Any, recipe: Recipe) -> None:
    from discreet.cli.console import EXIT_INPUT, tell
    from discreet.frames import adopt
    from discreet.instruments.protect.draft import foresee

    words, faults = foresee(adopt(_read(source, recipe).frame), recipe)
    tell("\n".join([words, *(f"  this stands in the way: {fault}" for fault in faults), "nothing was written"]))
    if faults:
        raise typer.Exit(EXIT_INPUT)


def _release(
    recipe: Recipe,
    source: Any,
    output: str,
    place: Path,
    files: dict[str, Path | None],
    *,
    audience: Audience,
    certify: bool,
    force: bool,
    quiet: bool,
) -> None:
    from discreet.cli.console import progress, say
    from discreet.cli.outputs import Extra, check_outputs, publish
    from discreet.instruments.protect.manifest import command as how
    from discreet.instruments.protect.manifest import manifest_path
    from discreet.instruments.protect.protect import protect_by

    inputs = [source.path, place, *recipe.trees.values(), *map(recipe.path, recipe.earlier)]
    check_outputs(list(files.values()), data=output, force=force, inputs=inputs, manifest=True)
    document, secret = _read(source, recipe), files["secret"]
    with progress(quiet) as callback:
        result = protect_by(document.frame, recipe, certify=certify, progress=callback)
        also = [] if secret is None else [Extra(secret, result.secret())]
        publish(
            result,
            output,
            source=source,
            like=document,
            report=files["report"],
            audience=audience,
            json=files["json"],
            also=also,
            hierarchies=recipe.trees,
            force=force,
        )
    if not quiet:
        say(result.summary())
        if manifest_path(output) is not None:
            say(f"To check it: {shlex.join(how(output, source.path, secret))}")
