"""What a custodian says about a file survives the way through JSON."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from discreet.release.loading.choices import Choices

NAMES = st.text(min_size=1, max_size=8)


@given(count=st.none() | NAMES, variables=st.none() | st.lists(NAMES, min_size=1, max_size=4))
def test_there_and_back(count: str | None, variables: list[str] | None) -> None:
    given = Choices(count, False, None if variables is None else tuple(variables))
    assert Choices.from_mapping(json.loads(json.dumps(given.to_dict()))) == given


def test_records() -> None:
    assert Choices.from_mapping({"records": True}) == Choices(records=True)
