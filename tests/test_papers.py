"""The map from the papers to the code is true: every file and every name on the page exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "explanation" / "papers.md"
ROOMS = ROOT / "src" / "discreet"
CODE = re.compile(r"`([^`]+)`")


def rows() -> list[tuple[str, str, str]]:
    """Paper, file and name cell of every row of every table."""
    found, paper = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            paper = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| in the paper |"):
            _, _, file, name, *_ = (cell.strip() for cell in line.split("|"))
            found.append((paper, file, name))
    return found


def path_of(words: str) -> Path:
    return ROOT / words if (ROOT / words).exists() else ROOMS / words


@cache
def names_in(path: Path) -> set[str]:
    """Functions, classes, methods as `Class.method`, and what is assigned at the top."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


@pytest.mark.parametrize(("paper", "file", "name"), rows())
def test_what_the_page_names_exists(paper: str, file: str, name: str) -> None:
    files, names = CODE.findall(file), CODE.findall(name)
    assert files, f"{paper}: a row without a file"
    assert names, f"{paper}: a row without a name"
    paths = [path_of(words) for words in files]
    for path in paths:
        assert path.is_file(), path
    known = {each for path in paths for each in names_in(path)}
    assert set(names) <= known, set(names) - known


def test_every_paper_has_its_table() -> None:
    headings = {line.removeprefix("## ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:3] == "## "}
    assert headings == {paper for paper, _, _ in rows()}
    assert len(headings) >= 2


def test_what_the_paper_folder_holds_is_on_the_page() -> None:
    """What is written under a paper's names can be found from the paper."""
    listed = {path_of(words) for _, file, _ in rows() for words in CODE.findall(file)}
    folder = ROOMS / "microaggregation" / "certificate" / "paper"
    assert {path for path in folder.glob("*.py") if path.name != "__init__.py"} <= listed
