"""The folders of the room stand in an order: each imports only those before it, whatever a function loads later."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import discreet.tables

ROOM = Path(discreet.tables.__file__).parent
BEFORE = {
    "theory": set(),
    "outer": {"theory"},
    "state": {"theory", "outer"},
    "sharpen": {"theory", "outer", "state"},
    "update": {"theory", "outer", "state", "sharpen"},
    "draw": {"theory", "outer", "state"},
    "bounds": {"theory", "outer", "state", "sharpen", "update", "draw"},
}


def imported(node: ast.AST) -> Iterator[str]:
    """Modules of the room that a file loads; what is imported for annotations only is not loaded."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("discreet.tables"):
        words = node.module.split(".")
        yield from [words[2]] if len(words) > 2 else [alias.name for alias in node.names]
    for child in ast.iter_child_nodes(node):
        yield from imported(child)


@pytest.mark.parametrize("folder", BEFORE)
def test_a_folder_imports_only_those_before_it(folder: str) -> None:
    for path in sorted((ROOM / folder).glob("*.py")):
        found = set(imported(ast.parse(path.read_text(encoding="utf-8"))))
        later = (found & BEFORE.keys()) - BEFORE[folder] - {folder}
        assert not later, f"{path.name} imports {sorted(later)}"


def test_every_folder_is_in_the_order_and_says_what_it_is_for() -> None:
    folders = {path.parent.name for path in ROOM.glob("*/__init__.py")}
    assert folders == BEFORE.keys()
    for folder in folders:
        assert ast.get_docstring(ast.parse((ROOM / folder / "__init__.py").read_text(encoding="utf-8")))
