"""An option has one value: two, or an empty one, are refused before anything is done."""

from __future__ import annotations

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from discreet.cli.strict import Strict

app = typer.Typer()


@app.command(cls=Strict)
def command(
    data: str,
    size: Annotated[int, typer.Option("--size", "-s")] = 1,
    name: Annotated[str | None, typer.Option()] = None,
    part: Annotated[list[str] | None, typer.Option()] = None,
    loud: Annotated[bool, typer.Option("--loud")] = False,
) -> None:
    typer.echo(f"{data} {size} {name} {part} {loud}")


def _run(*words: str) -> tuple[int, str]:
    ran = CliRunner().invoke(app, list(words))
    return ran.exit_code, ran.output


def test_one_value_each_is_taken() -> None:
    assert _run("a", "-s", "2", "--name", "b", "--loud") == (0, "a 2 b None True\n")


def test_what_may_be_repeated_is() -> None:
    assert _run("a", "--part", "x", "--part", "y", "--loud", "--loud") == (0, "a 1 None ['x', 'y'] True\n")


@pytest.mark.parametrize("words", [("-s", "2", "--size", "2"), ("--name", "b", "--name", "c", "--name", "d")])
def test_of_two_values_none_is_ignored(words: tuple[str, ...]) -> None:
    code, text = _run("a", *words)
    assert code == 2
    assert f"{'--size' if 'size' in words[2] else '--name'} is given {len(words) // 2} times" in text


@pytest.mark.parametrize("words", [("",), ("a", "--name", ""), ("a", "--part", "x", "--part", "")])
def test_an_empty_value_is_none(words: tuple[str, ...]) -> None:
    code, text = _run(*words)
    assert code == 2
    assert "is empty: give a value or leave it out" in text
