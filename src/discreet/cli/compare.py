"""`discreet compare`: what several methods, k or recipes risk and lose on one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options

if TYPE_CHECKING:
    from discreet.instruments.comparison.comparison import Comparison
    from discreet.work import ProgressCallback

METHODS = {"columns": "mdav,auto", "keys": "generalize,suppress-locally"}


def command(
    data: Annotated[str, typer.Argument(help="CSV, Parquet, Excel, SPSS, Stata or SAS file; - is CSV from a pipe.")],
    recipes: Annotated[
        list[Path] | None, typer.Argument(help="Recipes of 'discreet protect' to compare.", show_default=False)
    ] = None,
    k: Annotated[
        str | None, typer.Option("-k", help="Least numbers of people who look alike, separated by commas.")
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(
            help="Methods, separated by commas, as mdav, auto, generalize:mondrian, suppress-locally, protect:classes.",
            show_default="mdav,auto for --columns; generalize,suppress-locally for --keys",
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(help="Numeric columns to protect, separated by commas; all of them unless --keys are given."),
    ] = None,
    keys: Annotated[str | None, typer.Option(help="Keys to protect, separated by commas.")] = None,
    known: Annotated[
        str | None,
        typer.Option(help="Columns the intruder knows, separated by commas; all that are protected unless given."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Where to write the table.", show_default=False)
    ] = None,
    bounds: Annotated[
        bool, typer.Option("--bounds/--no-bounds", help="Also prove what no method could beat, for every k.")
    ] = True,
    drop: options.Drop = None,
    accept: options.Accept = None,
    time_limit: options.TimeLimit = None,
    seed: options.Seed = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Put releases of one file side by side: by recipes, or by methods and several k.

    One intruder attacks all of them and one scale measures their loss, so that different instruments can be compared.
    Nothing is published: the table and the map are for whoever decides.
    """
    from discreet.cli.console import progress, say, split_names
    from discreet.cli.inputs import Source
    from discreet.cli.measurements import Kept, words_of, write_measurement
    from discreet.cli.outputs import check_outputs
    from discreet.cli.pages import readers
    from discreet.errors import InputError

    whom = readers(audience, report)
    check_outputs([json, report], data=output, force=force, inputs=[data, *(recipes or ())])
    source = Source.take(data, delimiter, encoding)
    given: dict[str, Any] = {"-k": k, "--methods": methods, "--columns": columns, "--keys": keys}
    given |= {"--drop": drop, "--accept": accept}
    both = [name for name, value in given.items() if value is not None]
    if recipes and both:
        raise InputError(f"{', '.join(both)}: recipes say that themselves; give either recipes or these")
    if not recipes and k is None:
        raise InputError("name recipes to compare, or numbers of people (-k 3,5,10)")
    asked = given | {"--known": known, "--no-bounds": not bounds, "--time-limit": time_limit}
    asked |= {"--seed": seed if whom == "internal" else None, "--delimiter": delimiter, "--encoding": encoding}
    kept = Kept([source], ["discreet", "compare", data, *map(str, recipes or ()), *words_of(asked)], whom)
    with progress(quiet) as callback:
        told = split_names(known)
        if recipes:
            found = _by_recipes(source, recipes, told, bounds, seed, time_limit, callback)
        else:
            roles = {"numeric": split_names(columns) or [], "keys": split_names(keys) or []}
            roles |= {"identifiers": split_names(drop) or [], "accept": accept or []}
            found = _by_methods(
                source, _sizes(k or ""), split_names(methods), roles, told, bounds, seed, time_limit, callback
            )
        write_measurement(found, output, json, report, kept, force=force)
    if not quiet:
        say(found.summary())


def _sizes(text: str) -> list[int]:
    from discreet.errors import InputError

    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError("-k takes whole numbers, separated by commas, such as 3,5,10") from None


def _by_recipes(
    source: Any,
    recipes: list[Path],
    known: list[str] | None,
    bounds: bool,
    seed: int | None,
    time_limit: float | None,
    callback: ProgressCallback | None,
) -> Comparison:
    from dataclasses import replace

    from discreet.errors import InputError
    from discreet.instruments.comparison.compare import compare
    from discreet.instruments.protect.protect import protect_by
    from discreet.instruments.protect.recipe import Recipe

    names = [path.stem for path in recipes]
    names = [str(path) for path in recipes] if len(set(names)) < len(names) else names
    if len(set(names)) < len(names):
        raise InputError("a recipe is named twice: name each once")
    read = [Recipe.load(path) for path in recipes]
    share = None if time_limit is None else time_limit / len(read)
    told, text = [], []
    for recipe in read:
        told += [*recipe.keys, *recipe.numeric, *recipe.sensitive, *([recipe.weight] if recipe.weight else [])]
        text += [*recipe.categorical, *recipe.ordered, *recipe.hierarchies, *([recipe.unit] if recipe.unit else [])]
    frame = source.read(exact=list(dict.fromkeys(told)), verbatim=list(dict.fromkeys(text))).frame
    results = []
    for recipe in read:
        changes: dict[str, Any] = {} if seed is None else {"seed": seed}
        changes |= {} if share is None else {"time_limit": share}
        results.append(protect_by(frame, replace(recipe, **changes), certify=bounds, progress=callback))
    return compare(results, columns=known, names=names, random_state=seed)


def _by_methods(
    source: Any,
    sizes: list[int],
    methods: list[str] | None,
    roles: dict[str, list[str]],
    known: list[str] | None,
    bounds: bool,
    seed: int | None,
    time_limit: float | None,
    callback: ProgressCallback | None,
) -> Comparison:
    from discreet.frames import numeric_columns
    from discreet.instruments.comparison.compare import compare_methods
    from discreet.instruments.comparison.trials import Roles

    frame = source.read(exact=roles["keys"]).frame
    if not roles["keys"] and not roles["numeric"]:
        roles["numeric"] = [name for name in numeric_columns(frame) if name not in roles["identifiers"]]
    words = methods or [
        word
        for role, names in (("numeric", METHODS["columns"]), ("keys", METHODS["keys"]))
        for word in names.split(",")
        if roles[role]
    ]
    return compare_methods(
        frame,
        sizes,
        words,
        Roles(**{name: tuple(columns) for name, columns in roles.items()}),  # type: ignore[arg-type]
        columns=known,
        bounds=bounds,
        random_state=seed,
        time_limit=time_limit,
        progress=callback,
    )
