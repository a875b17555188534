"""Proofs that list the groups of some records only, against brute force and the independent check."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import handed_out, optimum, random_points

from discreet.microaggregation.certificate.bound import lower_bound
from discreet.microaggregation.certificate.cuts.cut import penalties_of
from discreet.microaggregation.certificate.exact import target_enumeration
from discreet.microaggregation.certificate.exact.target_enumeration import enumerate_groups, prove_partly
from discreet.microaggregation.certificate.master.column_generation import generate
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.master.cut_master import CutMaster, cut_rounds
from discreet.microaggregation.certificate.pricing.sweep import sweep
from discreet.microaggregation.certificate.progress import Progress, Proof
from discreet.microaggregation.certificate.result import certificate_of
from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import renumber
from discreet.scale import workers
from discreet.verify.certificates import verify_certificate
from discreet.work import Deadline, Reporter


def master_of(points: np.ndarray, k: int, pool: object, rounds: int) -> CutMaster:
    progress = Progress(points, k, renumber(mdav(points, k)), Deadline(None), Reporter(None))
    space = measure(points, k)
    columns = Columns(space, min(2 * k - 1, len(points)))
    columns.add_partition(progress.labels)
    generate(space, columns, progress, pool)
    multipliers = progress.proof.multipliers
    assert multipliers is not None
    master = CutMaster(space, columns, progress, np.arange(columns.count, dtype=np.int32), multipliers)
    cut_rounds(master, pool, rounds=rounds)
    return master


def weaken(master: CutMaster, random: np.random.Generator) -> None:
    """Multipliers that prove less, so that there is a gap."""
    master.multipliers = master.multipliers - 0.1 * random.uniform(size=master.n) * np.abs(master.multipliers)
    penalties = penalties_of(master.proof_cuts, master.proof_weights, master.n)
    found = sweep(master.space, master.multipliers, master.k, 0.0, penalties=penalties)
    charge = float(sum(w * cut.rhs for w, cut in zip(master.proof_weights, master.proof_cuts)))
    master.roots = found.roots
    master.value = lower_bound(
        master.multipliers, found.roots, master.k,
        dimension=master.space.dimension, best=master.progress.sse, penalties=penalties, charge=charge,
    )  # fmt: skip
    master.progress.proof = Proof(master.value, "weakened")


def dense(random: np.random.Generator, n: int) -> np.ndarray:
    """Half of the records far from one another, half of them nearly the same."""
    points = random.standard_normal((n, 3))
    points[n // 2 :] = 1e-3 * random.standard_normal((n - n // 2, 3)) + 5.0
    return points


@pytest.mark.parametrize("block", range(4))
def test_bounds_hold_whatever_part_is_searched(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every number of groups allowed, so that every number of records is searched at some time."""
    whole = part = 0
    kept: list[Proof] = []
    real = Progress.offer_proof

    def offered(self: Progress, new: Proof) -> bool:
        kept.append(new)
        return real(self, new)

    monkeypatch.setattr(Progress, "offer_proof", offered)
    with workers(None) as pool:
        for seed in range(25 * block, 25 * block + 25):
            random = np.random.default_rng([seed, 5])
            n = int(random.integers(7, 11))
            k = int(random.integers(2, n // 2 + 1))
            points = dense(random, n) if seed % 2 else random_points(random, n)
            best = optimum(points, k)
            if best <= 1e-12:
                continue
            master = master_of(points, k, pool, rounds=int(random.choice([1, 3])))
            if not np.isfinite(master.value):
                continue
            weaken(master, random)
            for most in (1, 3, 10, 30, 100):
                kept.clear()
                prove_partly(master, pool, most, 1000)
                for found in kept:
                    assert found.value <= best * (1 + 1e-7) + 1e-12
                    part += found.searched is not None and found.searched < n and found.spent is None
                    whole += found.spent is not None and found.searched is not None and found.searched < n
                assert master.progress.sse >= best - 1e-9
    assert part > 5
    assert whole > 2


def test_limits_of_roots_leave_out_just_the_groups_of_the_others() -> None:
    points = np.random.default_rng(3).standard_normal((14, 2))
    with workers(None) as pool:
        master = master_of(points, 3, pool, rounds=2)
        allowance = 0.5 * master.progress.sse
        everything = enumerate_groups(master, allowance, pool, 100_000)
        order = np.argsort(-master.multipliers, kind="stable")
        some = enumerate_groups(master, target_enumeration._only(order[:5], 14, allowance), pool, 100_000)
    assert everything is not None
    assert some is not None
    first = set(order[:5].tolist())
    listed = [frozenset(row[row >= 0].tolist()) for row in everything.members]
    assert {frozenset(row[row >= 0].tolist()) for row in some.members} == {g for g in listed if g & first}
    assert 0 < len(some.sizes) < len(listed)


def payload_of(master: CutMaster, found: Proof) -> dict:
    master.progress.proof = found
    return dict(certificate_of(master.progress.points, master.progress, 0, "converged").payload)


def some_proofs(seed: int, pool: object, monkeypatch: pytest.MonkeyPatch) -> tuple[CutMaster, list[Proof]]:
    random = np.random.default_rng([seed, 7])
    k = int(random.integers(2, 4))
    master = master_of(dense(random, 10), k, pool, rounds=2)
    weaken(master, random)
    kept: list[Proof] = []
    with monkeypatch.context() as patch:
        patch.setattr(Progress, "offer_proof", lambda self, new: kept.append(new))
        for most in (2, 5, 15, 50):
            prove_partly(master, pool, most, 1000)
    return master, [found for found in kept if found.searched is not None]


@pytest.mark.parametrize("seed", range(12))
def test_the_check_agrees_with_what_was_searched_partly(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with workers(None) as pool:
        master, kept = some_proofs(seed, pool, monkeypatch)
    points, k = master.progress.points, master.k
    best = optimum(points, k)
    assert kept
    for found in kept:
        payload = payload_of(master, found)
        assert payload["searched"] == found.searched
        assert payload.get("spent") == found.spent
        checked = handed_out(points, payload, master.progress.labels, k)
        assert checked.note is None
        proven = checked.payload["lower_bound"]
        assert payload["lower_bound"] * (1 - 1e-6) <= proven <= best
        assert verify_certificate(points, checked.payload, k=k, scale="none").safe
        # No bound above the optimum passes, whatever the certificate says of its parts.
        false = {**checked.payload, "lower_bound": best * 1.001, "target": best * 1.001, "sse": best * 1.002}
        assert verify_certificate(points, false, k=k, scale="none").outcome == "unsafe"
        more = verify_certificate(points, {**false, "spent": 0.5 * best}, k=k, scale="none")
        assert more.outcome == "unsafe"


def test_what_is_said_to_be_spent_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    for seed in range(12):
        with workers(None) as pool:
            master, kept = some_proofs(seed, pool, monkeypatch)
        points, k = master.progress.points, master.k
        for found in kept:
            if found.spent is not None:
                payload = dict(handed_out(points, payload_of(master, found), master.progress.labels, k).payload)
                for spent in (-1.0, 0.0, 1.5 * found.spent, 1e9):
                    assert verify_certificate(points, {**payload, "spent": spent}, k=k, scale="none").safe
                more = {**payload, "spent": 1e9, "lower_bound": payload["lower_bound"] * (1 + 1e-7)}
                assert verify_certificate(points, more, k=k, scale="none").outcome == "unsafe"
                seen += 1
    assert seen > 3


@pytest.mark.parametrize("searched", [0, 11, 2.5, "all"])
def test_a_number_of_records_that_is_none_is_refused(searched: object, monkeypatch: pytest.MonkeyPatch) -> None:
    with workers(None) as pool:
        master, kept = some_proofs(0, pool, monkeypatch)
    payload = {**payload_of(master, kept[0]), "searched": searched}
    verdict = verify_certificate(master.progress.points, payload, k=master.k, scale="none")
    assert verdict.outcome == "cannot tell"
    assert "number of records searched is not a whole number" in verdict.failures[0]
