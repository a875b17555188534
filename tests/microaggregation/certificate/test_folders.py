"""The folders of the certificate build on one another in one direction, and each says what it is for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[3] / "src" / "discreet" / "microaggregation" / "certificate"
NAME = "discreet.microaggregation.certificate."
# Which folders a folder may know, besides itself and the modules above.
FLOW: dict[str, set[str]] = {
    "pricing": set(),
    "cuts": {"pricing"},
    "master": {"pricing", "cuts"},
    "paper": {"master"},
    "exact": {"pricing", "cuts", "master"},
    "partitions": {"pricing", "cuts", "master", "exact", "paper"},
    "large": {"pricing", "master"},
}
# The stages know all; these serve the folders and know only what a cut is and what pricing charges for it.
ABOVE = {"bound": {"pricing"}, "progress": {"cuts"}, "neighbor_bound": set(), "space": set(), "descent": set()}


def known(path: Path) -> set[str]:
    """Folders of the certificate, and its modules above them, that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(NAME):
            found.add(node.module.removeprefix(NAME).split(".")[0])
    return found


def test_every_folder_has_its_place() -> None:
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == set(FLOW)


@pytest.mark.parametrize("folder", FLOW)
def test_a_folder_knows_what_it_builds_on(folder: str) -> None:
    files = sorted((PACKAGE / folder).glob("*.py"))
    assert 2 < len(files) <= 20
    assert ast.get_docstring(ast.parse((PACKAGE / folder / "__init__.py").read_text(encoding="utf-8")))
    for path in files:
        assert known(path) <= FLOW[folder] | {folder} | set(ABOVE), path.name


@pytest.mark.parametrize("module", ABOVE)
def test_what_serves_the_folders_knows_little_of_them(module: str) -> None:
    assert known(PACKAGE / f"{module}.py") & set(FLOW) <= ABOVE[module]
