"""Hierarchies in files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames.tabular.hierarchies import hrc_text, parse_hrc, read_chains
from discreet.tabular.hierarchy import tree_from_chains


@pytest.mark.parametrize(
    "text", ["child,parent\na,x\nb,x\n", "a;x\nb;x\n", "Code\tParent\na\tx\nb\tx\n", "a, x\n\nb, x"]
)
def test_rows(tmp_path: Path, text: str) -> None:
    path = tmp_path / "h.csv"
    path.write_text(text)
    assert read_chains(path, "h") == [["a", "x"], ["b", "x"]]


def test_hrc(tmp_path: Path) -> None:
    path = tmp_path / "h.hrc"
    path.write_text("North\n@N1\n@@N11\n@N2\nSouth\n")
    assert read_chains(path, "h") == [["North"], ["N1", "North"], ["N11", "N1", "North"], ["N2", "North"], ["South"]]
    assert parse_hrc("a\n::b\n", "h", lead="::") == [["a"], ["b", "a"]]


@pytest.mark.parametrize(
    ("text", "expected"), [("a\n@@b\n", "line 2"), ("@a\n", "line 1"), ("", "no codes"), ("a\n@\n", "no code")]
)
def test_bad_hrc(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        parse_hrc(text, "h")


def test_absent_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_chains(tmp_path / "no.hrc", "h")


@given(st.lists(st.integers(0, 4), min_size=1, max_size=10))
def test_what_is_written_is_read(steps: list[int]) -> None:
    depths, last = [], 0
    for step in steps:
        last = min(step, last) + 1
        depths.append(last)
    labels = [f"l{i}" for i in range(len(depths))]
    tree = tree_from_chains(parse_hrc(hrc_text(labels, depths), "h"), name="h", total="Total")
    assert tree.labels == ("Total", *labels)
    assert tree.depth.tolist() == [0, *depths]


def test_labels_that_hrc_cannot_hold() -> None:
    with pytest.raises(InputError, match="cannot stand"):
        hrc_text(["@a"], [1])
