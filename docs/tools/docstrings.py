"""Docstrings as the reference reads them.

The docstrings of this package say under `Parameters` what an argument is, `name : a sentence`, where NumPy's form has a
type, and leave types to the signature; some have a table of arguments instead. Both become NumPy's form here, so that
the reference lists every argument with its type, its default and its sentence.
"""

from __future__ import annotations

import re

from griffe import Class, Extension, Function

ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*) : (?P<words>.*)")
ROW = re.compile(r"\| (?P<names>[\w, *`]+?) \| (?P<words>.*) \|")


def in_numpy_form(text: str) -> str:
    """A docstring with `name : sentence`, or with a table of arguments, as NumPy's form has it."""
    lines, made, inside, table = text.splitlines(), [], False, False
    for line, following in zip(lines, [*lines[1:], ""]):
        if following.startswith("---") and line and not line.startswith("|"):
            inside = line == "Parameters"
        entry = ENTRY.fullmatch(line) if inside else None
        row = ROW.fullmatch(line) if table else None
        if line == "| argument | |":
            table = True
            made += ["Parameters", "----------"]
        elif entry or row:
            found = entry or row
            assert found is not None
            made += [found["names"].replace("`", ""), "    " + found["words"]]
        elif not (table and line.startswith("|---")):
            table = table and not line
            made.append(line)
    return "\n".join(made)


class NumpyForm(Extension):
    """Rewrites the docstrings of functions and classes before they are parsed."""

    def on_function_instance(self, *, func: Function, **_: object) -> None:
        self._rewrite(func)

    def on_class_instance(self, *, cls: Class, **_: object) -> None:
        self._rewrite(cls)

    def _rewrite(self, found: Function | Class) -> None:
        if found.docstring:
            found.docstring.value = in_numpy_form(found.docstring.value)
