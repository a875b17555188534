"""Additive tables as people know them, for reports and for the public: nested headers, hidden cells by their class.

Linked tables are shown one by one: a table is a largest set of variables that some cell is broken down by. A problem
without labels is a list of its cells by number. For the custodian a hidden cell says why it is hidden; the public page
says only that it is, and holds nothing else.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from discreet.frames.tabular.decimals import decimal_texts
from discreet.report.nested import Axis, layout
from discreet.results import Nested, Section
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.audit import Guards
from discreet.tabular.linking import broken_down, largest_sets
from discreet.tabular.problem import FIXED, PRIMARY, SECONDARY, Ints

# What a cell shows instead of its amount, and the class of its mark.
REASONS = {PRIMARY: ("sensitive", "primary"), SECONDARY: ("protects", "secondary")}
HIDDEN = ("×", "hidden")
MOST_TABLES = 20
MOST_NUMBERS = 4
MOST_CELLS = 20_000  # in all tables of a report, which is to stay below 2 MB


def status_sections(table: AdditiveTable) -> list[Section]:
    """Which cells are sensitive, table by table, and no amounts."""
    shown = {PRIMARY: REASONS[PRIMARY], SECONDARY: REASONS[SECONDARY], FIXED: ("0", "")}
    texts = [shown.get(code, ("·", "")) for code in table.problem.cells.status.tolist()]
    return _sections(table, texts, "Cells that the rules call sensitive. No amount is shown: nothing is hidden yet.")


def published_sections(table: AdditiveTable, *, public: bool = False, whole: bool = False) -> list[Section]:
    """The table with its published amounts; hidden cells show their reason or, for the `public`, that they are."""
    cells = table.problem.cells
    texts = [(text, "") for text in decimal_texts(cells.value, table.decimals)]
    for i in np.flatnonzero(cells.hidden).tolist():
        texts[i] = HIDDEN if public else REASONS[int(cells.status[i])]
    why = ", and why other cells are not" * bool(cells.hidden.any())
    return _sections(table, texts, "" if public else f"What is published{why}.", whole=whole)


def map_sections(table: AdditiveTable, guarding: Guards) -> list[Section]:
    """What protects what: sensitive cells by number, and in each cell that protects the numbers of those it is for."""
    cells = table.problem.cells
    texts = [("·", "")] * table.cells
    sensitive = np.flatnonzero(cells.status == PRIMARY).tolist()
    number = {cell: at for at, cell in enumerate(sensitive, start=1)}
    for cell, at in number.items():
        texts[cell] = (f"{at}", REASONS[PRIMARY][1])
    for guard in guarding.guards:
        own = [str(number[cell]) for cell in guard.protects]
        more = f" and {len(own) - MOST_NUMBERS} more" if len(own) > MOST_NUMBERS else ""
        texts[guard.cell] = (f"for {', '.join(own[:MOST_NUMBERS])}{more}" if own else "asked", REASONS[SECONDARY][1])
    how = (
        "the sensitive cells that would be too narrow if it were published"
        if guarding.tried
        else "the sensitive cells whose witness tables move it"
    )
    words = f"Sensitive cells have numbers. A cell that is hidden for others has the numbers of {how}"
    words += "; 'asked' where none needs it and it was to be hidden." if guarding.tried else "."
    return [
        replace(each, title=f"What protects what: {each.title}", confidential=True)
        for each in _sections(table, texts, words)
    ]


def public_page(table: AdditiveTable, *, title: str) -> str:
    """A page with the published cells and nothing else, ready to be put on a site."""
    from discreet.report.html import public

    sections = published_sections(table, public=True, whole=True)
    return public(title, [(section.title, section.nested) for section in sections if section.nested is not None])


def _sections(table: AdditiveTable, texts: list[tuple[str, str]], words: str, *, whole: bool = False) -> list[Section]:
    """A section a table; not `whole`, the first rows, columns and tables of very large ones."""
    if not table.variables:
        numbers = Axis("cell", [str(i) for i in range(table.cells)], [0] * table.cells)
        return [
            Section(
                "Cells",
                words,
                nested=layout([numbers], {(i,): text for i, text in enumerate(texts)}, ("0", ""), whole=whole),
            )
        ]
    sections: list[Section] = []
    masks, shown = broken_down(table.codes), 0
    tables = _tables(table, masks)
    for mask, subset in tables:
        if not whole and (len(sections) >= MOST_TABLES or shown >= MOST_CELLS):
            left = len(tables) - len(sections)
            return [*sections, Section("Further tables", f"Not shown here: {left} more of the {len(tables)} tables.")]
        chosen = np.flatnonzero((masks & ~mask) == 0).tolist()
        cells = {tuple(table.codes[i, subset].tolist()): texts[i] for i in chosen}
        axes = [Axis(table.variables[v], table.trees[v].labels, table.trees[v].depth.tolist()) for v in subset]
        nested: Nested = layout(axes, cells, ("0", ""), whole=whole)
        shown += sum(len(line.cells) for line in nested.lines)
        sections.append(Section(" by ".join(axis.name for axis in axes), words, nested=nested))
    return sections


def _tables(table: AdditiveTable, masks: Ints) -> list[tuple[int, list[int]]]:
    """The largest sets of variables, each with its places; one with no variables where there is a total alone."""
    out = []
    for mask in largest_sets(masks):
        subset = [v for v in range(len(table.variables)) if mask >> v & 1]
        out.append((mask, subset or [0]))
    return out
