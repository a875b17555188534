"""The work folder of a run: whose it is, and when it goes."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.scale import run


def test_of_two_runs_that_begin_at_once_the_later_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_early(*_: object) -> None:
        raise FileNotFoundError  # it looked before the other one had made its folder

    with run.opened(tmp_path / "out", {}, resume=False) as folder:
        (folder / "work").touch()
        monkeypatch.setattr(run, "_claim", too_early)
        with pytest.raises(InputError, match="another run"), run.opened(tmp_path / "out", {}, resume=False):
            pass
        assert (folder / "work").exists()
    assert not folder.exists()


@pytest.mark.parametrize("how", ["link", "open"])
def test_records_are_not_put_where_others_look(tmp_path: Path, how: str) -> None:
    folder = run.work_folder(tmp_path / "out")
    if how == "open":
        folder.mkdir()
        folder.chmod(0o755)
    else:
        (tmp_path / "planted").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "planted", target_is_directory=True)
    with pytest.raises(InputError, match="others can"), run.opened(tmp_path / "out", {}, resume=True):
        pass
    assert not list(folder.iterdir())


def test_a_disk_that_is_full_is_said_wherever_it_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the disk is full"), run.opened(tmp_path / "out", {}, resume=False):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert not list(tmp_path.iterdir())
    with pytest.raises(PermissionError), run.opened(tmp_path / "out", {}, resume=False):
        raise PermissionError(errno.EACCES, "what is no fault of the disk is not taken for one")
