"""What a page puts on record: hashes, the day, versions, the command, how to cite."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import discreet as dc
from discreet.report.record import Digest, Record, citation, digest, made, record_of, versions

ROOT = Path(__file__).resolve().parents[2]


def test_a_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"x\n1\n")
    found = digest("published", path)
    assert found == Digest("published", "a.csv", hashlib.sha256(b"x\n1\n").hexdigest())
    assert digest("published", "there/a.csv", path) == digest("published", "a.csv", b"x\n1\n") == found
    with pytest.raises(dc.InputError, match="gone"):
        digest("original", tmp_path / "gone.csv")


def test_the_day_can_be_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert made() == "1970-01-02"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert made() > "2024"


def test_versions() -> None:
    assert versions("public") == [("discreet", dc.__version__)]
    named = dict(versions("internal"))
    assert {"discreet", "Python", "numpy"} <= set(named)


def test_the_citation_is_that_of_the_file() -> None:
    words = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    said = citation("2031-05-01")
    top = words.partition("references:")[0]
    entries = dict(line.strip("- ").split(": ", 1) for line in top.splitlines() if ": " in line)
    assert entries["version"] == dc.__version__ and entries["version"] in said
    assert entries["name"] in said and entries["title"].strip('"') in said and entries["license"] in said
    assert "(2031)" in said


def test_the_command_checks_the_files_that_it_names(tmp_path: Path, discreet: Callable) -> None:
    people = dc.datasets.survey(60, seed=1)[["region", "income", "spending"]]
    result = dc.microaggregate(people, 3, columns=["income", "spending"], method="mdav")
    original, published = tmp_path / "o.csv", tmp_path / "p.csv"
    people.to_csv(original, index=False)
    result.data.to_csv(published, index=False)
    record = record_of(result.claim(), {"original": original, "published": published})
    words = shlex.split(record.shown_command("internal"))
    assert words[:2] == ["discreet", "verify"] and discreet(*words[1:]).code == 0
    people.to_csv(published, index=False)
    assert discreet(*words[1:]).code == 1
    assert [file.role for file in record.files] == ["original", "published"]
    assert shlex.split(record.shown_command("public"))[2:4] == ["ORIGINAL", "p.csv"]


def test_options_of_a_claim() -> None:
    files = {"original": __file__, "published": __file__}
    claim = {
        "k": 3,
        "quasi_identifiers": (("a", "b"), ("c",)),
        "accept": ("d", "e"),
        "weight": None,
        "by": ("f",),
        "secret": "who is who",
    }
    words = list(record_of(claim, files).command)
    assert words[4:] == ["-k", "3", "--qi", "a,b", "--qi", "c", "--accept", "d", "--accept", "e", "--by", "f"]
    assert list(record_of({**claim, "hierarchies": {}}, files).command) == words
    assert not record_of({**claim, "hierarchies": {"a": [["x"]]}}, files).command
    assert record_of({}, {}) == Record([], [], [])
