"""`discreet suppress-locally`: the file that is written, what stands beside it, and what is refused."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

KEYS = ("age", "sex", "region")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    path = tmp_path / "data.csv"
    rows = [
        f"{age},{sex},{region},{income}"
        for age, sex, region, income in zip(
            rng.integers(20, 26, 200),
            rng.choice(["f", "m"], 200),
            rng.choice(list("NSWE"), 200),
            rng.integers(0, 999, 200),
        )
    ]
    path.write_text("age,sex,region,income\n" + "\n".join(rows) + "\n")
    return path


def table(path: Path) -> list[dict[str, str]]:
    with path.open() as handle:
        return list(csv.DictReader(handle))


def test_the_file_its_proof_and_what_checks_them(discreet: Callable, data: Path, tmp_path: Path) -> None:
    out, figures, proof = (tmp_path / name for name in ("out.csv", "j.json", "c.json"))
    ran = discreet(
        "suppress-locally", data, "-k", 3, "--keys", "age,sex,region", "-o", out, "--json", figures,
        "--certificate", proof, "--report", tmp_path / "r.html",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    before, after = table(data), table(out)
    assert len(before) == len(after)
    counts = Counter(tuple(row[name] for name in KEYS) for row in after)
    assert min(counts.values()) >= 3
    blanks = sum(new[name] == "" for new in after for name in KEYS)
    for old, new in zip(before, after):
        assert all(new[name] in ("", old[name]) for name in KEYS)
        assert new["income"] == old["income"]
    told = json.loads(figures.read_text())
    assert told["suppressed"] == blanks == sum(told["by_column"].values())
    assert told["lower_bound"] <= blanks
    assert told["gap"] == pytest.approx(100 * (blanks - told["lower_bound"]) / blanks)
    assert json.loads(proof.read_text())["lower_bound"] == told["lower_bound"]
    assert "Local suppression" in (tmp_path / "r.html").read_text()
    checked = discreet("verify", data, out, "-k", 3, "--qi", "age,sex,region", "--certificate", proof)
    assert checked.code == 0, checked.out
    assert f"fewer than {told['lower_bound']} blanks" in checked.out
    manifest = tmp_path / "out.csv.manifest.json"
    assert json.loads(manifest.read_text())["claim"]["guarantee"] == "blanks"
    assert discreet("verify", "--manifest", manifest, data).code == 0


def test_one_cell_restored_one_price_raised_and_a_bound_lowered_are_refused(
    discreet: Callable, data: Path, tmp_path: Path
) -> None:
    out, proof = tmp_path / "out.csv", tmp_path / "c.json"
    assert (
        discreet("suppress-locally", data, "-k", 3, "--keys", ",".join(KEYS), "-o", out, "--certificate", proof).code
        == 0
    )
    words = ("verify", data, out, "-k", 3, "--qi", ",".join(KEYS), "--certificate", proof)
    good = json.loads(proof.read_text())
    for name, value in (
        ("prices", [good["prices"][0] + 1, *good["prices"][1:]]),
        ("lower_bound", good["lower_bound"] - 1),
        ("lower_bound", good["lower_bound"] + 1),
    ):
        proof.write_text(json.dumps({**good, name: value}))
        assert discreet(*words).code == 1, name
    proof.write_text(json.dumps(good))
    lines, old = out.read_text().splitlines(), data.read_text().splitlines()
    counts = Counter(line.rsplit(",", 1)[0] for line in lines)
    least = next(
        i for i, line in enumerate(lines) if line != old[i] and counts[line.rsplit(",", 1)[0]] == 3
    )  # a class of exactly k
    lines[least] = old[least]
    out.write_text("\n".join(lines) + "\n")
    ran = discreet(*words)
    assert ran.code == 1
    assert "fewer than 3 rows show" in ran.out
    assert discreet("verify", "--manifest", tmp_path / "out.csv.manifest.json", data).code == 1


def test_cover_warns_that_persons_can_be_found(discreet: Callable, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    ran = discreet("suppress-locally", data, "-k", 3, "--keys", ",".join(KEYS), "--semantics", "cover", "-o", out, "-q")
    assert ran.code == 0
    assert "persons fit fewer than 3 published rows" in ran.err
    assert discreet("verify", data, out, "-k", 3, "--qi", ",".join(KEYS)).code == 1, "as classes it does not hold"
    assert discreet("verify", data, out, "-k", 3, "--qi", ",".join(KEYS), "--semantics", "cover").code == 0
    manifest = discreet("verify", "--manifest", tmp_path / "out.csv.manifest.json", data)
    assert manifest.code == 0
    assert "shared by cover" in manifest.out


def test_a_sorted_file_is_shuffled_and_refused_where_its_order_must_stay(discreet: Callable, tmp_path: Path) -> None:
    data, rng = tmp_path / "data.csv", np.random.default_rng(4)
    columns = np.sort(rng.integers(20, 40, 500)), rng.choice(["f", "m"], 500), rng.choice(list("NSWE"), 500)
    lines = [f"{age},{sex},{region},{i * 7919 % 503}" for i, (age, sex, region) in enumerate(zip(*columns))]
    data.write_text("age,sex,region,income\n" + "\n".join(lines) + "\n")
    out = tmp_path / "out.csv"
    words = ("suppress-locally", data, "-k", 3, "--keys", ",".join(KEYS), "--importance", "sex=9,region=9", "-o", out)
    words = (*words, "--accept", "income")
    kept = discreet(*words, "-q", "--keep-order")
    assert kept.code == 1
    assert "the order of rows: the value next to it tells" in kept.err
    assert not out.exists()
    ran = discreet(*words, "-q")
    assert ran.code == 0
    assert "Rows were shuffled" in ran.err
    shuffled = discreet(*words, "-q", "--shuffle", "--force")
    assert shuffled.code == 0
    assert "Rows were shuffled" not in shuffled.err, "as asked"
    assert sorted(row["income"] for row in table(out)) == sorted(row["income"] for row in table(data))
    assert discreet("verify", "--manifest", tmp_path / "out.csv.manifest.json", data).code == 0


def test_columns_that_tell_are_refused_and_nothing_is_written(discreet: Callable, data: Path, tmp_path: Path) -> None:
    lines = data.read_text().splitlines()
    data.write_text("\n".join([f"{lines[0]},code", *(f"{line},x{i}" for i, line in enumerate(lines[1:]))]) + "\n")
    out = tmp_path / "out.csv"
    words = (
        "suppress-locally",
        data,
        "-k",
        3,
        "--keys",
        ",".join(KEYS),
        "-o",
        out,
        "--certificate",
        tmp_path / "c.json",
    )
    ran = discreet(*words)
    assert ran.code == 1
    assert "column code has a value of its own" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
    assert discreet(*words, "--accept", "code").code == 0
    assert discreet(*words, "--drop", "code", "--force").code == 0
    assert "code" not in table(out)[0]


def test_spellings_of_the_file_are_kept_and_made_one(discreet: Callable, tmp_path: Path) -> None:
    data, out = tmp_path / "data.csv", tmp_path / "out.csv"
    data.write_text('zip;size\n01067;"1,5"\n01067;1,50\n01067;1,5\n20095;2\n20095;NA\n20095;2\n')
    ran = discreet("suppress-locally", data, "-k", 2, "--keys", "zip,size", "-o", out)
    assert ran.code == 0, ran.err
    rows = [line.split(";") for line in out.read_text().splitlines()[1:]]
    assert {row[0] for row in rows} <= {"01067", "20095", ""}
    assert {row[1].strip('"') for row in rows} <= {"1,5", "2", ""}
    assert discreet("verify", "--manifest", tmp_path / "out.csv.manifest.json", data).code == 0


@pytest.mark.parametrize("suffix", ["parquet", "xlsx", "dta"])
def test_other_formats(discreet: Callable, data: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out.{suffix}"
    ran = discreet("suppress-locally", data, "-k", 3, "--keys", ",".join(KEYS), "-o", out)
    assert ran.code == 0, ran.err
    again = discreet("verify", data, out, "-k", 3, "--qi", ",".join(KEYS), "--guarantee", "blanks")
    assert again.code == 0, again.out
