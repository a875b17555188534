"""The layout is a rule: rooms know arrays and not one another, and the checker knows none of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "discreet"
ROOMS = {"microaggregation", "generalization", "tables", "tabular"}
FRAMES = {"pandas", "polars", "narwhals", "pyarrow"}
SOLVERS = {"highspy", "ortools", "lap"}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def within(names: set[str], packages: set[str]) -> set[str]:
    return {name for name in names if name.split(".")[0] in packages}


def rooms_in(names: set[str]) -> set[str]:
    return {name.split(".")[1] for name in names if name.startswith("discreet.")} & ROOMS


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_who_may_import_whom(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    names = imports(path)
    if room in ROOMS:
        assert not within(names, FRAMES), "a room knows arrays, not dataframes"
        assert rooms_in(names) <= {room}, "rooms do not import one another"
    if room in {"measure", "frames"}:
        assert not rooms_in(names), "what reads and measures knows no method"
    if room == "verify":
        ours = {name for name in names if name.split(".")[0] == "discreet"}
        allowed = ("discreet.verify", "discreet.errors", "discreet.results")
        assert all(name.startswith(allowed) for name in ours), "the checker shares nothing with what it checks"
    if room != "solvers":
        assert not within(names, SOLVERS) or room == "verify", "solvers are called in solvers/ only"


def test_the_library_prints_nothing() -> None:
    for path in FILES:
        calls = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
        assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"], path
