from __future__ import annotations

import hashlib

import numpy as np

from discreet.perturbation.randoms import Randoms


def test_words_are_those_of_shake_256() -> None:
    key = hashlib.sha256(b"discreet perturbation 7").digest()
    expected = np.frombuffer(hashlib.shake_256(key + b"noise").digest(80), "<u8")
    assert (Randoms.of(7).words("noise", 10) == expected).all()


def test_a_seed_repeats_and_a_secret_does_not() -> None:
    assert (Randoms.of(3).words("x", 5) == Randoms.of(3).words("x", 5)).all()
    assert (Randoms.of(3).words("x", 5) != Randoms.of(4).words("x", 5)).all()
    assert (Randoms.of(None).words("x", 5) != Randoms.of(None).words("x", 5)).all()


def test_each_purpose_has_numbers_of_its_own() -> None:
    randoms = Randoms.of(1)
    assert not set(randoms.words("a", 100).tolist()) & set(randoms.words("b", 100).tolist())


def test_uniform_and_normal_numbers_have_their_moments() -> None:
    randoms, n = Randoms.of(1), 200_000
    u, z = randoms.uniform("u", n), randoms.normal("z", n)
    assert u.min() >= 0 and u.max() < 1
    assert abs(u.mean() - 0.5) < 5 / np.sqrt(12 * n)
    assert np.isfinite(z).all()
    assert abs(z.mean()) < 5 / np.sqrt(n) and abs(z.std() - 1) < 5 / np.sqrt(2 * n)


def test_an_order_has_everybody_once() -> None:
    assert sorted(Randoms.of(1).order("who", 50).tolist()) == list(range(50))


def test_the_key_is_not_shown() -> None:
    assert "key" not in repr(Randoms.of(1))
