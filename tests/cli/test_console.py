"""How the command speaks: nothing of the data in an error, nothing unprintable on a terminal, one code for each end."""

from __future__ import annotations

import io
import sys
from typing import NoReturn

import pytest
import typer

from discreet.cli import console
from discreet.errors import InputError, UnsafeReleaseError


def _end(error: BaseException) -> tuple[int, typer.Typer]:
    app = typer.Typer()

    @app.command()
    def command() -> NoReturn:
        raise error

    return console.run(app, []), app


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (InputError("no column 'x'"), 2, "error: no column 'x'"),
        (UnsafeReleaseError("it is not safe"), 1, "unsafe: it is not safe\nnothing was written"),
        (MemoryError(), 2, "error: not enough memory for this input; nothing was written"),
        (KeyboardInterrupt(), 130, "cancelled: nothing was written"),
        (typer.Abort(), 130, "cancelled: nothing was written"),
    ],
)
def test_each_end_has_its_code_and_its_words(
    error: BaseException, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _end(error)[0] == code
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("error", [None, InputError("no"), ValueError("no"), KeyboardInterrupt()])
def test_what_is_open_is_closed_however_the_command_ends(error: BaseException | None) -> None:
    app, closed = typer.Typer(), []

    @app.command()
    def command() -> None:
        console.at_end(lambda: closed.append(1))
        if error is not None:
            raise error

    console.run(app, [])
    assert closed == [1]
    console.at_end(lambda: closed.append(2))  # no command runs: whoever called closes it
    assert closed == [1]


def test_an_unforeseen_error_does_not_quote_the_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert _end(ValueError("could not convert 'Eve Smith'"))[0] == 2
    told = capsys.readouterr().err
    assert "defect in discreet (ValueError)" in told and "Eve" not in told and "--debug" in told


def test_only_debug_shows_where_it_happened(capsys: pytest.CaptureFixture[str]) -> None:
    app = _end(ValueError("Eve"))[1]
    capsys.readouterr()
    assert console.run(app, ["--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_null_character_reaches_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert console.run(typer.Typer(), ["a\0b"]) == 2
    assert "NUL" in capsys.readouterr().err


def test_what_does_not_print_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    console.say("a\x1b[31mb\u202e\nc")
    told = capsys.readouterr().err
    assert "\x1b" not in told and "\u202e" not in told and told.count("\n") == 2
    console.warn("x")
    assert capsys.readouterr().err == "warning: x\n"


def test_letters_that_the_terminal_has_not_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, encoding="ascii"))
    console.say("Zürich")
    assert raw.getvalue() == b"Z\\xfcrich\n"


def test_closed_streams_are_no_reason_to_fail_but_for_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    console.say("nobody hears")
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(InputError, match="standard output: it is closed"):
        console.tell("a result")


def test_a_result_makes_room_for_figures_on_standard_output() -> None:
    assert console.teller("-") is console.say
    assert console.teller("f.json") is console.tell
    assert console.teller(None) is console.tell


@pytest.mark.parametrize(
    ("text", "names"),
    [("a,b", ["a", "b"]), (' a , "b,c"', ["a", "b,c"]), ("a", ["a"]), ('"a ""b"""', ['a "b"'])],
)
def test_lists_of_names_are_read_as_csv(text: str, names: list[str]) -> None:
    assert console.split_names(text) == names


@pytest.mark.parametrize("text", ["", ",", "a,", "a,,b", '"a', '"a"b'])
def test_a_list_with_an_empty_or_broken_name_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="separated by commas"):
        console.split_names(text)


def test_an_option_given_again_is_a_list_of_lists() -> None:
    assert console.split_sets(None) is None
    assert console.split_sets(["a,b"]) == ["a", "b"]
    assert console.split_sets(["a,b", "c"]) == [["a", "b"], ["c"]]
    assert console.split_names(None) is None
