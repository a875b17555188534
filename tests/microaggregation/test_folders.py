"""The folders of the room build on one another in one direction, and each says what it is for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "discreet" / "microaggregation"
NAME = "discreet.microaggregation."
# Which folders a folder may know, besides itself and the modules above.
FLOW: dict[str, set[str]] = {
    "constructions": set(),
    "search": {"constructions"},
    "certificate": {"constructions", "search"},
    "uneven": set(),
}
# Column generation is a part of the best effort; it is imported when that is asked for.
BESIDES = {"portfolio.py": {"certificate"}}


def known(path: Path) -> set[str]:
    """Folders of the room that a file imports; what is imported for annotations only is not loaded."""
    found: set[str] = set()
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(NAME):
            found.add(node.module.removeprefix(NAME).split(".")[0])
        nodes += ast.iter_child_nodes(node)
    return found & set(FLOW)


def test_every_folder_has_its_place() -> None:
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == set(FLOW)


@pytest.mark.parametrize("folder", FLOW)
def test_a_folder_knows_what_it_builds_on(folder: str) -> None:
    assert 2 < len(list((PACKAGE / folder).glob("*.py"))) <= 20
    assert ast.get_docstring(ast.parse((PACKAGE / folder / "__init__.py").read_text(encoding="utf-8")))
    for path in sorted((PACKAGE / folder).rglob("*.py")):
        assert known(path) <= FLOW[folder] | {folder} | BESIDES.get(path.name, set()), path.name


def test_what_stands_above_knows_no_folder() -> None:
    for path in PACKAGE.glob("*.py"):
        assert not known(path), path.name


def test_kernels_take_records() -> None:
    """No function has more than a dozen parameters or 80 lines, no file more than 400."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 400, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                arguments = node.args
                assert len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]) <= 12, node.name
                assert (node.end_lineno or 0) - node.lineno < 80, node.name
