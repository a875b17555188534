"""`discreet suppress`: hide the cheapest cells of a table such that no sensitive one can be inferred, with a proof."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated, Any

import typer

from discreet.cli import options

Tables = Annotated[
    list[str],
    typer.Argument(help="A .jj or .csp problem, or tables with totals: long CSV or τ-ARGUS files. Several are linked."),
]


def command(
    tables: Tables,
    output: options.Output,
    rule: options.Rule = None,
    hierarchy: options.TableHierarchy = None,
    cost: Annotated[
        str | None, typer.Option("--cost", help="What hiding a cell costs: unit, count, value or file.")
    ] = None,
    earlier: Annotated[
        list[str] | None, typer.Option("--earlier", help="An earlier release of the same table. May be repeated.")
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option("--known", help="Numbers of cells that one attacker knows, separated by commas. May be repeated."),
    ] = None,
    singletons: Annotated[
        bool | None,
        typer.Option("--singletons/--no-singletons", help="Single respondents know their cells.", show_default=False),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Write the evidence of the bound, for verify-pattern.")
    ] = None,
    public: Annotated[
        Path | None, typer.Option("--public", help="Write a page with the published cells and nothing else.")
    ] = None,
    time_limit: options.TimeLimit = None,
    seed: options.Seed = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Hide cells at the least cost, so that every sensitive cell is protected to its levels.

    A problem (.jj) is written with hidden cells marked m and all true values: it stays with the custodian, as do the
    certificate, the report and the JSON. A long table is written as it may be published, hidden cells empty.
    Nothing is written that the audit or the independent check refuses. The certificate proves how little could have
    been hidden at least.
    """
    from discreet.cli.audit import cells_of
    from discreet.cli.console import progress, teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.cli.pages import readers, record
    from discreet.errors import InputError
    from discreet.frames.atomic import together
    from discreet.instruments.totals.suppress import suppress
    from discreet.report import page

    whom = readers(audience, report)
    trees = options.pairs(hierarchy, "--hierarchy", "variable=file.csv")
    kind = PurePath(output).suffix.lower()
    problem = kind in (".jj", ".csp")
    if kind in (".tab", ".rda"):
        raise InputError(
            "a τ-ARGUS table holds the values of its hidden cells: publish the table as .csv, or keep the pattern "
            "as .jj"
        )
    check_outputs(
        [json, report, certificate, public, *([output] if problem else [])],
        data=None if problem else output,
        force=force,
        inputs=[*tables, *(earlier or []), *trees.values()],
    )
    if not problem and PurePath(tables[0]).suffix.lower() in (".jj", ".csp"):
        raise InputError("a problem without labels is written as .jj or .csp only")
    with progress(quiet) as callback:
        result = suppress(
            tables if len(tables) > 1 else tables[0],
            hierarchies=trees or None,
            rules=rule or None,
            cost=cost,
            earlier=earlier or (),
            attackers=[cells_of(text) for text in known or []],
            singletons=singletons,
            certify=certificate is not None,
            time_limit=time_limit,
            random_state=seed,
            progress=callback,
        )
    proof = result.certificate
    if certificate is not None and proof is None:
        raise InputError("there is no certificate for this pattern, for which the audit asked more: leave it out")
    with together(force) as batch:
        temporary = batch.path(output, suffix=kind or ".csv", last=True)
        verdict = _checked(result, temporary, tables[0], kind)
        evidence = None if certificate is None else (certificate, as_json(proof or {}))

        def kept() -> Any:
            going = None if problem else (output, temporary)  # a problem has all true values: it is not published
            how = _again(tables, output, certificate, known)
            return record(tables, published=going, certificate=evidence, command=how)

        texts: dict[Path | None, Any] = {
            certificate: lambda: evidence[1] if evidence else "",
            json: lambda: as_json(result.to_dict()),
            report: lambda: page([result], verdicts=[verdict], audience=whom, record=kept()),
            public: lambda: result.public(PurePath(output).stem),
        }
        for path, text in texts.items():
            if path is not None:
                batch.text(path, text())
    if not quiet:
        tell = teller(json)
        tell(result.summary())
        tell(f"checked: {verdict.outcome}")


def _again(tables: list[str], output: str, certificate: Path | None, known: list[str] | None) -> list[str]:
    """The command that checks a pattern in a problem again; a long table has no true values to check it by."""
    if any(PurePath(path).suffix.lower() not in (".jj", ".csp") for path in (*tables, output)) or len(tables) > 1:
        return []
    words = ["discreet", "verify-pattern", tables[0], output]
    words += [] if certificate is None else ["--certificate", str(certificate)]
    return [*words, *(word for text in known or [] for word in ("--known", text))]


def _checked(result: Any, temporary: Path, source: str, kind: str) -> Any:
    """Fill the file and have it read back: what is judged is what is published."""
    from tempfile import TemporaryDirectory

    from discreet.errors import UnsafeReleaseError
    from discreet.frames import write
    from discreet.instruments.totals.additive import table_document, written_problem
    from discreet.verify.tabular import verify_pattern

    if kind in (".jj", ".csp"):
        as_read = PurePath(source).suffix.lower() in (".jj", ".csp") and result.cost_kind == "file"
        temporary.write_text(written_problem(result.table, like=source if as_read else None), encoding="utf-8")
        with TemporaryDirectory(prefix="discreet-") as folder:
            posed = Path(folder) / "posed.jj"
            posed.write_text(written_problem(result.table.with_problem(result.problem)), encoding="utf-8")
            verdict = verify_pattern(
                str(posed),
                str(temporary),
                certificate=result.certificate,
                witnesses=result.audit.witnesses,
                attackers=[own.tolist() for own in result.knowledge.attackers],
                holders=result.knowledge.known_parts(result.table.decimals),
                limits=result.knowledge.uncovered(),
            )
    else:
        write(table_document(result.table, public=True), temporary, force=True, format=kind.removeprefix(".") or None)
        _check_empty(result.table, temporary)
        verdict = result.verify()
    if not verdict.safe:
        raise UnsafeReleaseError(
            "the independent check does not confirm this pattern, so it is not written.\n" + verdict.summary()
        )
    return verdict


def _check_empty(table: Any, temporary: Path) -> None:
    """Read the file that is to be published: every hidden cell must be there, empty, and no other column tell of it."""
    from discreet.errors import UnsafeReleaseError
    from discreet.frames import read

    document = read(temporary)
    columns = {name: document.text(name).tolist() for name in document.names}
    told = [name for name in columns if name not in (*table.variables, "status")]
    hidden = {table.labels(cell) for cell in table.problem.cells.hidden.nonzero()[0].tolist()}
    marked = set()
    for at, labels in enumerate(zip(*(columns[name] for name in table.variables))):
        if labels in hidden and columns["status"][at] == "hidden":
            if any(columns[name][at] not in (None, "") for name in told):
                break
            marked.add(labels)
    if marked != hidden:
        raise UnsafeReleaseError("the file that was written tells a hidden cell, so it is not published")
