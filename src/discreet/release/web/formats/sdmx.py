"""SDMX-CSV 2.0.0 (data message of SDMX 3.0), and its structure message in SDMX-JSON 2.0.0.

    STRUCTURE,STRUCTURE_ID,ACTION,<dimensions>,OBS_VALUE,SYNTHETIC
    datastructure,DISCREET:auto-A-B(1.0.0),I,no,yes,439,false

Components and codes have identifiers of letters, digits, `_` and `-`, those of components begin with a letter. A text
that is one already stands for itself; any other becomes one, and the structure message says which: its codelists have
the texts as names, in the table's order. The structure of a synthetic margin ends in `SYNTHETIC` besides.

A margin with hidden counts has an attribute `OBS_STATUS` (SDMX cross-domain code list CL_OBS_STATUS): `Q`, missing and
suppressed, where `OBS_VALUE` is empty, else `A`, normal. One with rounded counts has an attribute `ROUNDED_TO`. The
name of its structure ends in the attribute's.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from itertools import product
from typing import Any

from discreet.release.web.formats.cube import SYNTHETIC_NOTE, Cube

AGENCY, VERSION = "DISCREET", "1.0.0"
MEASURE, MARK = "OBS_VALUE", "SYNTHETIC"
STATUS, BASE = "OBS_STATUS", "ROUNDED_TO"
NORMAL, SUPPRESSED = "A", "Q"
RESERVED = (
    "STRUCTURE",
    "STRUCTURE_ID",
    "STRUCTURE_NAME",
    "ACTION",
    "SERIES_KEY",
    "OBS_KEY",
    "TIME_PERIOD",
    MEASURE,
    MARK,
    STATUS,
    BASE,
)
CODE = r"[A-Za-z0-9_][A-Za-z0-9_-]*"
COMPONENT = r"[A-Za-z][A-Za-z0-9_-]*"
SCHEMA = (
    "https://raw.githubusercontent.com/sdmx-twg/sdmx-json/master/structure-message/tools/schemas/2.0.0/"
    "sdmx-json-structure-schema.json"
)


def as_sdmx_csv(cube: Cube) -> bytes:
    """One row per cell; RFC 4180."""
    structure = f"{AGENCY}:{structure_id(cube)}({VERSION})"
    codes = [identifiers(dimension.codes, CODE) for dimension in cube.dimensions]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(["STRUCTURE", "STRUCTURE_ID", "ACTION", *components(cube), MEASURE, MARK, *extra(cube)])
    mark = str(cube.synthetic).lower()
    for place, count in zip(product(*codes), cube.counts):
        status = {STATUS: SUPPRESSED if count is None else NORMAL, BASE: cube.base}
        writer.writerow(["datastructure", structure, "I", *place, count, mark, *(status[name] for name in extra(cube))])
    return buffer.getvalue().encode()


def as_sdmx_structure(cube: Cube) -> bytes:
    """The data structure, its concepts and its codelists."""
    ids, scheme = components(cube), f"{structure_id(cube)}-CONCEPTS"
    concepts = [_named(i, dimension.name) for i, dimension in zip(ids, cube.dimensions)]
    concepts += [
        _named(MEASURE, "Count"),
        _named(MARK, SYNTHETIC_NOTE if cube.synthetic else "Whether it is synthetic"),
        *(_named(name, cube.note or "") for name in extra(cube)),
    ]
    codelists = [
        {
            **_maintained(f"CL-{structure_id(cube)}-{i}", dimension.name),
            "codes": [_named(code, label) for code, label in zip(identifiers(dimension.codes, CODE), dimension.labels)],
        }
        for i, dimension in zip(ids, cube.dimensions)
    ]

    def component(i: str, representation: dict[str, Any]) -> dict[str, Any]:
        concept = f"urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept={AGENCY}:{scheme}({VERSION}).{i}"
        return {"id": i, "conceptIdentity": concept, "localRepresentation": representation}

    def listed(codelist: dict[str, Any]) -> dict[str, Any]:
        return {"enumeration": f"urn:sdmx:org.sdmx.infomodel.codelist.Codelist={AGENCY}:{codelist['id']}({VERSION})"}

    dimensions = [
        {**component(i, listed(codelist)), "position": place} for place, (i, codelist) in enumerate(zip(ids, codelists))
    ]
    kinds = {MARK: "Boolean", STATUS: "String", BASE: "Long"}
    attributes = [
        {
            **component(name, {"format": {"dataType": kinds[name]}}),
            "usage": "mandatory",
            "attributeRelationship": {"observation": {}},
        }
        for name in (MARK, *extra(cube))
    ]
    structure = {
        **_maintained(structure_id(cube), cube.title),
        "dataStructureComponents": {
            "attributeList": {"id": "AttributeDescriptor", "attributes": attributes},
            "dimensionList": {"id": "DimensionDescriptor", "dimensions": dimensions},
            "measureList": {
                "id": "MeasureDescriptor",
                "measures": [component(MEASURE, {"format": {"dataType": "Long"}})],
            },
        },
    }
    content = {
        "meta": {
            "schema": SCHEMA,
            "id": cube.receipt,
            "test": False,
            "prepared": cube.moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "contentLanguages": ["en"],
            "sender": {"id": AGENCY},
        },
        "data": {
            "conceptSchemes": [{**_maintained(scheme, cube.dataset), "concepts": concepts}],
            "codelists": codelists,
            "dataStructures": [structure],
        },
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def structure_id(cube: Cube) -> str:
    ending = [MARK] if cube.synthetic else extra(cube)
    return "-".join([re.sub(r"[^A-Za-z0-9_-]", "_", cube.dataset), *components(cube), *ending])


def extra(cube: Cube) -> list[str]:
    """The attributes of a margin that is told in part."""
    return [BASE] if cube.base > 1 else [STATUS] if cube.hides else []


def components(cube: Cube) -> list[str]:
    return identifiers([dimension.name for dimension in cube.dimensions], COMPONENT, RESERVED)


def identifiers(texts: Sequence[str], pattern: str, reserved: Sequence[str] = ()) -> list[str]:
    """An identifier for each text, all different: the text itself where it is one, else what is left of it."""
    taken = set(reserved)
    own = {t for t in texts if re.fullmatch(pattern, t) and t not in taken}
    taken |= own
    found = []
    for place, given in enumerate(texts):
        made = given
        if given not in own:
            stem = re.sub(r"[^A-Za-z0-9_]+", "_", given).strip("_")
            made = stem if re.fullmatch(pattern, stem) else f"X_{stem}".rstrip("_")
            if made in taken:
                made = f"{made}_{place + 1}"
            while made in taken:
                made += "_"
            taken.add(made)
        found.append(made)
    return found


def _named(i: str, name: str) -> dict[str, Any]:
    return {"id": i, "name": name}


def _maintained(i: str, name: str) -> dict[str, Any]:
    return {"id": i, "agencyID": AGENCY, "version": VERSION, "name": name}
