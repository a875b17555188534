"""Keys in files: the private one for its owner alone, the public one for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.release.history import keys


def test_what_is_made_can_be_read(tmp_path: Path) -> None:
    public = keys.make_key(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    signature = keys.read_key(tmp_path / "key").sign(b"x")
    assert keys.signed_by(keys.read_public(public), signature, b"x")
    assert not keys.signed_by(keys.read_public(public), signature, b"y")


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    keys.make_key(tmp_path / "key")
    with pytest.raises(InputError, match="cannot be made"):
        keys.make_key(tmp_path / "key")


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    keys.make_key(tmp_path / "key")
    (tmp_path / "key").chmod(0o640)
    with pytest.raises(InputError, match="chmod 600"):
        keys.read_key(tmp_path / "key")


def test_what_is_no_key(tmp_path: Path) -> None:
    public = keys.make_key(tmp_path / "key")
    (tmp_path / "text").write_text("sesame")
    (tmp_path / "text").chmod(0o600)
    public.chmod(0o600)
    for path in (tmp_path / "text", public, tmp_path / "none"):
        with pytest.raises(InputError):
            keys.read_key(path)
    for path in (tmp_path / "text", tmp_path / "key", tmp_path / "none"):
        with pytest.raises(InputError):
            keys.read_public(path)
