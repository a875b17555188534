"""Strict readers of the formats that offices exchange, written from their specifications alone.

Each gives the dimensions with codes and labels, and the counts as a dictionary from codes to numbers; anything that the
specification does not allow is an assertion.
"""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any, NamedTuple

# The recommended order of the PX-file format specification 2013, as far as these keywords go.
PX_ORDER = (
    "CHARSET", "AXIS-VERSION", "CODEPAGE", "LANGUAGE", "CREATION-DATE", "TABLEID", "DECIMALS", "SHOWDECIMALS", "MATRIX",
    "AGGREGALLOWED", "SUBJECT-CODE", "SUBJECT-AREA", "TITLE", "CONTENTS", "UNITS", "STUB",
    "HEADING", "VALUES", "CODES", "LAST-UPDATED", "SOURCE", "NOTEX", "NOTE", "DATASYMBOL2", "DATA",
)  # fmt: skip
PX_MANDATORY = {
    "DECIMALS", "MATRIX", "SUBJECT-CODE", "SUBJECT-AREA", "TITLE", "CONTENTS", "UNITS", "VALUES", "DATA",
}  # fmt: skip


class Read(NamedTuple):
    """What a file says: names, codes and labels per dimension, the cells, and everything else by its key."""

    names: list[str]
    codes: list[list[str]]
    labels: list[list[str]]
    cells: dict[tuple[str, ...], int | None]
    other: dict[str, Any]


def _cells(codes: list[list[str]], values: list[int | None]) -> dict[tuple[str, ...], int | None]:
    places = list(product(*codes))
    assert len(places) == len(values)
    return dict(zip(places, values))


def read_px(data: bytes) -> Read:
    text = data.decode("utf-8")
    assert text.endswith(";\r\n")
    assert all(len(line) <= 256 for line in text.split("\r\n"))
    assert "\n" not in text.replace("\r\n", "")
    found: dict[tuple[str, str | None], list[str]] = {}
    order: list[str] = []
    place = 0
    head = re.compile(r'([A-Z][A-Z0-9-]*)(?:\("([^"]*)"\))?=')
    while text[place:].strip():
        start = head.match(text, place)
        assert start, text[place : place + 40]
        keyword, sub = start[1], start[2]
        order.append(keyword)
        place = start.end()
        if keyword == "DATA":
            end = text.index(";", place)
            found[keyword, sub] = text[place:end].split()
        else:
            found[keyword, sub], end = _px_values(text, place)
        place = end + 1
        assert text[place : place + 2] == "\r\n"
        place += 2
    assert [k for i, k in enumerate(order) if k not in order[:i]] == [k for k in PX_ORDER if k in order]
    assert order[-1] == "DATA"
    assert not PX_MANDATORY - set(order)
    names = found.get(("STUB", None), []) + found.get(("HEADING", None), [])
    assert names and len(set(names)) == len(names)
    labels = [found["VALUES", name] for name in names]
    codes = [found["CODES", name] for name in names]
    for ours, theirs in zip(codes, labels):
        assert len(ours) == len(theirs) and len(set(ours)) == len(ours) and len(set(theirs)) == len(theirs)
    other = {keyword: values for (keyword, sub), values in found.items() if sub is None}
    values = [None if cell == '".."' else int(cell) for cell in found["DATA", None]]
    assert (None in values) == ("DATASYMBOL2" in other)
    return Read(names, codes, labels, _cells(codes, values), other)


def _px_values(text: str, place: int) -> tuple[list[str], int]:
    """The values from here to the semicolon outside quotation marks; pieces without a comma between them are one."""
    values: list[str] = []
    joined = False
    while True:
        while text.startswith("\r\n", place):
            place += 2
        if text[place] == ";":
            return values, place
        if text[place] == ",":
            joined = False
            place += 1
        elif text[place] == '"':
            end = text.index('"', place + 1)
            piece = text[place + 1 : end]
            assert "\n" not in piece
            if joined:
                values[-1] += piece
            else:
                values.append(piece)
            joined, place = True, end + 1
        else:
            word = re.match(r"[A-Za-z0-9]+", text[place:])
            assert word, text[place : place + 20]
            values.append(word[0])
            place += word.end()


def read_json_stat(data: bytes) -> Read:
    content = json.loads(data)
    assert content["version"] == "2.0" and content["class"] == "dataset"
    names, size = content["id"], content["size"]
    assert len(names) == len(size) == len(content["dimension"]) and set(names) == set(content["dimension"])
    codes, labels = [], []
    for name, number in zip(names, size):
        category = content["dimension"][name]["category"]
        assert isinstance(category["index"], list) and len(set(category["index"])) == number
        assert set(category["label"]) == set(category["index"])
        codes.append(category["index"])
        labels.append([category["label"][code] for code in category["index"]])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", content["updated"])
    assert all(value is None or isinstance(value, int) for value in content["value"])
    status = content.get("status", {})
    assert isinstance(status, str) or all(0 <= int(place) < len(content["value"]) for place in status)
    if "note" in content:
        assert all(isinstance(note, str) for note in content["note"])
    return Read(names, codes, labels, _cells(codes, content["value"]), content)


def read_sdmx(data: bytes, structure: bytes) -> Read:
    """A data message with the structure message that explains it."""
    message = json.loads(structure)["data"]
    (definition,) = message["dataStructures"]
    lists = {
        f"urn:sdmx:org.sdmx.infomodel.codelist.Codelist={c['agencyID']}:{c['id']}({c['version']})": c
        for c in message["codelists"]
    }
    (scheme,) = message["conceptSchemes"]
    urn = f"urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept={scheme['agencyID']}:{scheme['id']}({scheme['version']})"
    concepts = {f"{urn}.{concept['id']}": concept["name"] for concept in scheme["concepts"]}
    parts = definition["dataStructureComponents"]
    dimensions = parts["dimensionList"]["dimensions"]
    assert [dimension["position"] for dimension in dimensions] == list(range(len(dimensions)))
    (measure,) = parts["measureList"]["measures"]
    attributes = [attribute["id"] for attribute in parts["attributeList"]["attributes"]]
    ids = [dimension["id"] for dimension in dimensions]
    for one in (*ids, measure["id"], *attributes):
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_\-]*", one)
    names = [concepts[dimension["conceptIdentity"]] for dimension in dimensions]
    found = [lists[dimension["localRepresentation"]["enumeration"]]["codes"] for dimension in dimensions]
    codes = [[code["id"] for code in codelist] for codelist in found]
    labels = [[code["name"] for code in codelist] for codelist in found]
    for codelist in codes:
        assert len(set(codelist)) == len(codelist)
        assert all(re.fullmatch(r"[A-Za-z0-9_@$\-]+", code) for code in codelist)
    lines = data.decode().split("\r\n")
    assert lines.pop() == ""
    rows = [line.split(",") for line in lines]  # nothing here needs quotation marks
    assert not any('"' in line for line in lines)
    assert rows[0] == ["STRUCTURE", "STRUCTURE_ID", "ACTION", *ids, measure["id"], *attributes]
    assert len(set(rows[0])) == len(rows[0])
    named = f"{definition['agencyID']}:{definition['id']}({definition['version']})"
    cells: dict[tuple[str, ...], int | None] = {}
    told: dict[str, list[str]] = {attribute: [] for attribute in attributes}
    for row in rows[1:]:
        assert row[:3] == ["datastructure", named, "I"] and len(row) == len(rows[0])
        at = 3 + len(ids)
        cells[tuple(row[3:at])] = int(row[at]) if row[at] else None
        for attribute, value in zip(attributes, row[at + 1 :]):
            told[attribute].append(value)
    assert list(cells) == list(product(*codes)) and len(cells) == len(rows) - 1
    marks = set(told.pop("SYNTHETIC"))
    assert len(marks) == 1 and marks <= {"true", "false"}
    other = {"synthetic": marks == {"true"}, "id": definition["id"], "rows": rows, "attributes": told}
    return Read(names, codes, labels, cells, other)
