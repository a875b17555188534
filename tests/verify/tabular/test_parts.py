"""The checker reads whose contributions a file names, and misses every holding that nobody asked about."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.frames import write
from discreet.instruments.totals.additive import table_document
from discreet.instruments.totals.pattern_files import Asked, read_pattern
from discreet.verify.tabular.parts import Part, Told, read_parts, unasked

HEAD = "s,value,largest,second,contributors,largest_by,second_by,others_by\n"


def firms(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 40))
    columns = {name: rng.choice(list(labels), n) for name, labels in (("r", "abcd"), ("s", "xyz"), ("t", "uv"))}
    return pd.DataFrame(columns | {"firm": rng.integers(0, rng.integers(3, 15), n), "v": rng.integers(1, 40, n) / 4})


def made(seed: int, path: Path) -> tuple[Told, tuple[str, ...], dict[str, str]]:
    """A table of firms in a file, with a hierarchy of one variable, and who is asked about it."""
    tree = path.with_name("r.csv")
    tree.write_text("a,west\nb,west\nc,east\nd,east\n")
    by = [["r", "s"], ["r", "t"]] if seed % 2 else [["r", "s"]]
    frame, trees = firms(seed), {"r": str(tree)}
    rules = ["frequency=3", f"knowledge={(100, 60)[seed % 3 == 0]}"]
    table = dc.tabulate(frame, by, value="v", holding="firm", hierarchies=trees, rules=rules).table
    status = np.where(table.problem.cells.status == 2, 1, table.problem.cells.status)
    write(table_document(table.with_status(status.astype(np.int8))), path)
    found = read_pattern([str(path)], None, Asked(trees))
    table, unit = found.problem, 10**found.problem.decimals
    number = {table.labels(cell): cell for cell in range(table.cells)}
    lower = [Fraction(int(low), unit) for low in table.problem.cells.lower]
    hidden = set(np.flatnonzero(found.hidden).tolist())
    return Told(number, lower, hidden, found.attackers, found.holders), table.variables, trees


@pytest.mark.parametrize("seed", range(30))
def test_nobody_is_missed_and_who_is_left_out_is(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    told, variables, trees = made(seed, path)
    assert unasked(path, variables, trees, told) == 0
    nobody = told._replace(attackers=[], holders=[])
    everybody = unasked(path, variables, trees, nobody)
    assert everybody <= len(told.attackers) + len(told.holders) and everybody > 0
    for at in range(min(3, len(told.holders))):
        fewer = told._replace(holders=[each for n, each in enumerate(told.holders) if n != at])
        weaker = {cell: (low / 2, high * 2) for cell, (low, high) in told.holders[at].items()}
        missed = unasked(path, variables, trees, fewer)
        assert missed == unasked(path, variables, trees, fewer._replace(holders=[*fewer.holders, weaker]))


def test_a_third_holding_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(HEAD + "Total,20,8,6,5,1,2,\nx,10,5,3,3,1,2,3:2\ny,10,3,3,4,1,2,3:2 4:2\n")
    number, lower = {("Total",): 0, ("x",): 1, ("y",): 2}, [Fraction(0)] * 3
    know = [{1: (5, 20), 2: (3, 20)}, {1: (3, 20), 2: (3, 20)}, {1: (2, 20), 2: (2, 20)}, {2: (2, 20)}]
    asked = [{cell: (Fraction(low), Fraction(high)) for cell, (low, high) in one.items()} for one in know]
    told = Told(number, lower, {1, 2}, [], asked)
    assert unasked(path, ["s"], None, told) == 0
    for at in range(4):
        others = [one for n, one in enumerate(asked) if n != at]
        assert unasked(path, ["s"], None, told._replace(holders=others)) == 1, at
    assert unasked(path, ["s"], None, told._replace(holders=[], lower=[Fraction(9)] * 3)) == 0
    assert unasked(path, ["s"], None, told._replace(holders=[], hidden=())) == 0


def test_who_is_alone_is_an_attacker(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(HEAD + "Total,9,4,3,3,1,2,\nx,4,4,0,1,1,0,\ny,5,3,2,2,2,3,\n")
    number = {("Total",): 0, ("x",): 1, ("y",): 2}
    told = Told(number, [Fraction(5)] * 3, {1, 2}, [[1]], [])
    assert unasked(path, ["s"], None, told) == 0
    assert unasked(path, ["s"], None, told._replace(attackers=[])) == 1


def test_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(HEAD + "Total,9.5,4,3,3,1,2,\nx,4,4,0,1,1,0,\ny,5.5,3,2,3,2,3,7:0.5\n")
    found = read_parts(path, ["s"])
    assert found["7"] == {("y",): Part(Fraction(1, 2), False)} and found["1"]["x",] == Part(Fraction(4), True)
    path.write_text(HEAD + "Total,-1,4,3,3,1,2,\n")
    assert read_parts(path, ["s"]) == {}
    path.write_text(HEAD + "Total,9,4,3,3,1,2,7:x\n")
    with pytest.raises(InputError, match="no number"):
        read_parts(path, ["s"])
