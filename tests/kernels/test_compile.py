"""Kernels without an entry from Python are called by kernels only: from Python such a call ends the process."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "discreet"
NO_ENTRY, COMPILED = {"inner", "unchecked"}, {"njit", "inner", "unchecked", "inlined"}


def decorators(function: ast.FunctionDef) -> set[str]:
    return {ast.unparse(decorator).split("(")[0] for decorator in function.decorator_list}


def module(path: Path) -> str:
    return ".".join(("discreet", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


TREES = {module(path): ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
WITHOUT_ENTRY = {
    (name, node.name)
    for name, tree in TREES.items()
    for node in tree.body
    if isinstance(node, ast.FunctionDef) and decorators(node) & NO_ENTRY
}


def called_from_python(name: str, tree: ast.Module) -> set[str]:
    """The kernels without entry that a module calls or hands on outside of kernels."""
    known = {kernel for home, kernel in WITHOUT_ENTRY if home == name}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            known |= {a.asname or a.name for a in node.names if (node.module, a.name) in WITHOUT_ENTRY}
    kernels = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and decorators(n) & COMPILED]
    inside = {id(node) for kernel in kernels for node in ast.walk(kernel)}
    uses = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in inside)
    return {f"{name}: {node.id}" for node in uses if node.id in known}


def test_kernels_without_entry_are_called_by_kernels_only() -> None:
    assert WITHOUT_ENTRY
    assert not set().union(*(called_from_python(name, tree) for name, tree in TREES.items()))
