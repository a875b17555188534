"""The stages that large files have and small ones skip, on small ones."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.microaggregation.certificate import certify, efforts, stages
from discreet.microaggregation.certificate.exact import target_enumeration


@pytest.mark.parametrize("seed", [1, 2, 3, 5])
def test_the_stages_of_large_files_prove_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(seed)
    points = random.standard_normal((150, 3)) * random.lognormal(size=(150, 1))
    small = certify(points, 3)
    assert small.status == "optimal"
    # Few starts and cuts, so that there is something left to do.
    little = efforts.EFFORTS["default"]._replace(descents=1, annealings=0, dives=0, cut_rounds=1)
    monkeypatch.setattr(efforts, "EFFORTS", {"default": little})
    for module in (stages, target_enumeration):
        monkeypatch.setattr(module, "SMALL", 10)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("DISCREET_THREADS", threads)
        found.append(certify(points, 3))
    assert found[0].status == "optimal"
    assert found[0].detail["windows"] > 2
    assert found[0].sse == pytest.approx(small.sse, rel=1e-7)
    assert found[0].to_json() == found[1].to_json() == found[2].to_json()
    assert found[0].detail == found[1].detail == found[2].detail
