"""Run the command in this process and see what a person would: its exit code and what it said."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    code: int
    said: str


def discreet(*words: object) -> Outcome:
    """`discreet WORDS`."""
    from discreet.cli import app
    from discreet.cli.console import run

    out, err = _Stream(), _Stream()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(app, [str(word) for word in words])
    return Outcome(code, out.text() + err.text())


class _Stream(io.TextIOWrapper):
    """A text stream with a buffer, as the real ones have."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]
