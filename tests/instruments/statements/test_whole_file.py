"""A protected file in plain language: roles, households, the guarantee that was asked for."""

from __future__ import annotations

import discreet as dc
from discreet.instruments.statements.whole_file import lost, statement

FRAME = dc.datasets.survey(90, seed=2)[["person", "household", "age", "region", "income", "illness", "sex"]]


def said(result: dc.Protection) -> str:
    return " ".join(sentence for _, sentences in statement(result).questions() for sentence in sentences)


def test_roles() -> None:
    result = dc.protect(
        FRAME.drop(columns="household"),
        3,
        identifiers=["person"],
        keys=["age", "region"],
        numeric=["income"],
        sensitive=["illness"],
        leave=["sex"],
        accept={"sex": "a test"},
    )
    words = said(result)
    assert "who somebody is were left out." in words and "The columns illness, sex were left as before." in words
    assert "column person" not in words  # what is not published has no name on a public page either
    assert "In the columns age, region, values were widened" in words and "In the column income, numbers" in words
    assert "The single numbers in the column income: sets overlap" in words
    assert "What sex may tell: that was accepted by name" in words and "a test" not in words
    assert "looks for a certain person" in words and "right once in 3 times." in words
    assert statement(result).heading == "A whole file protected: each person has 3 equally likely matches"
    assert {name for name, _ in lost(result).rows} == set(result.losses)


def test_households_and_classes() -> None:
    roles = {"keys": ["age", "region"], "household": "household", "sensitive": ["illness"]}
    frame = FRAME.drop(columns=["person", "income", "sex"])
    rare = dc.protect(frame, 3, **roles, rare="suppress")
    assert "The numbers in household are new ones" in said(rare) and "certain household" in said(rare)
    assert ("Some rows are not published" in said(rare)) == bool(rare.covering.lost.size)
    assert ("of rare sizes are not published" in said(rare)) == any(count < 3 for count in rare.units.values())
    classes = dc.protect(frame.drop(columns="household"), 3, keys=["age", "region"], leave=["illness"],
                         guarantee="classes")  # fmt: skip
    single = [dc.protect(frame, 3, **roles, rare=way) for way in ("suppress", "unlink")]
    some = any(count < 3 for count in rare.units.values())
    assert [("only their single persons" in said(one)) for one in single] == [False, some]
    assert "look the same in all of these" in said(classes)
    assert "sets overlap" not in said(classes) and "secret of the draw" not in said(classes)
    fixed = dc.protect(frame.drop(columns="household"), 3, keys=["age", "region"], leave=["illness"], random_state=1)
    assert "fixed seed" in said(fixed) and "right once" not in said(fixed)
