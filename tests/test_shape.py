"""Nothing is crowded: files, functions, lists of parameters and folders stay small enough to be read at once."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "discreet"
MOST_LINES, MOST_BODY, MOST_PARAMETERS, MOST_FILES = 400, 80, 12, 20

OPTIONS = {
    "instruments/generalize.py: generalize": "its parameters are the options of the instrument, documented one by one",
    "instruments/local_suppression/suppress_locally.py: suppress_locally": "likewise",
    "instruments/microaggregate.py: microaggregate": "likewise",
    "instruments/protect/protect.py: protect": "likewise",
    "instruments/totals/suppress.py: suppress": "likewise",
    "instruments/risk.py: risk": "likewise",
    "instruments/perturbed/pram.py: pram": "likewise",
    "instruments/perturbed/swap_records.py: swap_records": "likewise",
    "instruments/comparison/recommend.py: recommend": "likewise",
    "verify/__init__.py: verify": "its parameters are what a release may claim, documented one by one",
}
"""Functions that may be long and have many parameters, beside the commands: what a user may choose is listed there."""

KNOWN: set[str] = set()
"""What is still too large. The list only gets shorter: who mends a place takes it out, and nothing is put in."""

FILES = sorted(PACKAGE.rglob("*.py"))


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many there are, `self` and `cls` not counted."""
    found = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for argument in found)


def too_large() -> set[str]:
    """Files, functions and folders above the limits; the commands and their folder may have as many as they need."""
    found = set()
    for path in FILES:
        place, text = path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")
        if text.count("\n") > MOST_LINES:
            found.add(place)
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            name = f"{place}: {node.name}"
            command = place.startswith("cli/") and node.name == "command"
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if not command and (lines > MOST_BODY or parameters(node) > MOST_PARAMETERS):
                found.add(name)
    for folder, count in Counter(path.parent for path in FILES).items():
        place = folder.relative_to(PACKAGE).as_posix()
        if count > MOST_FILES and place != "cli":
            found.add(f"{place}/")
    return found


def test_nothing_else_is_too_large() -> None:
    assert not too_large() - KNOWN - set(OPTIONS)


def test_what_was_mended_is_off_the_list() -> None:
    assert not KNOWN - too_large()
    assert not set(OPTIONS) - too_large()
