"""Where a manifest goes, what it names, and the command that reads it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import discreet as dc
from discreet.instruments.protect.manifest import command, manifest, manifest_path


def test_a_manifest_stands_beside_a_file_and_nowhere_else(tmp_path: Path) -> None:
    assert manifest_path(tmp_path / "out.csv") == tmp_path / "out.csv.manifest.json"
    assert manifest_path("-") is None
    if os.name != "nt":
        assert manifest_path("/dev/null") is None


def test_the_command_keeps_names_whole() -> None:
    words = ["discreet", "verify", "--manifest", "my out.csv.manifest.json", "my data.csv"]
    assert command("my out.csv", Path("my data.csv")) == words
    assert command("my out.csv", "my data.csv", Path("se cret")) == [*words, "--secret", "se cret"]


@pytest.mark.parametrize("seed", [None, 7])
def test_claims_are_plain_files_are_relative_and_seeds_are_not_told(tmp_path: Path, seed: int | None) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "sex.csv").write_text("f;*\nm;*\n")
    frame = dc.datasets.survey(30, seed=1)[["sex", "age", "illness"]]
    tree = tmp_path / "in" / "sex.csv"
    result = dc.protect(
        frame, 3, keys=["sex", "age"], sensitive=["illness"], hierarchies={"sex": tree}, random_state=seed
    )
    entry = {"name": "x", "sha256": "0" * 64, "rows": 30}
    told = manifest(
        result,
        result.verify(),
        output=tmp_path / "out.csv",
        published=entry,
        original=entry,
        dropped=["person"],
        hierarchies={"sex": tree},
    )
    assert json.loads(json.dumps(told)) == told
    assert told["claim"]["hierarchies"] == {"sex": "in/sex.csv"}
    assert told["claim"]["quasi_identifiers"] == ["sex", "age"]
    assert "secret" not in told["claim"]
    policy = "secret" if seed is None else "fixed"
    assert told["seed"] == policy
    assert told["recipe"]["seed"] == {"policy": policy}
