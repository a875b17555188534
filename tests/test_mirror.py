"""A module's tests are found by its name: those of `release/web/envelope.py` in `test_envelope.py` of `tests/release`.

What has no function, the commands' entry points, the steps of the database's migration and the small problems that
compile kernels ahead (`compilation.py`, `first_jobs.py`) are exempt: there is nothing to test in the one, and the
others are tested as a whole, by what they do: `test_schema.py`, and what `test_first_use.py` finds left to compile.
"""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "src" / "discreet"
EXEMPT = ("__init__.py", "__main__.py", "release/history/migrations/", "/compilation.py", "cli/first_jobs.py")


def has_functions(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(tree))


def modules() -> set[str]:
    """Every module with logic, as a path within the package."""
    found = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    return {name for name, path in found.items() if not any(part in name for part in EXEMPT) and has_functions(path)}


def without_tests(names: set[str]) -> set[str]:
    """Those of which the tests of their room have no file of the name."""
    missing = set()
    for name in names:
        room, _, _ = name.rpartition("/")
        folder = TESTS / room.split("/")[0]
        if not any(folder.rglob(f"test_{Path(name).stem.lstrip('_')}.py")):
            missing.add(name)
    return missing


def test_every_module_with_logic_has_tests_of_its_name() -> None:
    missing = sorted(without_tests(modules()))
    assert not missing, f"no test file has the name of {', '.join(missing)}"


def test_a_module_without_tests_is_noticed() -> None:
    assert without_tests({"kernels/sorting.py", "kernels/never_written.py", "never_written.py"}) == {
        "kernels/never_written.py",
        "never_written.py",
    }
