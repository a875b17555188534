"""The custodian's secret: honest ones are confirmed, forged ones are not, malformed ones are an error."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.readings import intervals, sets

import discreet as dc
from discreet.errors import InputError
from discreet.verify.matchings.reading import Reading
from discreet.verify.matchings.secret import Behind, Opened, components, short_of_l, verify_secret
from discreet.verify.matchings.secret_file import parse

QI = ["age", "sex", "town"]
TREE = {"*": {"Italy": ["Rome", "Pisa", "Bari, old"], "France": ["Lyon", "Nice"]}}
Rows = list[list[int]]


def people(n: int = 60, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 40, n),
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(["Rome", "Pisa", "Lyon", "Nice", "Bari, old"], n),
            "income": rng.integers(0, 5, n),
        }
    )


def with_gaps(n: int = 60) -> pd.DataFrame:
    frame = people(n)
    frame["age"] = frame["age"].astype(float).mask(frame.index % 7 == 0)
    return frame.assign(town=frame["town"].where(frame.index % 5 != 0))


RELEASES: dict[str, tuple[Callable[[], pd.DataFrame], dict[str, Any]]] = {
    "auto": (people, {}),
    "greedy": (people, {"method": "greedy"}),
    "ring": (people, {"method": "ring"}),
    "mondrian": (people, {"method": "mondrian"}),
    "k-concealment": (people, {"method": "k-concealment"}),
    "min-cost-flow": (people, {"method": "min-cost-flow"}),
    "l": (people, {"sensitive": "income", "l": 3}),
    "ordered": (people, {"ordered": {"town": ["Nice", "Rome", "Pisa", "Bari, old", "Lyon"]}}),
    "hierarchy": (people, {"hierarchies": {"town": TREE}}),
    "categorical": (people, {"categorical": ["age"]}),
    "value": (with_gaps, {"missing": "value"}),
    "wildcard": (with_gaps, {"missing": "wildcard"}),
    "equal": (lambda: people().assign(age=30, sex="f"), {}),
    "one": (lambda: people(4), {}),
}


@pytest.mark.parametrize("name", RELEASES)
def test_honest_secrets_are_confirmed(name: str) -> None:
    make, options = RELEASES[name]
    result = dc.generalize(make(), 4, quasi_identifiers=QI, check=False, **options)
    verdict = result.verify()
    assert verdict.safe, verdict.summary()
    assert any("with probability 1/4" in line and "vouches" in line for line in verdict.proven)
    assert "largest_probability" not in verdict.figures
    trusted = {"ordered", "hierarchy"}
    assert any("not the draw" in line for line in verdict.limits) == (name in trusted)
    assert any("vouched for" in line for line in verdict.limits) == (name == "k-concealment")
    plain = dc.verify(result.original, result.data, **(dict(result.claim()) | {"secret": None}))
    assert plain.safe
    assert not any("probability" in line for line in plain.proven)


def ring_release() -> tuple[list[Reading], Rows]:
    """Two rings of six people aged 0 … 11; each row covers three; the first ring drew column 1, the second 3."""
    rows = []
    for start, drawn in ((0, 1), (6, 3)):
        for i in range(6):
            matches = [start + (i + t) % 6 for t in range(3)]
            rows.append([len(rows), matches[drawn - 1], drawn, *matches])
    boxes = [(min(row[3:]), max(row[3:])) for row in rows]
    return [intervals(list(range(12)), boxes)], rows


def text_of(rows: Rows, k: int = 3) -> str:
    head = ["published_row", "origin", "drawn", *(f"match_{t + 1}" for t in range(k))]
    return "\n".join([",".join(head), *(",".join(map(str, row)) for row in rows)]) + "\n"


def opened(rows: Rows, readings: list[Reading] | None = None, **more: Any) -> Opened:
    return verify_secret(text_of(rows), readings or ring_release()[0], k=3, **more)


def test_a_secret_by_hand() -> None:
    readings, rows = ring_release()
    found = opened(rows)
    assert not found.failures
    assert found.figures == {"matchings": 3, "components": 2}
    assert not opened(rows[::-1]).failures  # the order of lines is free
    assert verify_secret(text_of(rows), readings, k=2).proven == found.proven
    assert any("k = 4" in line for line in verify_secret(text_of(rows), readings, k=4).failures)


def forged(change: Callable[[Rows], None]) -> tuple[str, ...]:
    _, rows = ring_release()
    change(rows)
    return opened(rows).failures


def _swap_rows(rows: Rows) -> None:
    rows[0][1:], rows[3][1:] = rows[3][1:], rows[0][1:]


def _repeat(rows: Rows) -> None:
    rows[0][4] = rows[0][3]


def _outside(rows: Rows) -> None:
    rows[1][4], rows[8][4] = rows[8][4], rows[1][4]  # still permutations, but not in the boxes


def _mixed(rows: Rows) -> None:
    for row in rows[:3]:
        row[1], row[2] = row[4], 2


def _one_off(rows: Rows) -> None:
    rows[2][2] = 2  # says column 2 but keeps the origin of column 1


def _other_origin(rows: Rows) -> None:
    rows[0][1] = 11


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_swap_rows, "not in the row's box"),
        (_repeat, "hold an original twice"),
        (_outside, "not in the row's box"),
        (_mixed, "more than one matching"),
        (_one_off, "not the match that it says was drawn"),
        (_other_origin, "not the match that it says was drawn"),
    ],
)
def test_forged_secrets_are_refused(change: Callable[[Rows], None], words: str) -> None:
    assert any(words in line for line in forged(change))


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_no_single_number_can_be_changed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    _, rows = ring_release()
    row, column = int(rng.integers(12)), int(rng.integers(1, 6))
    old = rows[row][column]
    new = int(rng.integers(1, 4) if column == 2 else rng.integers(12))
    rows[row][column] = new
    assert bool(opened(rows).failures) == (new != old)


def test_boxes_wider_than_their_matches() -> None:
    _, rows = ring_release()
    boxes = [(min(row[3:]), max(row[3:])) for row in rows]
    wide = [(boxes[0][0], boxes[0][1] + 1), *boxes[1:]]
    found = opened(rows, [intervals(list(range(12)), wide)])
    assert len(found.failures) == 1
    assert found.failures[0].startswith("quasi-identifier 1: 1 boxes are not the least ones")
    named = opened(rows, [intervals(list(range(12)), wide)], names=["age"])
    assert named.failures[0].startswith("column 'age': 1 boxes")
    exact = [frozenset(row[3:]) for row in rows]
    assert not opened(rows, [sets(list(range(12)), exact)]).limits
    looser = [exact[0] | {5}, *exact[1:]]
    found = opened(rows, [sets(list(range(12)), looser)])
    assert not found.failures  # an order of the categories could have made it: said, not hidden
    assert any("an order or a hierarchy" in line for line in found.limits)
    values = [i // 3 for i in range(12)]  # here another row's box shows that it need not be so wide
    exact = [frozenset(values[m] for m in row[3:]) for row in rows]
    looser = [exact[0] | {3}, *exact[1:]]
    assert any("not the least" in line for line in opened(rows, [sets(values, looser)]).failures)


def test_numbers_spelled_beyond_the_originals_are_refused_where_the_reader_says_so() -> None:
    (reading,), rows = ring_release()
    attained = np.ones(reading.run_ends.size - 1, bool)
    told = Reading(
        reading.codes, reading.texts, reading.run_ends, reading.run_low, reading.run_high, "numbers", attained
    )
    assert not opened(rows, [told]).failures
    attained[reading.texts[4]] = False
    assert any("not the least" in line for line in opened(rows, [told]).failures)


def test_equal_boxes_must_be_spelled_alike() -> None:
    (reading,), rows = ring_release()
    again = Reading(
        reading.codes,
        np.append(reading.texts[:-1], reading.run_ends.size - 1),
        np.append(reading.run_ends, reading.run_ends[-1] + 1),
        np.append(reading.run_low, reading.run_low[reading.texts[-1]]),
        np.append(reading.run_high, reading.run_high[reading.texts[-1]]),
        "numbers",
    )
    assert (again.texts[-1] != reading.texts).all()
    same_box = (reading.texts[:-1] == reading.texts[-1]).any()
    assert same_box
    assert any("spelled unlike" in line for line in opened(rows, [again]).failures)


def test_left_columns_are_those_of_the_origin() -> None:
    _, rows = ring_release()
    originals = np.arange(12) * 10
    shown = originals[[row[1] for row in rows]]
    assert not opened(rows, behind=Behind(left=(originals, shown))).failures
    shown[[0, 1]] = shown[[1, 0]]
    assert any(
        "2 published rows carry other values" in line
        for line in opened(rows, behind=Behind(left=(originals, shown))).failures
    )


def test_rows_in_the_order_of_people_are_refused() -> None:
    frame = people()
    kept = dc.generalize(frame, 2, quasi_identifiers=QI, shuffle=False, check=False)
    assert any("shuffle the rows" in line for line in kept.verify().failures)


def test_l_in_the_rows_of_each_person() -> None:
    _, rows = ring_release()
    origin = [row[1] for row in rows]
    varied = np.array([one % 3 for one in origin])
    found = opened(rows, sensitive_codes=varied, l=3)
    assert not found.failures
    assert any("each person's 3 rows carry at least 3" in line for line in found.proven)
    poor = np.array([min(one % 3, 1) for one in origin])
    assert any("12 people have 3 rows" in line for line in opened(rows, sensitive_codes=poor, l=3).failures)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(3, 9), k=st.integers(2, 3))
def test_values_seen_by_definition(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    matches = np.stack([order[(np.arange(n) + t) % n] for t in range(k)], axis=1)
    drawn = int(rng.integers(k))
    origin, value = matches[:, drawn].copy(), rng.integers(0, 3, n)
    seen = [[len({int(value[matches[i, t]]) for i in range(n) if p in matches[i]}) for p in range(n)] for t in range(k)]
    short, elsewhere = short_of_l(matches, origin, value[origin], 2)
    assert short == sum(x < 2 for x in seen[drawn])
    assert elsewhere == sum(any(seen[t][p] < 2 for t in range(k)) for p in range(n))


def test_components_by_definition() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        n = int(rng.integers(2, 10))
        matches = np.stack([rng.permutation(n) for _ in range(2)], axis=1)
        together = [{i} for i in range(n)]
        for i, j in itertools.product(range(n), repeat=2):
            if set(matches[i]) & set(matches[j]):
                one = next(c for c in together if i in c) | next(c for c in together if j in c)
                together = [c for c in together if not c & one] + [one]
        assert components(matches).tolist() == [min(next(c for c in together if i in c)) for i in range(n)]


def _lines(rows: Rows) -> list[str]:
    return text_of(rows).splitlines()


def _replaced(line: int, text: str) -> str:
    lines = _lines(ring_release()[1])
    lines[line] = text
    return "\n".join(lines) + "\n"


MALFORMED = {
    "empty": "\n",
    "no rows": "published_row,origin,drawn,match_1,match_2,match_3\n",
    "header": _replaced(0, "row,origin,drawn,match_1,match_2,match_3"),
    "header order": _replaced(0, "published_row,origin,drawn,match_2,match_1,match_3"),
    "header twice": _replaced(0, "published_row,origin,drawn,match_1,match_1,match_3"),
    "no matches": "published_row,origin,drawn\n0,0,1\n",
    "letters": _replaced(3, "2,2,1,2,x,4"),
    "float": _replaced(3, "2,2,1,2,3.0,4"),
    "huge": _replaced(3, f"2,2,1,2,{10**400},4"),
    "too large": _replaced(3, f"2,2,1,2,{2**63},4"),
    "negative": _replaced(3, "2,2,1,2,-3,4"),
    "beyond": _replaced(3, "2,2,1,2,12,4"),
    "nan": _replaced(3, "2,2,1,2,nan,4"),
    "blank": _replaced(3, "2,2,1,2,,4"),
    "ragged": _replaced(3, "2,2,1,2,3"),
    "long": _replaced(3, "2,2,1,2,3,4,5"),
    "drawn 0": _replaced(3, "2,2,0,2,3,4"),
    "drawn 4": _replaced(3, "2,2,4,2,3,4"),
    "row twice": _replaced(3, "1,2,1,2,3,4"),
    "row beyond": _replaced(3, f"{10**18},2,1,2,3,4"),
    "quotes": _replaced(3, '2,2,1,2,"3",4'),
    "control": _replaced(3, "2,2,1,2,\x00,4"),
    "surrogate": _replaced(3, "2,2,1,2,\ud800,4"),
    "missing rows": "\n".join(_lines(ring_release()[1])[:-2]) + "\n",
    "json": '{"published_row": 0}\n{}\n',
    "also letters": "published_row,origin,drawn,match_1,also\n" + "".join(f"{i},{i},1,{i},x\n" for i in range(12)),
    "also beyond": "published_row,origin,drawn,match_1,also\n" + "".join(f"{i},{i},1,{i},12\n" for i in range(12)),
    "also huge": "published_row,origin,drawn,match_1,also\n" + f"0,0,1,0,{10**400}\n" * 12,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_secrets_are_an_error(name: str) -> None:
    readings, _ = ring_release()
    with pytest.raises(InputError, match="secret file"):
        verify_secret(MALFORMED[name], readings, k=3)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_random_edits_end_in_an_error_or_a_refusal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = list(text_of(ring_release()[1]))
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(len(text)))
        text[at] = str(rng.choice(["", "0", "7", ",", "\n", "-", '"', "é", " ", "1e3", "0x1"]))
    edited = "".join(text)
    try:
        found = verify_secret(edited, ring_release()[0], k=3)
        same = parse(edited, 12)
    except InputError:
        return
    honest = parse(text_of(ring_release()[1]), 12)
    unchanged = (same.matches == honest.matches).all() and (same.origin == honest.origin).all()
    assert bool(found.failures) != unchanged


def test_the_verdict_opens_the_secret() -> None:
    result = dc.generalize(people(), 3, quasi_identifiers=QI, check=False)
    claim = result.claim()
    verdict = dc.verify(result.original, result.data, **claim)
    assert verdict.safe
    assert verdict.figures["matchings"] == 3
    lines = claim["secret"].splitlines()
    fields = lines[1].split(",")
    fields[2] = "1" if fields[2] != "1" else "2"
    fields[1] = fields[2 + int(fields[2])]
    claim["secret"] = "\n".join([lines[0], ",".join(fields), *lines[2:]]) + "\n"
    refused = dc.verify(result.original, result.data, **claim)
    assert refused.exit_code == 1
    assert refused.advice
