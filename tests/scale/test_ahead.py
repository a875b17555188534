"""Jobs done ahead: in order, in a process of their own, and none keeps the others from being done."""

from __future__ import annotations

import gc
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from discreet.scale import ahead


@pytest.fixture
def collecting() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.usefixtures("collecting")
def test_what_fails_leaves_the_others_to_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def fails() -> None:
        done.append("fails")
        raise RuntimeError

    monkeypatch.setattr(ahead, "fails", fails, raising=False)
    monkeypatch.setattr(ahead, "works", lambda: done.append("works"), raising=False)
    ahead.do("scale.ahead:fails", "scale.nowhere:at_all", "scale.ahead:missing", "scale.ahead:works")
    assert done == ["fails", "works"]


@pytest.mark.usefixtures("collecting")
def test_a_job_is_done_by_whoever_takes_it_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first, other = "scale.ahead:first", "scale.ahead:other"
    order: list[str] = []

    def one() -> None:  # while it runs, another process comes
        order.append("first")
        assert not ahead.done(str(tmp_path), first)
        ahead.do(first, other, folder=str(tmp_path))

    monkeypatch.setattr(ahead, "first", one, raising=False)
    monkeypatch.setattr(ahead, "other", lambda: order.append("other"), raising=False)
    ahead.do(first, other, folder=str(tmp_path))
    assert order == ["first", "other"]
    assert ahead.done(str(tmp_path), first) and ahead.done(str(tmp_path), other)


def test_the_process_ends_well_and_is_none_where_none_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    process = ahead.begin("work:nothing_of_that_name")
    assert process is not None and process.wait(timeout=60) == 0

    def refused(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(subprocess, "Popen", refused)
    assert ahead.begin("work:nothing_of_that_name") is None


def test_nothing_is_imported_from_the_folder_it_starts_in(monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: words.append(command))
    ahead.begin("a:b", "c:d")
    assert words[0][1] == "-P" and words[0][-1].endswith("do(*('a:b', 'c:d'), folder='')")
