"""Where a client finds its token. The calls themselves are tested with a server, in tests/release/web."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.client import Client, find_token
from discreet.errors import InputError


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISCREET_TOKEN", "DISCREET_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "my.token"
    path.write_text("in-a-file\n")
    path.chmod(0o600)
    return path


def test_the_nearest_counts(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="DISCREET_TOKEN"):
        find_token()
    monkeypatch.setenv("DISCREET_TOKEN_FILE", str(kept))
    assert find_token() == "in-a-file"
    monkeypatch.setenv("DISCREET_TOKEN", "in-the-environment")
    assert find_token() == "in-the-environment"
    other = tmp_path / "other.token"
    other.write_text("named")
    assert find_token(file=other) == "named"
    assert find_token("given") == "given"


@pytest.mark.parametrize("content", [b"", b"\n", b"two words\nand lines", b"\xff", "é".encode()])
def test_files_without_a_token(kept: Path, content: bytes) -> None:
    kept.write_bytes(content)
    with pytest.raises(InputError):
        find_token(file=kept)
    with pytest.raises(InputError):
        find_token(file=kept.parent / "nowhere")
    with pytest.raises(InputError):
        find_token("")


def test_all_faults_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Client("nonsense")
    assert len(caught.value.faults) == 2


def test_a_client_shows_no_token(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCREET_TOKEN_FILE", str(kept))
    assert "in-a-file" not in repr(Client("http://localhost:1"))
