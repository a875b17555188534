"""Every snippet in README and docs runs, in order, page by page.

A ```python block runs in one interpreter per page; in a ```console block each line that starts with `$ ` runs in a
shell. Both work in one scratch folder per page. A console line may end with `# exit 1` to say its exit code. What a
block prints below a `$ ` line is compared where it is given; `...` stands for anything.
"""

from __future__ import annotations

import fnmatch
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^( *)```(python|console)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    return [
        (kind, "\n".join(line.removeprefix(indent) for line in body.splitlines()))
        for indent, kind, body in BLOCK.findall(page.read_text(encoding="utf-8"))
    ]


def run_console(body: str, folder: Path) -> None:
    commands: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif line.startswith("> ") and commands and commands[-1][0].endswith("\\"):
            commands[-1] = (commands[-1][0] + "\n" + line[2:], [])
        elif commands:
            commands[-1][1].append(line)
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for command, expected in commands:
        wanted = re.search(r"# exit (\d+)\s*$", command)
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == (int(wanted[1]) if wanted else 0), f"{command}\n{done.stdout}{done.stderr}"
        printed = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
        printed = [line for line in printed if not line.startswith("compiling for this machine")]
        text = "\n".join(line.rstrip() for line in expected).strip()
        if text:
            pattern = re.sub(r"([\[\]?])", lambda m: f"[{m[1]}]", text).replace("...", "*")
            assert fnmatch.fnmatchcase("\n".join(printed).strip(), pattern), f"{command}\n" + "\n".join(printed)


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_snippets_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for kind, body in blocks(page):
        if kind == "python":
            exec(compile(body, str(page), "exec"), names)
        else:
            run_console(body, tmp_path)


def test_there_are_snippets() -> None:
    assert any(kind == "python" for page in PAGES for kind, _ in blocks(page))
    assert any(kind == "console" for page in PAGES for kind, _ in blocks(page))
