"""The page on how the package is built is true: what it names exists, and nobody imports what it does not allow."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "discreet"
TEXT = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`\n]+)`")
# `name` in `file.py`, also across the end of a line.
NAMED = re.compile(r"`(\w+)`\s+(?:in|of)\s+`([\w/]+\.py)`")

WORDS = TEXT.split("```")[0] + TEXT.split("```")[2]  # without the picture
PATHS = sorted({words for words in CODE.findall(WORDS) if re.fullmatch(r"[\w./]+(\.py|/)", words)})


def find(words: str) -> Path:
    return ROOT / words if (ROOT / words).exists() else PACKAGE / words


def table() -> dict[str, set[str]]:
    """The rooms, and what each may import."""
    found = {}
    for line in TEXT.splitlines():
        if line.startswith("| `"):
            _, room, _, allowed, _ = line.split("|")
            found[CODE.findall(room)[0]] = set(CODE.findall(allowed))
    return found


def imported(path: Path) -> set[str]:
    """The folders (`frames/`) and files (`work.py`) at the top of the package that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    tops = {name.split(".")[1] for name in names if name.startswith("discreet.")}
    return {f"{top}/" if (PACKAGE / top).is_dir() else f"{top}.py" for top in tops}


def files_of(room: str) -> list[Path]:
    return sorted((PACKAGE / room).rglob("*.py"))


@pytest.mark.parametrize("words", PATHS)
def test_what_the_page_names_exists(words: str) -> None:
    assert find(words).is_dir() if words.endswith("/") else find(words).is_file()


@pytest.mark.parametrize(("name", "file"), NAMED.findall(TEXT))
def test_what_is_named_in_a_file_is_there(name: str, file: str) -> None:
    body = ast.parse(find(file).read_text(encoding="utf-8")).body
    assert name in {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_the_picture_shows_what_exists() -> None:
    for words in re.findall(r"\b\w+(?:/|\.py)", TEXT.split("```")[1]):
        assert find(words).exists(), words


def test_every_room_is_on_the_page() -> None:
    assert set(table()) == {f"{path.parent.name}/" for path in PACKAGE.glob("*/__init__.py")}
    single = {path.name for path in PACKAGE.glob("*.py") if not path.name.startswith("_")}
    assert single <= set(PATHS)


@pytest.mark.parametrize("room", table())
def test_rooms_import_what_the_page_allows(room: str) -> None:
    allowed = table()[room] | {room, "_version.py"}
    for path in files_of(room):
        assert imported(path) <= allowed, path


def test_three_doors() -> None:
    assert [path.name for path in files_of("tables") if "frames/" in imported(path)] == ["convert.py"]
    assert [path.name for path in files_of("release") if "tables/" in imported(path)] == ["engine.py"]
    assert [path.name for path in files_of("release") if "tabular/" in imported(path)] == ["additive.py"]


def test_the_page_can_be_found() -> None:
    for page, link in (("index.md", "explanation/architecture.md"), ("explanation/papers.md", "architecture.md")):
        assert f"]({link})" in (ROOT / "docs" / page).read_text(encoding="utf-8")
