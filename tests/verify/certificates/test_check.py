"""The independent check of certificates: accepts what holds, finds every falsification that matters."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from oracles.certificate import handed_out, optimum, random_points

from discreet.microaggregation.certificate import certify
from discreet.microaggregation.problem import centroids, sse
from discreet.verify.certificates import groups
from discreet.verify.certificates.bound import Effort
from discreet.verify.certificates.check import verify_certificate as verify_any


def verify_certificate(points: np.ndarray, certificate: object, *, k: int, **more: object):
    return verify_any(points, certificate, k=k, scale="none", **more)


def certificate_of(points: np.ndarray, k: int, **options: object) -> dict:
    found = certify(points, k, **options)
    checked = handed_out(points, found.payload, found.labels, k)
    assert checked.note is None
    return json.loads(json.dumps(checked.payload))


@pytest.fixture(scope="module")
def points() -> np.ndarray:
    return np.random.default_rng(5).standard_normal((60, 3))


@pytest.fixture(scope="module")
def proven(points: np.ndarray) -> dict:
    payload = certificate_of(points, 3)
    assert payload["status"] == "optimal"
    return payload


@pytest.fixture(scope="module")
def relaxed(points: np.ndarray) -> dict:
    payload = certificate_of(points, 3, effort="fast")
    assert payload["bound"] == "column generation"
    return payload


def test_certificates_that_hold(points: np.ndarray, proven: dict, relaxed: dict) -> None:
    for certificate in (proven, relaxed):
        verdict = verify_certificate(points, certificate, k=3)
        assert verdict.safe, verdict.summary()
        assert certificate["lower_bound"] <= verdict.figures["lower_bound"] <= certificate["lower_bound"] * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_all_kinds_of_data(seed: int) -> None:
    random = np.random.default_rng(100 + seed)
    points = random_points(random, 24)
    for k in (2, 3, 4):
        payload = certificate_of(points, k)
        assert verify_certificate(points, payload, k=k).safe, payload["bound"]


def test_time_limit_zero_is_checked_too(points: np.ndarray) -> None:
    payload = certificate_of(points, 3, time_limit=0)
    assert payload["bound"] == "nearest neighbors"
    assert verify_certificate(points, payload, k=3).safe
    payload["lower_bound"] *= 1.01
    assert verify_certificate(points, payload, k=3).outcome == "unsafe"


@pytest.mark.parametrize("factor", [1 + 1e-9, 1 + 1e-6, 1 - 1e-6, 0.5, 2.0])
def test_the_stated_bound_is_the_computed_one(points: np.ndarray, proven: dict, factor: float) -> None:
    forged = {**proven, "lower_bound": proven["lower_bound"] * factor, "tolerance": 1.0, "sse": proven["sse"] * 10}
    assert verify_certificate(points, forged, k=3).outcome == "unsafe"


@pytest.mark.parametrize(
    "falsify",
    [
        lambda c: c.update(lower_bound=c["lower_bound"] * 1.001),
        lambda c: c.update(multipliers=[m + 1e-3 for m in c["multipliers"]], lower_bound=c["lower_bound"] + 0.05),
        lambda c: c.update(n=61, multipliers=[*c["multipliers"], 0.0]),
        lambda c: c.update(k=4),
        lambda c: c.update(k=2),
        lambda c: c.update(scale="sd"),
        lambda c: c.update(sst=c["sst"] * 1.001),
        lambda c: (
            c["multipliers"].__setitem__(7, c["multipliers"][7] + 1.0) or c.update(lower_bound=c["lower_bound"] + 0.9)
        ),
    ],
)
def test_falsified_certificates_are_refused(points: np.ndarray, relaxed: dict, falsify) -> None:
    certificate = copy.deepcopy(relaxed)
    falsify(certificate)
    assert verify_certificate(points, certificate, k=3).outcome == "unsafe"


def test_what_is_said_of_the_release_is_that_of_the_published_values(points: np.ndarray) -> None:
    found = certify(points, 3, effort="fast")
    published = centroids(points, found.labels)
    payload = dict(handed_out(points, found.payload, found.labels, 3).payload)
    verdict = verify_certificate(points, payload, k=3, published=published)
    assert verdict.safe, verdict
    assert verdict.figures["sse"] == pytest.approx(sse(points, found.labels), rel=1e-12)
    gap = 100 * (payload["sse"] - payload["lower_bound"]) / payload["sse"]
    assert verdict.figures["gap"] == pytest.approx(gap, abs=1e-6)
    assert verify_certificate(points, {**payload, "gap": gap}, k=3, published=published).safe
    for forged in ({"sse": payload["sse"] * 0.999}, {"gap": 0.5 * gap}, {"status": "optimal"}, {"information_loss": 0}):
        assert gap > 1e-3
        assert verify_certificate(points, {**payload, **forged}, k=3, published=published).outcome == "unsafe", forged
    worse = centroids(points, np.arange(60) // 3)
    assert verify_certificate(points, payload, k=3, published=worse).outcome == "unsafe"
    without = verify_certificate(points, payload, k=3)
    assert without.safe
    assert "what the certificate says of a release" in without.limits[0]


def test_columns_are_the_callers(points: np.ndarray, relaxed: dict) -> None:
    names = ["a", "b", "c"]
    about = {**relaxed, "columns": names, "scale": "none"}
    assert verify_certificate(points, about, k=3, columns=names).safe
    assert verify_certificate(points[:, ::-1], about, k=3, columns=names[::-1]).safe
    for others in (["a", "b"], ["a", "b", "d"], ["a", "b", "c", "d"]):
        assert verify_certificate(points, about, k=3, columns=others).outcome == "unsafe"
    for silent in ("columns", "scale"):
        less = {name: value for name, value in about.items() if name != silent}
        assert verify_certificate(points, less, k=3, columns=names).outcome == "unsafe"


def test_a_target_proves_what_lies_below_it_whatever_it_is() -> None:
    """Any target, with any records searched, gives a bound that is true, and the optimum once it is above that."""
    random = np.random.default_rng(8)
    points = random.standard_normal((10, 2))
    found = certify(points, 2, effort="fast")
    best = optimum(points, 2)
    for target in (0.1 * best, 0.99 * best, 1.5 * best, 100 * best):
        for parts in ({}, {"searched": 4}, {"searched": 4, "spent": 100 * best}):
            evidence = {**found.payload, "bound": "target enumeration", "target": target, **parts}
            bound = handed_out(points, evidence, found.labels, 2).payload["lower_bound"]
            assert bound <= best
            if target > best and parts.get("searched", 10) == 10:
                assert bound == pytest.approx(best, rel=1e-7)


@pytest.mark.parametrize("seed", range(12))
def test_a_little_more_than_holds_is_refused(seed: int) -> None:
    random = np.random.default_rng(200 + seed)
    points = random_points(random, 40)
    k = 2 + seed % 3
    payload = certificate_of(points, k, effort="fast")
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
    monkeypatch.setattr(groups, "MOST_CANDIDATES", 1)
    verdict = verify_certificate(points, relaxed, k=3)
    assert verdict.outcome == "cannot tell"
    assert verdict.failures == ("a record has more candidates than fit in memory",)


def test_what_the_check_does_not_get_through_is_not_handed_out(
    points: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = certify(points, 3, effort="fast")
    monkeypatch.setattr(groups, "MOST_CANDIDATES", 1)
    checked = handed_out(points, found.payload, found.labels, 3)
    assert checked.kind == "nearest neighbors"
    assert checked.note == "a record has more candidates than fit in memory"
    assert not checked.optimal
    assert verify_certificate(points, checked.payload, k=3).safe


def test_what_the_check_refuses_is_not_handed_out(points: np.ndarray) -> None:
    found = certify(points, 3, effort="fast")
    false = {**found.payload, "multipliers": [2 * x for x in found.payload["multipliers"]]}
    checked = handed_out(points, false, found.labels, 3)
    assert checked.kind == "nearest neighbors"
    assert "smaller reduced cost" in str(checked.note)
    assert "multipliers" not in checked.payload


def test_blocks_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.microaggregation.certificate import efforts
    from discreet.microaggregation.certificate.large import blocks

    points = np.random.default_rng(11).standard_normal((300, 3))
    monkeypatch.setattr(efforts, "MOST_RECORDS", 100)
    monkeypatch.setattr(blocks.Blocking.__new__, "__defaults__", (60, 40, *blocks.Blocking()[2:]))
    payload = certificate_of(points, 3)
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
        {"records": [0, 1, 2], "numerators": [1, 1, 1], "divisor": 2, "penalty": 1e300},
    ):
        certificate = {**relaxed, "cuts": [cut]}
        assert verify_certificate(points, certificate, k=3).outcome == "cannot tell"


def test_other_data_is_refused(points: np.ndarray, proven: dict, relaxed: dict) -> None:
    moved = points.copy()
    moved[:20] *= 0.5
    assert verify_certificate(moved, relaxed, k=3).outcome == "unsafe"
    assert verify_certificate(moved, proven, k=3).outcome == "unsafe"


def test_too_little_effort_cannot_tell(points: np.ndarray, relaxed: dict) -> None:
    for effort in (Effort(branches=0), Effort(seconds=0.0)):
        assert verify_certificate(points, relaxed, k=3, effort=effort).outcome == "cannot tell"


def test_through_the_command(discreet, tmp_path: Path) -> None:
    import discreet as dc

    data, out, proof = tmp_path / "data.csv", tmp_path / "out.csv", tmp_path / "proof.json"
    people = dc.datasets.survey(120, seed=3)[["age", "sex", "region", "income"]]
    people.to_csv(data, index=False)
    made = ("microaggregate", data, "-k", 3, "--columns", "age,income", "-o", out, "--certificate", proof, "-q")
    ran = discreet(*made, "--scale", "range", "--effort", "fast")
    assert ran.code == 0, ran.err
    words = ("verify", data, out, "-k", 3, "--qi", "age,income", "--certificate", proof)
    ran = discreet(*words, "--scale", "range")
    assert ran.code == 0, ran.out + ran.err
    assert "safe (certificate" in ran.out
    ran = discreet(*words)
    assert ran.code == 1
    assert "is about range scale" in ran.out
    assert discreet(*words, "--scale", "log").code == 2
    ran = discreet(*words[:-2], "--scale", "sd")
    assert ran.code == 2
    assert "--scale is about a certificate" in ran.err
    payload = json.loads(proof.read_text())
    proof.write_text(json.dumps({**payload, "lower_bound": payload["lower_bound"] * 1.5}))
    assert discreet(*words, "--scale", "range").code == 1
    for text in ("not json", "[]", json.dumps({**payload, "k": "3"}), "{" * 100_000, ""):
        proof.write_text(text)
        assert discreet(*words, "--scale", "range").code == 2
    proof.unlink()
    assert discreet(*words, "--scale", "range").code == 2


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 7])
def test_targets_are_checked_where_the_proof_found_a_better_partition(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few starts and no cuts to speak of: the integer program finds the optimum, below the target it began with."""
    from discreet.microaggregation.certificate import efforts, stages
    from discreet.microaggregation.certificate.exact import target_enumeration

    little = efforts.EFFORTS["default"]._replace(descents=1, annealings=0, dives=0, cut_rounds=1, windows=0)
    monkeypatch.setattr(efforts, "EFFORTS", {"default": little})
    if seed % 2:
        for module in (stages, target_enumeration):
            monkeypatch.setattr(module, "SMALL", 10)
    random = np.random.default_rng(300 + seed)
    points = random.standard_normal((80, 3)) * random.lognormal(size=(80, 1))
    payload = certificate_of(points, 3)
    assert payload["bound"] == "target enumeration"
    verdict = verify_certificate(points, payload, k=3)
    assert verdict.safe, verdict
    assert verdict.figures["groups"] > 0
    payload["lower_bound"] = payload["target"] = payload["sse"] * (1 + 1e-6)
    payload["sse"] *= 1 + 1e-5
    assert verify_certificate(points, payload, k=3).outcome == "unsafe"
