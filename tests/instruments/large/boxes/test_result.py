"""The result of a large generalization holds figures, and nothing of the secret."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet as dc
from discreet.errors import InputError
from tests.instruments.large.boxes.conftest import KEYS


def test_a_result_tells_figures_and_no_secret(people: Path) -> None:
    result = dc.generalize(dc.dataset(people), 3, quasi_identifiers=KEYS, random_state=0)
    assert result.to_dict()["gcp"] == result.gcp
    assert result.n == len(result.data) == 1200
    assert result.matchings.size == result.origin.size == 0
    with pytest.raises(InputError, match="keep-secret"):
        result.secret()
    with pytest.raises(InputError, match="distribution"):
        result.plot("distribution")
    assert next(section.title for section in result.sections()) == "What is lost, column by column"
