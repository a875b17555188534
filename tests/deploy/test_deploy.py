"""The files for running the server in earnest, checked as far as a machine without a container engine can."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest
import typer

from discreet.cli import app

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SECRET = re.compile(
    r"(password|passwd|secret|token|api_?key)\s*[=:]\s*\S+|discreet_[A-Za-z0-9_-]{20,}|://[^/\s:@]+:[^@\s]+@", re.I
)


def instructions() -> list[tuple[str, str]]:
    """The Containerfile's instructions; lines that go on are joined, comments left out."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in joined.splitlines() if line.strip()]


def check_serve(words: list[str]) -> None:
    """Every option of this `serve` exists and its values can be parsed."""
    group = typer.main.get_command(app)
    assert isinstance(group, click.Group) or hasattr(group, "commands")
    command = group.commands["serve"]  # type: ignore[attr-defined]
    assert words[0] == "serve"
    command.make_context("serve", words[1:], resilient_parsing=False)


def unit() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "discreet.service").read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            found.setdefault(key, []).append(value)
    return found


def test_no_file_holds_a_secret() -> None:
    files = sorted(DEPLOY.iterdir())
    assert {file.name for file in files} >= {"Containerfile", "discreet.service", "nginx.conf"}
    for file in files:
        assert not SECRET.search(file.read_text(encoding="utf-8")), file.name


def test_the_container_copies_what_exists_and_has_what_it_needs() -> None:
    copied: list[str] = []
    for word, rest in instructions():
        if word == "COPY" and "--from=" not in rest:
            *sources, _ = rest.split()
            copied += sources
            for source in sources:
                assert (ROOT / source).exists(), source
        assert word != "ADD", "COPY does what it says"
    build = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for needed in (*re.findall(r'readme = "([^"]+)"', build), *re.findall(r'license-files = \["([^"]+)"', build)):
        assert needed in copied


def test_the_container_does_not_run_as_root() -> None:
    words = instructions()
    stages = [i for i, (word, _) in enumerate(words) if word == "FROM"]
    last = words[stages[-1] :]
    users = [rest for word, rest in last if word == "USER"]
    assert users and all(re.fullmatch(r"[1-9]\d*", user) for user in users)
    made = next(rest for word, rest in last if word == "RUN" and "useradd" in rest)
    assert f"--uid {users[-1]}" in made
    place = [word for word, _ in last]
    assert place.index("USER") < place.index("ENTRYPOINT") < place.index("CMD")


def test_the_container_starts_a_server() -> None:
    words = dict(instructions())
    entry, command = (re.findall(r'"([^"]*)"', words[key]) for key in ("ENTRYPOINT", "CMD"))
    assert entry == ["discreet"]
    check_serve(command)
    assert command[command.index("--port") + 1] == words["EXPOSE"]
    assert f"127.0.0.1:{words['EXPOSE']}/health" in words["HEALTHCHECK"]
    assert words["STOPSIGNAL"] == "SIGTERM"


def test_the_unit_starts_a_server() -> None:
    found = unit()
    (start,) = found["ExecStart"]
    words = shlex.split(start)
    assert words[0].endswith("/discreet")
    check_serve(words[1:])
    assert words[words.index("--host") + 1] == "127.0.0.1"
    for key in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "DynamicUser"):
        assert found[key] == ["yes"]
    assert found["ProtectSystem"] == ["strict"]
    assert found["CapabilityBoundingSet"] == [""]
    assert "MemoryDenyWriteExecute" not in found  # compiled code could not run


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    path = tmp_path / "discreet.service"
    text = (DEPLOY / "discreet.service").read_text(encoding="utf-8")
    path.write_text(text.replace("/opt/discreet/bin/discreet", "/bin/true"), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True)
    assert (done.returncode, [line for line in done.stderr.splitlines() if "discreet" in line]) == (0, [])
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=25", str(path)], capture_output=True, text=True
    )
    assert judged.returncode == 0, judged.stdout[-300:]  # exposure at most 2.5 of 10


def blocks(text: str) -> None:
    """Braces match, and every line is a comment, opens or closes a block, or ends with a semicolon."""
    depth = 0
    for line in text.splitlines():
        bare = line.split("#")[0].strip()
        assert not bare or bare[-1] in "{};", line
        depth += bare.count("{") - bare.count("}")
        assert depth >= 0
    assert depth == 0


def test_the_proxy_speaks_https_and_keeps_nothing() -> None:
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    blocks(text)
    (start,) = unit()["ExecStart"]
    words = shlex.split(start)
    assert f"server {words[words.index('--host') + 1]}:{words[words.index('--port') + 1]};" in text
    for said in (
        "proxy_set_header Host $host;",
        "proxy_buffering off;",
        "ssl_protocols       TLSv1.2 TLSv1.3;",
        "client_max_body_size 64m;",
    ):
        assert said in text
    assert re.search(r"location = /metrics \{\s*return 404;", text)
    assert "$http_host" not in text and "https://$host" not in text  # a redirect never follows the caller's word


def test_nginx_takes_the_proxy(tmp_path: Path) -> None:
    nginx = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    openssl = shutil.which("openssl")
    if nginx is None or openssl is None:
        pytest.skip("nginx or openssl is not installed")
    key, certificate = tmp_path / "k.pem", tmp_path / "c.pem"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
    names = ["-subj", "/CN=margins.example.org", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *words, *names], check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    text = text.replace("/etc/ssl/certs/margins.pem", str(certificate))
    text = text.replace("/etc/ssl/private/margins.key", str(key))
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nerror_log {tmp_path}/log;\nevents {{}}\nhttp {{\n{text}\n}}\n")
    done = subprocess.run([nginx, "-t", "-c", str(whole), "-p", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr
