"""What a role and grants mean, for all combinations of them."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from discreet.release.people.actor import Actor, Role

CHOICES = (None, "analyst", "custodian")


@pytest.mark.parametrize("role", get_args(Role))
def test_grants_take_the_place_of_the_role(role: Role) -> None:
    for one, two in product(CHOICES, CHOICES):
        given = {"one": one, "two": two}
        grants = tuple((name, held) for name, held in given.items() if held is not None)
        actor = Actor(1, "x", role, grants=grants)  # type: ignore[arg-type]
        for name in ("one", "two", "three"):
            expected = given.get(name) if grants else (role if role != "none" else None)
            assert actor.role_for(name) == expected
            assert actor.may_see(name) == (expected is not None)
        assert actor.custodian == (role == "custodian" and not grants)
        assert actor.some_custodian == any(actor.role_for(name) == "custodian" for name in ("one", "two", "three"))
