"""`discreet serve`: what its options become, said or refused before a socket is opened."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the release server needs the extra `server`")

from discreet.release.people.openid import settings as openid
from discreet.release.running import metrics_port
from discreet.release.web import logs, processes
from discreet.release.web.settings import Settings

Run = Callable[..., Any]


class Seen(dict[str, Any]):
    """What would have been started: by the name of what starts it."""


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Nothing is started; the environment is as before afterwards."""
    kept = Seen()

    def note(name: str, result: Any = None) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            kept[name] = given
            if name in ("one", "many"):
                kept["settings"] = Settings.from_environment()
                kept["folder"] = os.environ[metrics_port.FOLDER]
            return result

        return called

    monkeypatch.setattr(processes, "listen", note("listen", "socket"))
    monkeypatch.setattr(processes, "run_one", note("one"))
    monkeypatch.setattr(processes, "run_many", note("many"))
    monkeypatch.setattr(logs, "set_up", note("log"))
    monkeypatch.setattr(metrics_port, "serve_metrics", note("metrics"))
    monkeypatch.setattr(os, "environ", os.environ.copy())
    return kept


def test_by_default_this_machine_alone_reaches_one_process(seen: Seen, discreet: Run, tmp_path: Path) -> None:
    place = tmp_path / "d.db"
    ran = discreet("serve", "--database", place)
    assert ran.code == 0 and "http://127.0.0.1:8000" in ran.err
    assert seen["listen"] == ("127.0.0.1", 8000)
    assert seen["one"] == ("socket",) and "many" not in seen and "metrics" not in seen
    assert seen["log"] == (logging.WARNING,)
    assert place.exists(), "the database is brought up to date before anybody is served"
    settings = seen["settings"]
    assert (settings.workers, settings.places, settings.openid, len(settings.proxies)) == (1, None, None, 0)
    assert not Path(seen["folder"]).exists(), "what it counts goes with it"


def test_every_option_reaches_the_server(seen: Seen, discreet: Run, tmp_path: Path) -> None:
    words: dict[str, object] = {
        "--database": tmp_path / "d.db",
        "--port": 8123,
        "--host": "0.0.0.0",
        "--workers": 3,
        "--deciders": 4,
        "--rate": 7,
        "--max-upload": 2,
        "--session-hours": 3,
        "--public-url": "https://stats.example.org",
        "--proxy": "10.0.0.1",
        "--max-rows": 11,
        "--max-columns": 12,
        "--read-memory": 100,
        "--read-seconds": 13,
        "--log-format": "json",
        "--metrics-port": 9123,
    }
    ran = discreet("serve", "--log", *(word for pair in words.items() for word in pair))
    assert ran.code == 0, ran.err
    settings = seen["settings"]
    assert seen["listen"] == ("0.0.0.0", 8123)
    assert seen["many"] == ("socket", 3, logging.INFO) and "one" not in seen
    assert seen["log"] == (logging.INFO,)
    assert seen["metrics"] == (9123,)
    assert (settings.rate, settings.burst) == (7.0, 70.0)
    assert (settings.max_upload, settings.read_memory) == (2 << 20, 100 << 20)
    assert (settings.max_rows, settings.max_columns, settings.read_seconds) == (11, 12, 13.0)
    assert (settings.workers, settings.deciders) == (3, 2), "four deciders for three: two each, rounded up"
    assert (settings.session_hours, settings.log_format) == (3.0, "json")
    assert (settings.public_url, list(settings.proxies)) == ("https://stats.example.org", ["10.0.0.1"])
    assert settings.places is not None and Path(settings.places).parent == Path(seen["folder"])


def test_every_option_is_tried(discreet: Run) -> None:
    """An option that is added shows up here: it must reach the server, too."""
    told = discreet("serve", "--help").out
    source = Path(__file__).read_text(encoding="utf-8")
    options = {word.strip(",") for word in told.replace("│", " ").split() if word.startswith("--")}
    assert {"--port", "--oidc"} <= options
    assert {one for one in options - {"--help"} if f'"{one}"' not in source} == set()


@pytest.mark.parametrize(
    "words",
    [
        ("--port", "0"),
        ("--port", "65536"),
        ("--workers", "0"),
        ("--deciders", "0"),
        ("--rate", "0"),
        ("--session-hours", "0"),
        ("--session-hours", "169"),
        ("--read-memory", "1"),
        ("--log-format", "xml"),
        ("--oidc", "none.toml"),
    ],
)
def test_what_cannot_be_served_makes_nothing(seen: Seen, discreet: Run, tmp_path: Path, words: tuple[str, str]) -> None:
    assert discreet("serve", "--database", tmp_path / "d.db", *words).code == 2
    assert list(tmp_path.iterdir()) == []
    assert not seen


def test_a_sign_in_service_is_read_before_anything_starts(
    seen: Seen, discreet: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("authlib")
    given = tmp_path / "oidc.toml"
    given.write_text("issuer = 3\n")
    assert discreet("serve", "--database", tmp_path / "d.db", "--oidc", given).code == 2
    assert not seen
    read: list[Path] = []
    monkeypatch.setattr(openid, "read_settings", read.append)
    monkeypatch.chdir(tmp_path)
    assert discreet("serve", "--database", tmp_path / "d.db", "--oidc", "oidc.toml").code == 0
    assert read == [Path("oidc.toml")]
    assert seen["settings"].openid == str(given.resolve()), "workers may run in another folder"


def test_ctrl_c_is_how_it_ends(seen: Seen, discreet: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "run_one", interrupted)
    assert discreet("serve", "--database", tmp_path / "d.db").code == 0
