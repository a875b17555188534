"""The wheel is pure Python, carries its data, and runs in an environment that has nothing but its dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def call(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=900, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done


@pytest.mark.skipif(os.environ.get("DISCREET_SKIP_WHEEL") == "1", reason="DISCREET_SKIP_WHEEL is set")
def test_wheel_runs_in_an_empty_environment(tmp_path: Path) -> None:
    call(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "datasets/autoworkers.csv",
        "report/templates/report.html",
        "release/history/migrations/versions/0001_first.py",
        "release/web/static/htmx.min.js",
        "release/web/templates/base.html",
        "py.typed",
    ):
        assert f"discreet/{needed}" in names
    call(sys.executable, "-m", "venv", tmp_path / "venv")
    binaries = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    call(binaries / "python", "-m", "pip", "install", "--quiet", wheel)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    shell = {"cwd": tmp_path, "env": environment}
    call(binaries / "discreet", "datasets", "survey", "-n", "60", "-o", "survey.csv", **shell)
    words = ("--columns", "income,savings", "-o", "out.csv", "--report", "r.html", "--method", "mdav")
    words += ("--drop", "person,household,household_income")
    call(binaries / "discreet", "microaggregate", "survey.csv", "-k", "3", *words, **shell)
    done = call(binaries / "discreet", "verify", "survey.csv", "out.csv", "-k", "3", "--qi", "income,savings", **shell)
    assert done.stdout.startswith("safe")
    # Without the extra for pictures the report says how to get them.
    assert "discreet[plot]" in (tmp_path / "r.html").read_text(encoding="utf-8")
