"""Nothing dead: no function, method or class that nobody names, no parameter nobody passes, no field nobody reads.

A script over the syntax tree of the package and its pages. It goes by names, so it cannot see that one of two functions
of a name is dead; what it lists is dead for sure, or is used from outside and stands below with its user.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import discreet

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "discreet"
CALLERS = ("src", "tests", "benchmarks", "examples", "attack")
FROM_OUTSIDE = {
    "_repr_html_": "notebooks",
    "downgrade": "alembic",
    "from_parquet": "whoever counts records of any size (docs/how-to/large-checks.md)",
    "from_tables": "whoever has published margins (docs/how-to/tables.md)",
    "on_end": "numba",
    "on_start": "numba",
    "persistent_id": "pickle",
    "persistent_load": "pickle",
    "send_400_response": "uvicorn",
    "sides_frame": "whoever wants both sides of a bound (docs/how-to/tables.md)",
    "to_json": "whoever writes a certificate",
}
# Decorators that do not hand a function to a framework, which would call it.
PLAIN = (
    *("njit", "inner", "inlined", "unchecked", "property", "cached_property", "cache"),
    *("staticmethod", "classmethod", "abstractmethod", "dataclass"),
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


@cache
def trees() -> dict[Path, ast.Module]:
    return {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for folder in CALLERS
        for path in (ROOT / folder).rglob("*.py")
    }


def nodes() -> Iterator[ast.AST]:
    for tree in trees().values():
        yield from ast.walk(tree)


def called(node: ast.Call) -> str:
    """The last part of what is called, a name or an attribute."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def public() -> set[str]:
    """What packages hand out by `__all__`: whoever calls that may be outside."""
    found: set[str] = set()
    for path in PACKAGE.rglob("__init__.py"):
        for node in trees()[path].body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                found |= {part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)}
    return found | set(discreet.__all__)


def with_default(function: ast.FunctionDef | ast.AsyncFunctionDef, skipped: int) -> list[tuple[int, str]]:
    """The place (without `self`) and the name of each parameter that has a default; keywords have none but the last."""
    given = function.args
    places = [argument.arg for argument in (*given.posonlyargs, *given.args)][skipped:]
    first = len(places) - len(given.defaults)
    found = [(i, name) for i, name in enumerate(places) if i >= first]
    only = zip(given.kwonlyargs, given.kw_defaults)
    return found + [(10**6, argument.arg) for argument, default in only if default is not None]


def own_functions() -> Iterator[tuple[str, str, str, ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    """File, class, the name it is called by, the function, and how many parameters the call does not show.

    Without what frameworks call, and what is public: functions, and the methods of classes, that `__all__` hands out.
    """
    outside = public()
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = trees()[path]
        for home in (tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))):
            owner = home.name if isinstance(home, ast.ClassDef) else ""
            for function in home.body:
                if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                decorators = {re.split(r"\W", ast.unparse(d).split("(")[0])[-1] for d in function.decorator_list}
                made = function.name == "__init__"
                name = owner if made else function.name
                hidden = name.startswith("_") or not owner or owner not in outside
                if decorators <= set(PLAIN) and name not in outside and hidden and (made or name[:2] != "__"):
                    skipped = 1 if owner and "staticmethod" not in decorators else 0
                    yield path.relative_to(PACKAGE).as_posix(), owner, name, function, skipped


def passes(call: ast.Call, place: int, name: str) -> bool:
    spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    return spread or len(call.args) > place or any(keyword.arg in (None, name) for keyword in call.keywords)


def never_passed() -> set[str]:
    calls: defaultdict[str, list[ast.Call]] = defaultdict(list)
    direct = set()
    for node in nodes():
        if isinstance(node, ast.Call):
            calls[called(node)].append(node)
            direct.add(id(node.func))
    handed = {getattr(n, "id", getattr(n, "attr", "")) for n in nodes() if _loads(n) and id(n) not in direct}
    renamed = {a.name for n in nodes() if isinstance(n, ast.ImportFrom) for a in n.names if a.asname}
    found = set()
    for file, owner, name, function, skipped in own_functions():
        if (name in handed and name != owner) or name in renamed:
            continue  # passed on as a value, or called by another name
        known = calls[name] + (calls["__init__"] if name == owner else [])
        for place, argument in with_default(function, skipped):
            if not any(passes(call, place, argument) for call in known):
                found.add(f"{file}: {owner + '.' if owner else ''}{function.name}({argument})")
    return found


def _loads(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)


def test_every_parameter_is_passed_by_somebody() -> None:
    found = never_passed()
    assert not found, "these always have their default: " + ", ".join(sorted(found))


def fields() -> Iterator[tuple[str, str]]:
    """The fields of records (dataclasses and named tuples), with the place where each stands."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(trees()[path]):
            if not isinstance(node, ast.ClassDef):
                continue
            words = [ast.unparse(word) for word in (*node.decorator_list, *node.bases)]
            if any(word.startswith("dataclass") or word == "NamedTuple" for word in words):
                for line in node.body:
                    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                        yield f"{path.relative_to(PACKAGE)}: {node.name}.{line.target.id}", line.target.id


def test_every_field_is_read_by_somebody() -> None:
    """By its name: a named tuple that is only unpacked hides what is never used."""
    read = {node.attr for node in nodes() if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}
    pages = {word for path in PACKAGE.rglob("*.html") for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    dead = [place for place, name in fields() if name not in read | pages]
    assert not dead, "nobody reads these: " + ", ".join(dead)
