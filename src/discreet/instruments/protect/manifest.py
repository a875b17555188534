"""The manifest beside a release: what it claims and which files it is about, without any record or value of the data.

`discreet verify --manifest out.csv.manifest.json data.csv` needs no other option: the manifest has the arguments of the
check. Nothing in it is believed; hashes only say that the files are those that were meant. Files are named as seen from
the manifest's folder, the confidential one by its bare name.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discreet.results import Result, Verdict

FORMAT, FORMAT_VERSION = "discreet manifest", 1
SUFFIX = ".manifest.json"


def manifest_path(output: str | os.PathLike[str]) -> Path | None:
    """Where the manifest of an output goes: beside it; None for standard output, pipes and devices."""
    from discreet.frames.atomic import is_special, is_standard

    if is_standard(output) or is_special(Path(output)):
        return None
    return Path(f"{os.fspath(output)}{SUFFIX}")


def manifest(
    result: Result,
    verdict: Verdict,
    *,
    output: Path,
    published: Mapping[str, Any],
    original: Mapping[str, Any],
    dropped: Sequence[str],
    hierarchies: Mapping[str, str | os.PathLike[str]],
) -> dict[str, Any]:
    """The manifest of a release as it is written; `published` and `original` say which files, with hash and rows."""
    from discreet._version import __version__

    figures, folder = result.to_dict(), output.resolve().parent
    claim = {name: _plain(value) for name, value in result.claim().items() if name != "secret"}
    trees = {column: {"name": _from(path, folder), "sha256": file_hash(path)} for column, path in hierarchies.items()}
    if trees:
        claim["hierarchies"] = {column: tree["name"] for column, tree in trees.items()}
    earlier = [{"name": _from(path, folder), "sha256": file_hash(path)} for path in claim.get("earlier", ())]
    if earlier:
        claim["earlier"] = [one["name"] for one in earlier]
    policy = {None: "none", True: "secret", False: "fixed"}[figures.get("secret_draw")]
    recipe = {}
    if "recipe" in figures:  # without a seed: whoever knows it knows the draw
        recipe = {"recipe": {**figures["recipe"], "seed": {"policy": policy}}}
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "version": __version__,
        "instrument": figures["instrument"],
        "input": dict(original),
        "output": dict(published),
        "hierarchies": trees,
        "dropped": list(dropped),
        "claim": claim,
        **recipe,
        "seed": policy,
        "earlier": earlier,
        "verdict": verdict.to_dict(),
    }


def command(output: str | os.PathLike[str], original: str | os.PathLike[str], secret: Path | None = None) -> list[str]:
    """The command that checks a release by its manifest, as words."""
    words = ["discreet", "verify", "--manifest", f"{os.fspath(output)}{SUFFIX}", os.fspath(original)]
    return [*words, *(["--secret", os.fspath(secret)] if secret is not None else [])]


def file_hash(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file's bytes."""
    from discreet.frames.atomic import explain

    try:
        with open(path, "rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise explain(error, path, "read") from None


def _from(path: str | os.PathLike[str], folder: Path) -> str:
    """A file's name as seen from a folder."""
    return Path(os.path.relpath(Path(path).resolve(), folder)).as_posix()


def _plain(value: Any) -> Any:
    """An argument as JSON has it."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, tuple | list | set | frozenset) else value
