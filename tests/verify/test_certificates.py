"""The independent check of certificates: accepts what holds, finds every falsification that matters."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from oracles.certificate import all_groups, random_points, reduced_costs, roots

from discreet.microaggregation.certificate import certify
from discreet.verify import certificate_groups
from discreet.verify.certificate_groups import enumerate_below, rules_of
from discreet.verify.certificates import scaled_points, verify_certificate


@pytest.fixture(scope="module")
def points() -> np.ndarray:
    return np.random.default_rng(5).standard_normal((60, 3))


@pytest.fixture(scope="module")
def proven(points: np.ndarray) -> dict:
    found = certify(points, 3)
    assert found.status == "optimal"
    return json.loads(found.to_json())


@pytest.fixture(scope="module")
def relaxed(points: np.ndarray) -> dict:
    payload = json.loads(certify(points, 3, effort="fast").to_json())
    assert payload["bound"] == "column generation"
    return payload


def test_shares_no_code_with_the_method() -> None:
    from inspect import getsourcefile

    for part in (verify_certificate, enumerate_below):
        lines = Path(getsourcefile(part)).read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if "import" in line and "discreet.microaggregation" in line]


def test_certificates_that_hold(points: np.ndarray, proven: dict, relaxed: dict) -> None:
    for certificate in (proven, relaxed):
        verdict = verify_certificate(points, certificate, k=3)
        assert verdict.safe, verdict.summary()
        assert verdict.figures["recomputed"] >= certificate["lower_bound"] * (1 - 1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_all_kinds_of_data(seed: int) -> None:
    random = np.random.default_rng(100 + seed)
    points = random_points(random, 24)
    for k in (2, 3, 4):
        payload = json.loads(certify(points, k).to_json())
        assert verify_certificate(points, payload, k=k).safe, payload["bound"]


def test_time_limit_zero_is_checked_too(points: np.ndarray) -> None:
    payload = json.loads(certify(points, 3, time_limit=0).to_json())
    assert payload["bound"] == "nearest neighbors"
    assert verify_certificate(points, payload, k=3).safe
    payload["lower_bound"] *= 1.01
    assert verify_certificate(points, payload, k=3).outcome == "unsafe"


@pytest.mark.parametrize(
    "falsify",
    [
        lambda c: c.update(lower_bound=c["lower_bound"] * 1.001),
        lambda c: c.update(multipliers=[m + 1e-3 for m in c["multipliers"]], lower_bound=c["lower_bound"] + 0.05),
        lambda c: c.update(multipliers=c["multipliers"][:-1]),
        lambda c: c.update(multipliers=[*c["multipliers"][:-1], "many"]),
        lambda c: c.update(n=61),
        lambda c: c.update(k=4),
        lambda c: c.update(format="something else"),
        lambda c: c.update(bound="wishful thinking"),
        lambda c: c.pop("lower_bound"),
        lambda c: c.pop("multipliers"),
        lambda c: (
            c["multipliers"].__setitem__(7, c["multipliers"][7] + 1.0) or c.update(lower_bound=c["lower_bound"] + 0.9)
        ),
    ],
)
def test_falsified_certificates_are_refused(points: np.ndarray, relaxed: dict, falsify) -> None:
    certificate = copy.deepcopy(relaxed)
    falsify(certificate)
    assert verify_certificate(points, certificate, k=3).outcome == "unsafe"


@pytest.mark.parametrize("seed", range(12))
def test_a_little_more_than_holds_is_refused(seed: int) -> None:
    random = np.random.default_rng(200 + seed)
    points = random_points(random, 40)
    k = 2 + seed % 3
    payload = json.loads(certify(points, k, effort="fast").to_json())
    if payload["bound"] != "column generation":
        pytest.skip("settled without multipliers")
    # A record of average worth gains: some group that was at its limit is now below it.
    typical = int(np.argsort(payload["multipliers"])[20])
    more = copy.deepcopy(payload)
    more["multipliers"][typical] += 0.05 * payload["sse"]
    assert [verify_certificate(points, c, k=k).outcome for c in (payload, more)] == ["safe", "unsafe"]


def test_more_candidates_than_fit_cannot_tell(
    points: np.ndarray, relaxed: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificate_groups, "MOST_CANDIDATES", 1)
    verdict = verify_certificate(points, relaxed, k=3)
    assert verdict.outcome == "cannot tell"
    assert verdict.failures == ("a record has more candidates than fit in memory",)


def test_blocks_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.microaggregation.certificate import blocks, facade

    points = np.random.default_rng(11).standard_normal((300, 3))
    monkeypatch.setattr(facade, "MOST_RECORDS", 100)
    monkeypatch.setattr(blocks.Plan.__new__, "__defaults__", (60, 40, *blocks.Plan()[2:]))
    payload = json.loads(certify(points, 3).to_json())
    assert payload["bound"] == "column generation by blocks"
    assert verify_certificate(points, payload, k=3).safe
    payload["lower_bound"] *= 1.001
    assert verify_certificate(points, payload, k=3).outcome == "unsafe"


def test_cuts_are_checked(points: np.ndarray, relaxed: dict) -> None:
    for cut in (
        {"records": [0, 1, 2], "numerators": [1, 1, 1], "divisor": 2, "penalty": -1.0},
        {"records": [0, 0, 2], "numerators": [1, 1, 1], "divisor": 2, "penalty": 1.0},
        {"records": [0, 1, 99], "numerators": [1, 1, 1], "divisor": 2, "penalty": 1.0},
        {"records": [0, 1, 2], "numerators": [1, 1, 1], "divisor": 0, "penalty": 1.0},
    ):
        certificate = {**relaxed, "cuts": [cut]}
        assert verify_certificate(points, certificate, k=3).outcome == "unsafe"


def test_other_data_is_refused(points: np.ndarray, proven: dict, relaxed: dict) -> None:
    moved = points.copy()
    moved[:20] *= 0.5
    assert verify_certificate(moved, relaxed, k=3).outcome == "unsafe"
    assert verify_certificate(moved, proven, k=3).outcome == "unsafe"


def test_too_few_branches_cannot_tell(points: np.ndarray, relaxed: dict) -> None:
    assert verify_certificate(points, relaxed, k=3, branches=1).outcome in ("cannot tell", "safe")
    assert verify_certificate(points * 1.0, {**relaxed, "roots": {}}, k=3, branches=0).outcome != "safe"


@pytest.mark.parametrize("seed", range(40))
def test_the_enumeration_against_brute_force(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, k = int(random.integers(6, 11)), int(random.integers(2, 4))
    points = random_points(random, n)
    groups = all_groups(n, k)
    cuts = [
        {
            "records": [int(v) for v in random.choice(n, 3, replace=False)],
            "numerators": [1, 1, 1],
            "divisor": 2,
            "penalty": 0.2,
        },
        {
            "records": [int(v) for v in random.choice(n, 4, replace=False)],
            "numerators": [2, 1, 1, 1],
            "divisor": 3,
            "penalty": 0.1,
        },
    ]
    multipliers = random.random(n)
    triples = [(c["records"], c["numerators"], c["divisor"]) for c in cuts]
    costs = reduced_costs(points, groups, multipliers, triples, [c["penalty"] for c in cuts])
    limit = np.quantile(costs, 0.6) * random.random(n)
    found = enumerate_below(points, multipliers, limit, k, rules_of(cuts, n), 10_000, 10**9)
    assert found.state == certificate_groups.DONE
    listed = [tuple(sorted(int(v) for v in row[:size])) for row, size in zip(found.groups, found.sizes)]
    got = set(listed)
    assert len(got) == len(listed)
    want = {g for g, c, r in zip(groups, costs, roots(groups, multipliers)) if c < limit[r]}
    close = {g for g, c, r in zip(groups, costs, roots(groups, multipliers)) if abs(c - limit[r]) < 1e-9}
    assert got - close == want - close
    if len(want - close) > 1:
        few = enumerate_below(points, multipliers, limit, k, rules_of(cuts, n), 1, 10**9)
        assert few.state == certificate_groups.CUT_OFF
        assert found.branches > 0
        few = enumerate_below(points, multipliers, limit, k, rules_of(cuts, n), 10_000, found.branches - 1)
        assert few.state == certificate_groups.CUT_OFF
    same = enumerate_below(points, multipliers, limit, k, rules_of(cuts, n), 10_000, found.branches)
    assert same.state == certificate_groups.DONE


@pytest.mark.parametrize("seed", range(8))
def test_more_groups_and_roots_than_one_piece_holds(seed: int) -> None:
    """Some forty records, several pieces of roots, lists that grow: against all groups of up to three."""
    random = np.random.default_rng(400 + seed)
    points = random_points(random, 40)
    groups = all_groups(40, 2)
    multipliers = random.random(40)
    costs = reduced_costs(points, groups, multipliers, [], [])
    first = roots(groups, multipliers)
    limit = np.quantile(costs, 0.4) * (0.5 + random.random(40))
    found = enumerate_below(points, multipliers, limit, 2, rules_of([], 40), 10_000, 10**9)
    got = {tuple(sorted(int(v) for v in row[:size])) for row, size in zip(found.groups, found.sizes)}
    want = {g for g, c, r in zip(groups, costs, first) if c < limit[r]}
    close = {g for g, c, r in zip(groups, costs, first) if abs(c - limit[r]) < 1e-9}
    assert len(want) > 100
    assert got - close == want - close


def test_scales() -> None:
    values = np.array([[1.0, 5.0, 2.0], [2.0, 5.0, 4.0], [4.0, 5.0, 9.0]])
    assert scaled_points(values, "sd").shape == (3, 2)
    assert np.ptp(scaled_points(values, "range"), axis=0).tolist() == [1.0, 1.0]
    assert scaled_points(values, "none")[:, 1].tolist() == [2.0, 4.0, 9.0]


def test_through_the_command(discreet, tmp_path: Path) -> None:
    import discreet as dc

    data, out, proof = tmp_path / "data.csv", tmp_path / "out.csv", tmp_path / "proof.json"
    dc.datasets.survey(120, seed=3).to_csv(data, index=False)
    ran = discreet("microaggregate", data, "-k", 3, "--columns", "age,income", "-o", out, "--certificate", proof, "-q")
    assert ran.code == 0, ran.err
    words = ("verify", data, out, "-k", 3, "--qi", "age,income", "--certificate", proof)
    ran = discreet(*words)
    assert ran.code == 0, ran.out + ran.err
    assert "safe (certificate" in ran.out
    payload = json.loads(proof.read_text())
    payload["lower_bound"] *= 1.5
    proof.write_text(json.dumps(payload))
    assert discreet(*words).code == 1
    proof.write_text("not json")
    assert discreet(*words).code == 2


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 7])
def test_targets_are_checked_where_the_proof_found_a_better_partition(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few starts and no cuts to speak of: the integer program finds the optimum, below the target it began with."""
    from discreet.microaggregation.certificate import campaign, facade, proof

    little = facade.EFFORTS["default"]._replace(descents=1, annealings=0, dives=0, cut_rounds=1, windows=0)
    monkeypatch.setattr(facade, "EFFORTS", {"default": little})
    if seed % 2:
        for module in (campaign, proof):
            monkeypatch.setattr(module, "SMALL", 10)
    random = np.random.default_rng(300 + seed)
    points = random.standard_normal((80, 3)) * random.lognormal(size=(80, 1))
    payload = json.loads(certify(points, 3).to_json())
    assert payload["bound"] == "target enumeration"
    verdict = verify_certificate(points, payload, k=3)
    assert verdict.safe, verdict
    payload["lower_bound"] = payload["target"] = payload["sse"] * (1 + 1e-6)
    payload["sse"] *= 1 + 1e-5
    assert verify_certificate(points, payload, k=3).outcome == "unsafe"
