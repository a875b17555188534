"""Who makes a request, and what they may see.

A role holds everywhere, or on the granted datasets alone: whoever has any grant has no role elsewhere. A person without
role and grants is known to the server and may do nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Role = Literal["custodian", "analyst", "none"]
CUSTODIAN: Final = "custodian"
ANALYST: Final = "analyst"
NOBODY: Final = "none"
ROLES = (CUSTODIAN, ANALYST)
"""The roles that can be given."""

COMMAND_LINE = "command line"
"""Whoever works on the database itself. No token can have this name: it has a blank."""
SERVER_ITSELF = "the server"


@dataclass(frozen=True)
class Actor:
    """Whoever makes a request. `grants` are datasets with the role on each."""

    id: int
    name: str
    role: Role
    csrf: str = ""
    grants: tuple[tuple[str, Role], ...] = ()

    @property
    def custodian(self) -> bool:
        """Whether custodian of everything: who may load tables and give access."""
        return self.role == CUSTODIAN and not self.grants

    @property
    def some_custodian(self) -> bool:
        """Whether custodian of anything at all."""
        return self.custodian or any(role == CUSTODIAN for _, role in self.grants)

    def role_for(self, dataset: str) -> Role | None:
        """The role on a dataset; None where it is not to be seen."""
        role = dict(self.grants).get(dataset, NOBODY) if self.grants else self.role
        return None if role == NOBODY else role

    def may_see(self, dataset: str) -> bool:
        return self.role_for(dataset) is not None
