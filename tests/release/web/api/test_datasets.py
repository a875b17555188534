"""Datasets by the interface for programs: what is told of them, and loading one at once or not at all."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from release_tables import declared

from discreet.datasets import autoworkers
from discreet.release.engine import Table
from discreet.release.policy import Policy
from discreet.release.service import Service

Bearer = dict[str, dict[str, str]]
POLICY = 'c = 2\nw = 3\nmin_tables = 1\nmode = "exact"\notherwise = "refuse"\ntime_limit = 10\n'


@pytest.fixture
def client(web: Callable[..., Any]) -> Any:
    return web()


def csv_of(frame: Any) -> bytes:
    return frame.to_csv(index=False).encode()


def times(factor: int) -> Any:
    """Another table of the same variables."""
    frame = autoworkers()
    return frame.assign(count=frame["count"] * factor)


def test_descriptions_do_not_depend_on_counts(client: Any, bearer: Bearer, service: Service, auto: Table) -> None:
    zero = Table(auto.names, auto.categories, (auto.dense() > 40).astype(int))
    service.add("custodian", "other", zero, Policy(), codebook=declared(auto))
    told = client.get("/api/datasets", headers=bearer["analyst"]).json()
    first, second = ({k: v for k, v in d.items() if k != "name"} for d in told)
    assert first == second
    assert set(first) == {"variables", "categories", "labels", "stage", "unit", "population", "predecessor"}
    assert first["categories"] == {name: list(levels) for name, levels in zip(auto.names, auto.categories)}


def test_uploads(client: Any, bearer: Bearer) -> None:
    frame = times(2)
    parquet = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(times(3)), parquet)
    for name, file in {"one": ("t.csv", csv_of(frame)), "two": ("t.parquet", parquet.getvalue())}.items():
        form = {"data": {"name": name, "policy": POLICY}, "files": {"file": file}}
        assert client.post("/api/datasets", headers=bearer["analyst"], **form).status_code == 403
        assert client.post("/api/datasets", **form).status_code == 401
        done = client.post("/api/datasets", headers=bearer["custodian"], **form)
        assert done.status_code == 201
        assert done.json()["variables"] == list("ABCDEF")
        assert client.post("/api/datasets", headers=bearer["custodian"], **form).status_code == 422
    chosen = {"name": "three", "variables": "A:C", "policy": POLICY}
    done = client.post(
        "/api/datasets", headers=bearer["custodian"], data=chosen, files={"file": ("t.csv", csv_of(times(4)))}
    )
    assert done.json()["variables"] == ["A", "C"]


def test_a_policy_may_be_a_file(client: Any, bearer: Bearer) -> None:
    files = {"file": ("t.csv", csv_of(times(2))), "policy": ("p.toml", POLICY.encode())}
    done = client.post("/api/datasets", headers=bearer["custodian"], data={"name": "filed"}, files=files)
    assert done.status_code == 201


@pytest.mark.parametrize(
    ("file", "data"),
    [
        (("t.csv", b""), {"name": "x"}),
        (("t.csv", b"A,count\nx,-3\n"), {"name": "x"}),
        (("t.csv", b"A,count\nx,1.5\n"), {"name": "x"}),
        (("t.exe", b"A,count\nx,1\n"), {"name": "x"}),
        (("t.parquet", b"not parquet"), {"name": "x"}),
        (("t.csv", b"A,count\nx,1\n"), {"name": "../x"}),
        (("t.csv", b"A,count\nx,1\n"), {"name": "x", "policy": "c = 'many'"}),
        (("t.csv", b"A,count\nx,1\n"), {"name": "x", "variables": "A:Q"}),
        (("t.csv", b"A,count\nx,0\n"), {"name": "x"}),
        (("t.csv", b"\xff\xfe\x00\xd8A"), {"name": "x"}),
    ],
)
def test_bad_uploads_leave_nothing(client: Any, bearer: Bearer, file: tuple[str, bytes], data: dict[str, str]) -> None:
    done = client.post("/api/datasets", headers=bearer["custodian"], data=data, files={"file": file})
    assert done.status_code == 422, done.text
    assert "/tmp" not in done.text
    assert len(client.get("/api/datasets", headers=bearer["custodian"]).json()) == 1


def test_a_body_that_is_no_form(client: Any, bearer: Bearer) -> None:
    assert client.post("/api/datasets", headers=bearer["custodian"], json={}).status_code == 415


def test_too_many_cells_are_refused(client: Any, bearer: Bearer, monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.release.loading import checks

    monkeypatch.setattr(checks, "MAX_CELLS", 32)
    form = {"data": {"name": "big"}, "files": {"file": ("t.csv", csv_of(autoworkers()))}}
    told = client.post("/api/datasets", headers=bearer["custodian"], **form)
    assert told.status_code == 422
    assert "64 cells" in told.text
