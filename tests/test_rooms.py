"""The layout is a rule: imports flow one way, rooms know arrays and not one another, the checker knows none of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "discreet"
ROOMS = {"microaggregation", "generalization", "perturbation", "suppression", "tables", "tabular"}
FRAMES = {"pandas", "polars", "narwhals", "pyarrow"}
SOLVERS = {"highspy", "ortools", "lap"}

LAYERS = (
    {"errors", "_version", "kernels"},
    {"measure"},
    {"work", "results", "frames"},
    {"scale", "datasets", "report", "verify", "client"},
    {"solvers", "methods"},
    ROOMS,
    {"instruments"},
    {"release"},
    {"cli"},
    {"pandas", "sklearn"},
    {"demo", "__init__", "__main__"},
)
"""The house from the ground up: whatever stands in one layer imports from the layers below it only."""

UPWARD = {
    ("results", "report"): "a result draws its page when it is asked for one",
    ("cli", "demo"): "the command starts the guided run",
}
"""Where something above is called, within a function: nothing below needs it in order to be imported."""


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def names(node: ast.AST) -> set[str]:
    """What an import statement names: modules, and what is taken from them."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
        return {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return set()


def imports(path: Path) -> set[str]:
    return set().union(*(names(node) for node in ast.walk(tree(path))))


def at_import(path: Path) -> set[str]:
    """What is imported when the module itself is: not within functions, not for types only."""

    def statements(body: list[ast.stmt]) -> Iterator[ast.AST]:
        for node in body:
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            if isinstance(node, ast.If | ast.Try | ast.With | ast.ClassDef):
                yield from statements(node.body)
            yield node

    return set().union(*(names(node) for node in statements(tree(path).body)))


def within(found: set[str], packages: set[str]) -> set[str]:
    return {name for name in found if name.split(".")[0] in packages}


def tops(found: set[str]) -> set[str]:
    """The folders and files at the top of the package among the names of modules."""
    return {name.split(".")[1] for name in found if name.startswith("discreet.")} & TOPS


def top(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


FILES = sorted(PACKAGE.rglob("*.py"))
TOPS = {top(path) for path in FILES}
IDS = {path: str(path.relative_to(PACKAGE)) for path in FILES}
LAYER = {name: number for number, layer in enumerate(LAYERS) for name in layer}


@pytest.mark.parametrize("path", FILES, ids=IDS.get)
def test_imports_flow_one_way(path: Path) -> None:
    home = top(path)
    for other in tops(imports(path)) - {home}:
        if (home, other) in UPWARD:
            assert other not in tops(at_import(path)), "called from above, and not needed in order to be imported"
        else:
            assert LAYER[other] < LAYER[home], f"{home} stands beside or below {other}"


def test_every_part_of_the_house_has_its_layer_and_no_excuse_is_idle() -> None:
    assert set(LAYER) >= TOPS, TOPS - set(LAYER)
    found = {(top(path), other) for path in FILES for other in tops(imports(path))}
    assert set(UPWARD) <= found


def test_no_module_needs_itself() -> None:
    """Nor does any by way of others: what each imports when it is imported has an order."""
    modules = {".".join(("discreet", *path.relative_to(PACKAGE).with_suffix("").parts)): path for path in FILES}
    modules = {name.removesuffix(".__init__"): path for name, path in modules.items()}
    needs = {}
    for name, path in modules.items():
        found = {other for other in at_import(path) if other in modules}
        # `from a import b` names a and a.b; where b is a module, a is not what is wanted.
        found -= {other.rpartition(".")[0] for other in found}
        needs[name] = found - {name}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(" needs ".join(error.args[1]))


@pytest.mark.parametrize("path", FILES, ids=IDS.get)
def test_who_may_import_whom(path: Path) -> None:
    room = top(path)
    found = imports(path)
    ours = {name for name in found if name.split(".")[0] == "discreet"}
    if room in ROOMS:
        assert not within(found, FRAMES), "a room knows arrays, not dataframes"
        assert tops(found) & ROOMS <= {room}, "rooms do not import one another"
        assert not _searches_neighbors(path), "neighbors are found in solvers/neighbours.py"
    if room in {"measure", "frames"}:
        assert not tops(found) & ROOMS, "what reads and measures knows no method"
    if room == "kernels":
        assert all(name.startswith("discreet.kernels") for name in ours), "kernels know nothing of the rooms"
    if room in {"instruments", "release", "report", "cli"}:
        assert "kernels" not in tops(found), "what is compiled is in the rooms"
    if room == "release" and "tables" in tops(found):
        assert path.relative_to(PACKAGE).parts[1].startswith("engine"), "release has one door to the room of tables"
    if room == "verify":
        allowed = ("discreet.verify", "discreet.errors", "discreet.results")
        assert all(name.startswith(allowed) for name in ours), "the checker shares nothing with what it checks"
    if room not in {"solvers", "verify"}:
        assert not within(found, SOLVERS), "solvers are called in solvers/ only"


def _searches_neighbors(path: Path) -> bool:
    return any(name.startswith("scipy.spatial") for name in imports(path))


def test_the_library_prints_nothing() -> None:
    for path in FILES:
        calls = [n for n in ast.walk(tree(path)) if isinstance(n, ast.Call)]
        assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"], path
