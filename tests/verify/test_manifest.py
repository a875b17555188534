"""The manifest beside a release: what it claims is checked anew, what it names must be these very files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from verify.units.cases import ROLES, claim, frame, release, survey

import discreet as dc
from attack.command import discreet
from discreet.verify.manifest import read_manifest, verify_manifest

TABLE = survey(seed=2)
MADE = release(TABLE)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def written(folder: Path, **more: Any) -> tuple[Path, Path]:
    """The files of a release: the manifest and the original."""
    data, out = folder / "data.csv", folder / "out.csv"
    frame(TABLE).to_csv(data, index=False)
    frame(MADE.rows).to_csv(out, index=False)
    (folder / "secret.csv").write_text(MADE.secret("matchings"))
    said = {name: value for name, value in claim().items() if value not in (None, [], ())}
    found = {
        "format": "discreet manifest",
        "format_version": 1,
        "version": "0",
        "instrument": "protection",
        "input": {"name": "data.csv", "sha256": digest(data), "rows": len(TABLE)},
        "output": {"name": "out.csv", "sha256": digest(out), "rows": len(MADE.rows)},
        "hierarchies": {},
        "dropped": ["name"],
        "claim": said,
        "seed": "secret",
        "earlier": [],
        "verdict": {"outcome": "safe"},
        "recipe": {
            "k": 3,
            "guarantee": "matchings",
            "roles": {
                "keys": ["q0", "q1"],
                "numeric": ["x"],
                "weight": "w",
                "household": "h",
                "leave": ["s"],
                "identifiers": ["name"],
            },
        },
    }
    path = folder / "out.csv.manifest.json"
    path.write_text(json.dumps({**found, **more}))
    return path, data


def edited(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    found = json.loads(path.read_text())
    change(found)
    path.write_text(json.dumps(found))


def test_no_other_option_is_needed(tmp_path: Path) -> None:
    path, data = written(tmp_path)
    plain = discreet("verify", "--manifest", path, data)
    assert plain.code == 0, plain.said
    assert "the manifest claims k = 3; quasi-identifiers q0, q1; means of x; weight w; household h" in plain.said
    assert "secret file (--secret) was not given" in plain.said
    shown = discreet(
        "verify", "--manifest", path, data, "--secret", tmp_path / "secret.csv", "--json", tmp_path / "v.json"
    )
    assert shown.code == 0, shown.said
    assert "was not given" not in shown.said
    assert json.loads((tmp_path / "v.json").read_text())["outcome"] == "safe"


FORGED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a higher k": lambda m: m["claim"].update(k=4),
    "a lower k than the recipe's": lambda m: m["claim"].update(k=2),
    "a key less": lambda m: m["claim"].update(quasi_identifiers=["q0"]),
    "a household forgotten": lambda m: (m["claim"].pop("household"), m["claim"].pop("rare")),
    "means forgotten": lambda m: m["claim"].update(numeric=[]),
    "accepted by hand": lambda m: m["claim"].update(accept=["s"]),
    "another hash of the output": lambda m: m["output"].update(sha256="0" * 64),
    "another hash of the input": lambda m: m["input"].update(sha256="0" * 64),
    "other rows": lambda m: m["output"].update(rows=3),
    "other columns dropped": lambda m: m.update(dropped=[]),
    "a recipe of other roles": lambda m: m["recipe"]["roles"].update(household=None, leave=["s", "h"]),
    "roles that are none": lambda m: m["recipe"].update(roles={"keys": 3}),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_manifests(tmp_path: Path, name: str) -> None:
    path, data = written(tmp_path)
    edited(path, FORGED[name])
    verdict = verify_manifest(path, data)
    assert verdict.outcome == "unsafe", verdict.summary()
    assert any("the manifest claims" in words for words in verdict.proven)


def test_a_modest_claim_is_printed(tmp_path: Path) -> None:
    path, data = written(tmp_path)
    edited(path, lambda m: (m.pop("recipe"), m["claim"].update(k=1)))
    verdict = verify_manifest(path, data)
    assert verdict.safe and verdict.k == 1
    assert verdict.proven[0].startswith("the manifest claims k = 1;")


MALFORMED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another format": lambda m: m.update(format="discreet recipe"),
    "a later version": lambda m: m.update(format_version=2),
    "a version that is true": lambda m: m.update(format_version=True),
    "no output": lambda m: m.pop("output"),
    "a path for the output": lambda m: m["output"].update(name="../out.csv"),
    "a folder for the output": lambda m: m["output"].update(name=".."),
    "an absolute output": lambda m: m["output"].update(name="/etc/passwd"),
    "a backslash": lambda m: m["output"].update(name="a\\..\\out.csv"),
    "a drive": lambda m: m["output"].update(name="C:out.csv"),
    "standard input": lambda m: m["output"].update(name="-"),
    "an output that is not there": lambda m: m["output"].update(name="other.csv"),
    "no hash": lambda m: m["input"].pop("sha256"),
    "half a hash": lambda m: m["input"].update(sha256="ab"),
    "a hierarchy of an absolute name": lambda m: (
        m.update(hierarchies={"q1": {"name": "/etc/passwd", "sha256": "0" * 64}}),
        m["claim"].update(hierarchies={"q1": "/etc/passwd"}),
    ),
    "a hierarchy that has no hash": lambda m: m["claim"].update(hierarchies={"q1": "out.csv"}),
    "an earlier one that has no hash": lambda m: m["claim"].update(earlier=["out.csv.manifest.json"]),
    "an argument that is none": lambda m: m["claim"].update(check=False),
    "a secret in the claim": lambda m: m["claim"].update(secret="secret.csv"),
    "no k": lambda m: m["claim"].pop("k"),
    "a k in a list": lambda m: m["claim"].update(k=[3]),
    "names that are lists": lambda m: m["claim"].update(numeric=[["x"]]),
    "a weight that is a list": lambda m: m["claim"].update(weight=["w"]),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_manifests_are_an_error(tmp_path: Path, name: str) -> None:
    path, data = written(tmp_path)
    edited(path, MALFORMED[name])
    with pytest.raises(dc.InputError):
        verify_manifest(path, data)
    assert discreet("verify", "--manifest", path, data).code == 2


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"format": 1, "format": 2}', '{"k": NaN}', "[" * 100_000])
def test_what_is_no_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(dc.InputError):
        read_manifest(tmp_path / "m.json")
    with pytest.raises(dc.InputError):
        read_manifest(tmp_path / "none.json")


def test_a_hierarchy_is_read_by_its_hash_only(tmp_path: Path) -> None:
    tree = tmp_path / "trees"
    tree.mkdir()
    (tree / "q1.csv").write_text("a,*\nb,*\nc,*\n")
    path, data = written(tmp_path)
    entry = {"name": "trees/q1.csv", "sha256": digest(tree / "q1.csv")}
    rows = [{**row, "q1": "*" if row["q1"][:1] == "{" else row["q1"]} for row in MADE.rows]
    frame(rows).to_csv(tmp_path / "out.csv", index=False)

    def change(m: dict[str, Any]) -> None:
        m.update(hierarchies={"q1": entry})
        m["claim"].update(hierarchies={"q1": "trees/q1.csv"})
        m["output"].update(sha256=digest(tmp_path / "out.csv"))

    edited(path, change)
    assert verify_manifest(path, data).safe
    (tree / "q1.csv").write_text("a,*\nb,*\nc,*\nd,*\n")
    assert any("hierarchy of q1" in words for words in verify_manifest(path, data).failures)


def test_the_manifest_speaks_alone(tmp_path: Path) -> None:
    path, data = written(tmp_path)
    for more in (["-k", "3"], ["--qi", "q0"], [tmp_path / "out.csv"], ["--rare", "merge"], ["--accept", "s"]):
        done = discreet("verify", "--manifest", path, data, *more)
        assert done.code == 2 and "leave out" in done.said
    assert discreet("verify", data).code == 2


def test_a_fixed_seed_is_told(tmp_path: Path) -> None:
    path, data = written(tmp_path, seed="fixed")
    verdict = verify_manifest(path, data)
    assert verdict.safe and any("fixed seed" in words for words in verdict.limits)
    edited(path, lambda m: m["verdict"].update(outcome="unsafe"))
    assert any("records 'unsafe'" in words for words in verify_manifest(path, data).limits)


def test_classes_too(tmp_path: Path) -> None:
    roles = replace(ROLES, guarantee="classes")
    made = release(TABLE, roles)
    path, data = written(tmp_path)
    frame(made.rows).to_csv(tmp_path / "out.csv", index=False)
    (tmp_path / "secret.csv").write_text(made.secret("classes"))

    def change(m: dict[str, Any]) -> None:
        m["claim"]["guarantee"] = m["recipe"]["guarantee"] = "classes"
        m["output"]["sha256"] = digest(tmp_path / "out.csv")

    edited(path, change)
    assert verify_manifest(path, data).safe
    assert verify_manifest(path, data, secret=tmp_path / "secret.csv").safe
