"""What a custodian says about a file: which column holds counts, or that rows are records; which columns to keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.errors import Faults

EITHER = "name the column of counts, or say that rows are records: not both"


@dataclass(frozen=True)
class Choices:
    """`count` names the column of counts; `records` says that every row is a person. Neither: the file must tell."""

    count: str | None = None
    records: bool = False
    variables: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        faults = Faults()
        faults.check(self.count is None or not self.records, EITHER)
        faults.check(self.variables is None or len(self.variables) > 0, "keep at least one variable")
        faults.raise_if_any()

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Choices:
        """From JSON, as `to_dict` gives it."""
        variables = given.get("variables")
        chosen = None if variables is None else tuple(str(name) for name in variables)
        return cls(given.get("count") or None, bool(given.get("records", False)), chosen)

    def to_dict(self) -> dict[str, Any]:
        variables = None if self.variables is None else list(self.variables)
        return {"count": self.count, "records": self.records, "variables": variables}
