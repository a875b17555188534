"""No function, method or class that nobody names: a script over the syntax tree of the package and its pages.

It goes by names, so it cannot see that one of two functions of a name is dead; what it lists is dead for sure, or is
called from outside and stands in `FROM_OUTSIDE` with its caller.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "discreet"
FROM_OUTSIDE = {
    "_repr_html_": "notebooks",
    "coverage": "whoever holds a hierarchy",
    "downgrade": "alembic",
    "from_tables": "whoever has published margins (docs/how-to/tables.md)",
    "on_end": "numba",
    "on_start": "numba",
    "sides_frame": "whoever wants both sides of a bound (docs/how-to/tables.md)",
    "to_json": "whoever writes a certificate",
}
# Decorators that do not hand a function to a framework, which would call it.
PLAIN = (
    "njit",
    "inner",
    "inlined",
    "unchecked",
    "property",
    "cached_property",
    "cache",
    "staticmethod",
    "classmethod",
    "abstractmethod",
    "dataclass",
)


def named() -> Counter[str]:
    """How often each name is used: as a name, an attribute, in a short text or on a page."""
    found: Counter[str] = Counter()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name):
                found[node.id] += 1
            elif isinstance(node, ast.Attribute):
                found[node.attr] += 1
            elif isinstance(node, ast.ImportFrom):  # imported under another name, which is the one that is used
                found.update(alias.name for alias in node.names if alias.asname)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
                found.update(re.findall(r"\w+", node.value))
    for path in PACKAGE.rglob("*.html"):
        found.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return found


def defined() -> list[tuple[Path, str]]:
    """Functions, methods and classes that no framework calls."""
    out = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            decorators = [
                re.split(r"\W", ast.unparse(decorator).split("(")[0])[-1] for decorator in node.decorator_list
            ]
            if not node.name.startswith("__") and all(decorator in PLAIN for decorator in decorators):
                out.append((path.relative_to(PACKAGE), node.name))
    return out


def test_every_function_has_somebody_who_names_it() -> None:
    uses = named()
    dead = [f"{path}: {name}" for path, name in defined() if not uses[name] and name not in FROM_OUTSIDE]
    assert not dead, "nobody calls these: " + ", ".join(dead)


def test_what_is_excused_is_there_and_not_used_within() -> None:
    uses, there = named(), {name for _, name in defined()}
    assert set(FROM_OUTSIDE) <= there, set(FROM_OUTSIDE) - there
    assert not [name for name in FROM_OUTSIDE if uses[name]], "used within: no excuse is needed"
