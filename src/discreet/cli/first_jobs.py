"""The small jobs that `first_use` gives to processes: made-up files of numbers and persons, read, written, checked."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

NUMBERS = "name,x,y\n" + "".join(f"a,{i // 2}.5,{i // 2}\n" for i in range(8))

PERSONS = "age,sex\n20,f\n21,f\n22,m\n23,m\n24,f\n25,f\n"
BOXES = """age,sex
"[22, 25]","{f, m}"
"[20, 24]",f
"[22, 25]","{f, m}"
"[20, 25]",f
"[20, 24]",f
"[21, 23]","{f, m}"
"""
SECRET = """published_row,origin,drawn,match_1,match_2,match_3
0,5,1,5,2,3
1,1,1,1,4,0
2,2,1,2,3,5
3,0,1,0,5,4
4,4,1,4,0,1
5,3,1,3,1,2
"""

COUNTS = "a,b,count\n" + "".join(f"{i},{j},{i + j}\n" for i in range(2) for j in range(2))


def compile_numbers_checked() -> None:
    """Read a file of numbers, write it, check it."""
    from discreet.verify import verify

    with TemporaryDirectory() as folder:
        original, published = _read_and_written(folder, NUMBERS, ["x", "y"])
        verify(original, published, k=2)


def compile_queries() -> None:
    """A few boxes over points in a plane: which points they hold."""
    import numpy as np

    from discreet.verify.matchings.graph import Boxes, build, query

    plane = np.arange(4, dtype=np.int64)
    _, tree = build(np.stack([plane, plane], axis=1).astype(np.int32))
    boxes = Boxes(np.stack([plane, plane], axis=1)[:3], plane[:1].repeat(2), plane, plane[:3], plane[1:])
    query(tree, boxes, 0, 3, np.full(3, 9), 0)


def compile_flows() -> None:
    """The flows between a few boxes and points that the check of matchings looks for."""
    import numpy as np

    from discreet.verify.matchings.flow import candidates, graph, k_flow, strong_components

    one = np.ones(4, np.int64)
    g = graph(np.array([2, 1, 2, 2]), np.array([2, 3, 0, 1, 3, 0, 2], np.int32), one, one)
    flow, _ = k_flow(g, 1)  # not found at once: something must be pushed
    candidates(g, flow, strong_components(g, flow))


def compile_boxes_checked() -> None:
    """Read a file of persons, write one, read boxes about them as the check does, and check the secret.

    Not the whole check: other jobs compile what it has of queries and flows, perhaps at this moment.
    """
    import numpy as np

    from discreet.verify.matchings.reading import read_attribute
    from discreet.verify.matchings.secret import verify_secret
    from discreet.verify.order import held_pairs
    from discreet.verify.readers import open_table

    with TemporaryDirectory() as folder:
        original, published = _read_and_written(folder, PERSONS, ["age", "sex"])
        published.write_text(BOXES)
        before, after = open_table(original, "the original"), open_table(published, "the published data")
        readings = []
        for name in ("age", "sex"):
            columns = before.column(name), after.column(name)
            readings.append(read_attribute(*columns, categorical=False, labels=None, missing="value")[0])
        before.left_rows(after, ["sex"])
    verify_secret(SECRET, readings, k=3)
    everyone = np.arange(readings[0].codes.size)
    held_pairs(readings, everyone, everyone)


def compile_certificate_checked() -> None:
    """All groups of a few records, priced under one cut, as the check of a certificate lists them."""
    import numpy as np

    from discreet.verify.certificates.groups import enumerate_below
    from discreet.verify.certificates.points import group_costs, scaled
    from discreet.verify.certificates.reading import Cut
    from discreet.verify.certificates.walk import penalties, rules_of

    n, k = 12, 3
    points = scaled(np.random.default_rng(0).standard_normal((n, 3)), "sd").points
    rules = rules_of([Cut((0, 1, 2), (1, 1, 1), 2, 0.5)], n)
    found = enumerate_below(points, np.zeros(n), np.full(n, 1e3), k, rules, most=10**6, branches=10**6)
    group_costs(points, found.groups, found.sizes)
    penalties(rules, found.groups, found.sizes)


def compile_counts_read() -> None:
    """Read a file of counts, write it, read it as the check does."""
    from discreet.verify.readers import open_table

    with TemporaryDirectory() as folder:
        original, _ = _read_and_written(folder, COUNTS, [])
        open_table(original, "the table").column("count")


def _read_and_written(folder: str, text: str, anew: list[str]) -> tuple[Path, Path]:
    from discreet.frames import read, write

    original, published = Path(folder) / "original.csv", Path(folder) / "published.csv"
    original.write_text(text)
    document = read(original)
    write(document.frame, published, like=document, anew=anew)
    return original, published
