"""Where log lines go: standard error, plain or as JSON, and libraries only with their errors."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest

from discreet.release.web.logs import set_up
from discreet.release.web.settings import VARIABLE, Settings


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root, names = logging.getLogger(), ("discreet.release", "uvicorn")
    handlers, level = root.handlers[:], root.level
    levels = [logging.getLogger(name).level for name in names]
    root.handlers = []
    yield
    root.handlers = handlers
    root.setLevel(level)
    for name, one in zip(names, levels):
        logging.getLogger(name).setLevel(one)


@pytest.mark.parametrize("form", ["text", "json"])
def test_lines_are_plain_or_json_as_set(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "{}")  # put back at the end
    Settings(log_format=form).to_environment()
    logging.getLogger().handlers = []  # pytest has put its own there again
    set_up(logging.INFO)
    logging.getLogger("discreet.release").info("ready")
    logging.getLogger("discreet.release").debug("detail")
    logging.getLogger("uvicorn").warning("chatter")
    logging.getLogger("else").info("chatter")
    said = capsys.readouterr()
    assert said.out == "" and "chatter" not in said.err and "detail" not in said.err
    (line,) = said.err.splitlines()
    if form == "json":
        assert json.loads(line)["message"] == "ready"
    else:
        assert line.endswith("INFO ready")
