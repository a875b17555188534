"""Kernels without an entry from Python are called by kernels only: from Python such a call ends the process.

And no kernel has entries that nobody uses: one from Python, or one for C, takes longer to compile than a small kernel.
"""

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


def decorated(name: str) -> list[tuple[str, ast.expr]]:
    """The kernels of a module that `njit` itself decorates, each with its decorator."""
    nodes = [node for node in TREES[name].body if isinstance(node, ast.FunctionDef)]
    return [(n.name, d) for n in nodes for d in n.decorator_list if ast.unparse(d).split("(")[0] == "njit"]


def test_no_kernel_has_an_entry_for_c() -> None:
    with_entry = [
        f"{name}: {kernel}"
        for name in TREES
        for kernel, decorator in decorated(name)
        if "no_cfunc_wrapper=True" not in ast.unparse(decorator) and "inline" not in ast.unparse(decorator)
    ]
    assert sum(len(decorated(name)) for name in TREES) > 100
    assert not with_entry


def test_private_kernels_that_only_kernels_call_have_no_entry() -> None:
    idle = set()
    for name, tree in TREES.items():
        kernels = [n for n in tree.body if isinstance(n, ast.FunctionDef) and decorators(n) & COMPILED]
        inside = {id(node) for kernel in kernels for node in ast.walk(kernel)}
        used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in inside}
        for kernel, decorator in decorated(name):
            if kernel.startswith("_") and kernel not in used and "no_cpython_wrapper" not in ast.unparse(decorator):
                idle.add(f"{name}: {kernel}")
    assert not idle
