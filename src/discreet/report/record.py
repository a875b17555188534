"""For the record: which files a page is about, when and by what it was made, how to check it again, how to cite.

Hashes are SHA-256 of the bytes. That of the original is for those who hold it: whoever knows all of a file but one
value tries every possible value, and the hash says which is right.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from discreet._version import __version__
from discreet.results import Audience

PACKAGES = ("numpy", "scipy", "numba", "pyarrow", "highspy", "matplotlib")
AUTHORS, SOFTWARE = "The discreet developers", "discreet: statistical disclosure control"
# What stands for the confidential file where its name is nobody's business.
ORIGINAL = "ORIGINAL"


@dataclass(frozen=True)
class Digest:
    """A file: what it is ("original", "published", "certificate"), its bare name, and the SHA-256 of its bytes."""

    role: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Record:
    """The files a page is about, and the `command` that checks them again, as words. `confidential` names in it are
    replaced on a public page."""

    files: Sequence[Digest] = ()
    command: Sequence[str] = ()
    confidential: Sequence[str] = field(default=())

    def shown_files(self, audience: Audience) -> list[Digest]:
        """What a page lists: for the public, what is published."""
        return [file for file in self.files if audience == "internal" or file.role == "published"]

    def shown_command(self, audience: Audience) -> str:
        """The command as it is typed: for the public, with bare names, and without that of the original."""
        if audience == "internal":
            return shlex.join(self.command)
        hidden = set(self.confidential)
        words = [ORIGINAL if word in hidden else Path(word).name if os.sep in word else word for word in self.command]
        return shlex.join(words)


def digest(role: str, name: str | os.PathLike[str], where: str | os.PathLike[str] | bytes | None = None) -> Digest:
    """The digest of a file of that name; `where` are its bytes, or where it stands until it gets its name."""
    from discreet.frames.atomic import explain

    if isinstance(where, bytes):
        return Digest(role, Path(name).name, hashlib.sha256(where).hexdigest())
    try:
        with open(name if where is None else where, "rb") as handle:
            return Digest(role, Path(name).name, hashlib.file_digest(handle, "sha256").hexdigest())
    except OSError as error:
        raise explain(error, name, "read") from None


def record_of(claim: Mapping[str, Any], files: Mapping[str, str | os.PathLike[str] | None]) -> Record:
    """The record of a result whose `claim` is made in memory, about the files that are named: by their roles."""
    named = {role: os.fspath(path) for role, path in files.items() if path is not None}
    command = _command(claim, named["original"], named["published"]) if len(named) == 2 and claim else []
    confidential = [named["original"]] if "original" in named else []
    return Record([digest(role, path) for role, path in named.items()], command, confidential)


def _command(claim: Mapping[str, Any], original: str, published: str) -> list[str]:
    """`discreet verify` with the options that say what is claimed; none where a claim has no option."""
    words = ["discreet", "verify", original, published]
    for name, value in claim.items():
        if name == "secret":  # for the custodian alone, and not needed
            continue
        if name in ("hierarchies", "caps") and value:
            return []
        words += _option(name, value)
    return words


def _option(name: str, value: Any) -> list[str]:
    option = {"k": "-k", "quasi_identifiers": "--qi"}.get(name, f"--{name}")
    if value is None or value == () or value == {}:
        return []
    if name == "quasi_identifiers" and not isinstance(value[0], str):
        return [word for names in value for word in (option, ",".join(names))]
    if name in ("accept", "earlier"):
        return [word for one in value for word in (option, str(one))]
    return [option, ",".join(value) if isinstance(value, tuple | list) else str(value)]


def made() -> str:
    """The day in UTC; SOURCE_DATE_EPOCH, where it is set, says which, so that a page can be made again."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return now.date().isoformat()


def versions(audience: Audience) -> list[tuple[str, str]]:
    """What the page was made with; the public needs to know the program."""
    found = [("discreet", __version__)]
    if audience == "public":
        return found
    found.append(("Python", platform.python_version()))
    for name in PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found


def citation(day: str) -> str:
    """How the program is cited; CITATION.cff says the same."""
    return f"{AUTHORS} ({day[:4]}). {SOFTWARE}, version {__version__}. MIT license."
