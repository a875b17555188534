"""Requests made from the OpenAPI description: no server error, and every answer as described."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

schemathesis = pytest.importorskip("schemathesis", reason="the package schemathesis is not installed")

EXAMPLES = 10


@pytest.mark.parametrize("role", ["analyst", "custodian"])
def test_answers_are_as_described(web: Callable[..., Any], bearer: dict[str, dict[str, str]], role: str) -> None:
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    schema = schemathesis.openapi.from_asgi("/api/openapi.json", web().app)
    # A description cannot say which variables a table has, nor what a file must contain.
    left_out = [positive_data_acceptance]
    seen = 0
    for result in schema.get_all_operations():
        operation = result.ok()

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            case.call_and_validate(headers=bearer[role], excluded_checks=left_out)
            if "name" in (case.path_parameters or {}):
                case.path_parameters["name"] = "auto"
                case.call_and_validate(headers=bearer[role], excluded_checks=left_out)

        check()
        seen += 1
    assert seen >= 20
