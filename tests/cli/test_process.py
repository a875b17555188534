"""How the command ends when it is cancelled: with 130 and no traceback, whenever the request comes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CASES = {
    "while loading": """
import sys
class Late:
    def find_spec(self, name, *_):
        if name == "discreet.cli.simulate":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Late())
sys.argv = ["discreet", "--version"]
import runpy
runpy.run_module("discreet", run_name="__main__")
""",
    "asked to end while loading": """
import signal
import sys
class Late:
    def find_spec(self, name, *_):
        if name == "discreet.cli.simulate":
            signal.raise_signal(signal.SIGTERM)
sys.meta_path.insert(0, Late())
sys.argv = ["discreet", "--version"]
import runpy
runpy.run_module("discreet", run_name="__main__")
""",
    "before the command": """
import discreet.cli as cli
def prepare():
    raise KeyboardInterrupt
cli.prepare = prepare
cli.main(["--version"])
""",
    "within code that is made from text": """
import discreet.cli as cli
import discreet.cli.console as console
def run(*_):
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        return 130
console.run = run
cli.main(["--version"])
""",
    "at the very end": """
import signal
import sys
import discreet.cli.process as process
process.prepare()
class Last:
    def flush(self):
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
sys.stdout = Last()
process.leave(130)
""",
}


@pytest.mark.parametrize("case", CASES)
def test_cancelled(tmp_path: Path, case: str) -> None:
    (tmp_path / "case.py").write_text(CASES[case])
    ran = subprocess.run(
        [sys.executable, "-m", "case"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 130, ran.stderr
    assert "Traceback" not in ran.stderr
