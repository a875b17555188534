"""The manifest beside a release read back: are these the files it names, and does what it claims hold?

Nothing in a manifest is believed: it says which claim is to be checked on which files. Hashes tell whether these are
the files that were meant; the release is judged anew; and what is claimed is repeated in the verdict, so that a
manifest that claims little shows it. Files are named as seen from the manifest's folder: the published one stands
beside it; hierarchies and earlier manifests may stand elsewhere, but are read only if their hashes are those named.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from discreet.errors import Faults, InputError
from discreet.results import Verdict
from discreet.verify.claims import ARGUMENTS
from discreet.verify.file import File
from discreet.verify.readers import TEXTS, Table, shown, shown_list

FORMAT, FORMAT_VERSION = "discreet manifest", 1
MOST_BYTES = 64 << 20
HASH = re.compile(r"[0-9a-f]{64}")
ADVICE = "give the files that belong to this manifest, unchanged, or publish anew"


@dataclass(frozen=True)
class Manifest:
    """A manifest as it was read: names, hashes and the claim."""

    folder: Path
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    claim: Mapping[str, Any]
    hierarchies: Mapping[str, Mapping[str, Any]]
    earlier: Sequence[Mapping[str, Any]]
    dropped: Sequence[str]
    recipe: Mapping[str, Any]
    seed: str
    verdict: Mapping[str, Any] = field(repr=False)

    @property
    def published(self) -> Path:
        return self.folder / self.output["name"]


def read_manifest(path: str | os.PathLike[str]) -> Manifest:
    """The manifest in a file, or one error with everything that is wrong with it."""
    found = _parsed(path)
    faults = Faults()
    if found.get("format") != FORMAT:
        raise InputError("this is no manifest of a release: its format is another one")
    version = found.get("format_version")
    if type(version) is not int or version != FORMAT_VERSION:
        raise InputError(
            f"the manifest has format version {shown(version)}, and this is version {FORMAT_VERSION}: check it with "
            "the version of discreet that wrote it, or publish anew"
        )
    parts = {
        name: _part(found, name, kind, faults)
        for name, kind in (
            ("input", dict),
            ("output", dict),
            ("claim", dict),
            ("hierarchies", dict),
            ("earlier", list),
            ("dropped", list),
            ("verdict", dict),
            ("seed", str),
        )
    }
    recipe = found.get("recipe", {})
    faults.check(isinstance(recipe, dict), "the manifest's part recipe is not of its kind")
    faults.raise_if_any()
    for what in ("input", "output"):
        _check_entry(parts[what], what, faults, rows=True)
    for what, entry in (*parts["hierarchies"].items(), *(("earlier", one) for one in parts["earlier"])):
        _check_entry(entry, what, faults, rows=False)
    plain = _is_plain(parts["output"].get("name"))
    faults.check(plain, "the manifest must name the published file by its bare name: it stands beside the manifest")
    faults.check(
        all(isinstance(name, str) for name in parts["dropped"]), "the manifest's dropped columns must be names"
    )
    faults.check(
        all(_is_argument(value) for value in parts["claim"].values()),
        "the manifest's claim must hold numbers, names, lists of names, and hierarchies and caps by column",
    )
    strange = [name for name in parts["claim"] if name not in ARGUMENTS]
    faults.check(not strange, f"the manifest claims what the check does not know: {shown_list(strange)}")
    faults.check("k" in parts["claim"], "the manifest claims no k")
    faults.raise_if_any()
    return Manifest(folder=Path(path).parent, recipe=recipe if isinstance(recipe, dict) else {}, **parts)


def verify_manifest(
    path: str | os.PathLike[str],
    original: str | os.PathLike[str],
    *,
    secret: str | os.PathLike[str] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Verdict:
    """Whether the release that a manifest stands beside is what it says, and safe: the check anew.

    `delimiter` and `encoding` are for the original where the manifest does not say how it is to be read.
    """
    from discreet.verify import judge

    manifest = read_manifest(path)
    failures = _differ(manifest, original)
    claim, more = arguments(manifest)
    failures += more
    before = File(
        original,
        delimiter=delimiter or manifest.input.get("delimiter"),
        encoding=encoding or manifest.input.get("encoding"),
    )
    after = published_file(manifest, original, delimiter, encoding)
    old, new, _, verdict = judge(before, after, **claim, secret=secret)
    failures += _differ(manifest, original) if not failures else []  # read while it was changed
    failures += _disagreements(manifest, old, new)
    limits = list(verdict.limits)
    if secret is None and verdict.guarantee not in ("microaggregation", "blanks", "measured"):
        limits.append("the sets behind each row: the custodian's secret file (--secret) was not given")
    if manifest.seed == "fixed":
        limits.append("the draw came from a fixed seed: whoever knows or guesses it knows who is who")
    noted = manifest.verdict.get("outcome")
    if noted != verdict.outcome:
        limits.append(f"the manifest itself records {shown(noted)!r} for this release")
    advice = (*verdict.advice, ADVICE) if failures else verdict.advice
    return replace(
        verdict,
        outcome="unsafe" if failures else verdict.outcome,
        failures=(*failures, *verdict.failures),
        proven=(_claimed(manifest), *(() if failures else verdict.proven)),
        limits=tuple(limits),
        advice=advice,
    )


def file_hash(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file's bytes."""
    try:
        with open(path, "rb") as handle:
            if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):
                raise InputError(
                    f"{shown(os.fspath(path))} is no file that can be hashed: a manifest names plain files"
                )
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "it is damaged"
        raise InputError(f"cannot read {shown(os.fspath(path))}: {reason}") from None


def _parsed(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The object in a JSON file that has every name once and no number that is none."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = dict(pairs)
        if len(names) < len(pairs):
            raise ValueError
        return names

    def refuse(_: str) -> Any:
        raise ValueError

    try:
        with open(path, "rb") as handle:
            raw = handle.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise ValueError
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=once, parse_constant=refuse)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "it is damaged"
        raise InputError(f"cannot read the manifest {shown(os.fspath(path))}: {reason}") from None
    except (ValueError, RecursionError):
        raise InputError("the manifest is malformed: it is not JSON with every name once") from None
    if not isinstance(found, dict):
        raise InputError("the manifest is malformed: it is not one object")
    return found


def _part(found: Mapping[str, Any], name: str, kind: type, faults: Faults) -> Any:
    value = found.get(name)
    faults.check(isinstance(value, kind), f"the manifest has no part {name}, or one that is not of its kind")
    return value


def _check_entry(entry: Any, what: str, faults: Faults, *, rows: bool) -> None:
    """A named file: a relative name and a hash, and for tables the number of rows."""
    if not isinstance(entry, dict):
        faults.add(f"the manifest's {shown(what)} must name a file and its hash")
        return
    name, digest = entry.get("name"), entry.get("sha256")
    relative = isinstance(name, str) and name != "" and "\0" not in name
    relative = relative and not PurePosixPath(str(name)).is_absolute() and not PureWindowsPath(str(name)).drive
    faults.check(relative, f"the manifest's {shown(what)} must name a file, as seen from the manifest's folder")
    hashed = isinstance(digest, str) and HASH.fullmatch(digest) is not None
    faults.check(hashed, f"the manifest's {shown(what)} has no SHA-256 of its file")
    if rows:
        faults.check(
            type(entry.get("rows")) is int and entry["rows"] >= 0, f"the manifest's {what} has no number of rows"
        )


def _is_argument(value: Any) -> bool:
    """Whether a part of the claim can be an argument of the check; what it means is judged there."""
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or isinstance(value, str | int | dict)


def _is_plain(name: Any) -> bool:
    """Whether a name is that of a file in the folder itself."""
    return isinstance(name, str) and name not in ("", ".", "..", "-") and not set(name) & set("/\\:\0")


def _differ(manifest: Manifest, original: str | os.PathLike[str]) -> list[str]:
    """Which of the two tables are not the files that the manifest names."""
    failures = []
    if file_hash(manifest.published) != manifest.output["sha256"]:
        failures.append("the published file is not the one that the manifest names: its hash differs")
    if file_hash(original) != manifest.input["sha256"]:
        failures.append("the original is not the file that the manifest names: its hash differs")
    return failures


def arguments(manifest: Manifest) -> tuple[dict[str, Any], list[str]]:
    """The arguments of the check, with files for the names of hierarchies and earlier manifests; what is wrong."""
    claim, failures = dict(manifest.claim), []
    trees = claim.get("hierarchies") or {}
    if not isinstance(trees, dict) or not all(isinstance(tree, str | list) for tree in trees.values()):
        raise InputError("the manifest's hierarchies must be named by column")
    named = {column: tree for column, tree in trees.items() if isinstance(tree, str)}
    known = {column: entry["name"] for column, entry in manifest.hierarchies.items()}
    if named != known:
        raise InputError("the manifest claims other hierarchies than those whose hashes it has")
    listed = claim.get("earlier") or []
    if listed != [entry["name"] for entry in manifest.earlier]:
        raise InputError("the manifest claims other earlier releases than those whose hashes it has")
    for what, entry in (
        *((f"the hierarchy of {shown(column)}", entry) for column, entry in manifest.hierarchies.items()),
        *(("the earlier manifest", entry) for entry in manifest.earlier),
    ):
        if file_hash(manifest.folder / entry["name"]) != entry["sha256"]:
            failures.append(f"{what} is not the file that the manifest names: its hash differs")
    if named:
        claim["hierarchies"] = {**trees, **{column: manifest.folder / name for column, name in named.items()}}
    if listed:
        claim["earlier"] = [manifest.folder / name for name in listed]
    return claim, failures


def published_file(
    manifest: Manifest,
    original: str | os.PathLike[str] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> File:
    """The published file, read as the custodian said: text follows the text of the original."""
    names = [manifest.input["name"] if original is None else os.fspath(original), manifest.output["name"]]
    kinds = [set(PurePosixPath(name).name.lower().split(".")[1:]) for name in names]
    follows = all(kind & set(TEXTS) for kind in kinds)
    own = follows and bool(kinds[1] & {"csv", "txt"})
    return File(
        manifest.published,
        delimiter=(delimiter or manifest.input.get("delimiter")) if own else None,
        encoding=(encoding or manifest.input.get("encoding")) if follows else None,
    )


def _disagreements(manifest: Manifest, before: Table | None, after: Table) -> list[str]:
    """Where the manifest contradicts the files or itself."""
    failures = []
    for what, table, entry in (("original", before, manifest.input), ("published data", after, manifest.output)):
        if table is not None and table.rows != entry["rows"]:
            failures.append(f"the {what} has {table.rows} rows, and the manifest says {entry['rows']}")
    present = set(after.names)
    gone = [] if before is None else [name for name in before.names if name not in present and name not in before.index]
    if sorted(manifest.dropped) != sorted(gone):
        failures.append("the columns that are not published are not those that the manifest says were dropped")
    other = _other_than_recipe(manifest)
    if other:
        failures.append(f"the manifest's claim and its recipe differ: {shown_list(other)}")
    return failures


def _other_than_recipe(manifest: Manifest) -> list[str]:
    """Which parts of the claim are not those of the recipe."""
    recipe, claim = manifest.recipe, manifest.claim
    if not recipe:
        return []
    roles = recipe.get("roles", {})
    lists = [roles.get(name, []) for name in ("keys", "numeric", "identifiers")] if isinstance(roles, dict) else [0]
    if not all(isinstance(one, list) and all(isinstance(name, str) for name in one) for one in lists):
        return ["roles"]
    ranges, accepted = recipe.get("numbers", "mean") == "range", recipe.get("accept")
    numeric = list(roles.get("numeric") or [])
    wanted: dict[str, Any] = {
        "k": recipe.get("k"),
        "l": recipe.get("l"),
        "guarantee": recipe.get("guarantee", "matchings"),
        "quasi_identifiers": sorted([*(roles.get("keys") or []), *(numeric if ranges else [])]),
        "numeric": [] if ranges else sorted(numeric),
        "identifiers": sorted(roles.get("identifiers") or []),
        "household": roles.get("household"),
        "person": roles.get("person"),
        "weight": roles.get("weight"),
        "accept": sorted(map(str, accepted if isinstance(accepted, dict | list) else [])),
    }
    found = {
        name: sorted(claim.get(name) or []) if isinstance(value, list) else claim.get(name)
        for name, value in wanted.items()
    }
    return [name for name, value in wanted.items() if found[name] != value]


def _claimed(manifest: Manifest) -> str:
    """What the manifest claims, for the verdict to repeat."""
    claim = manifest.claim
    words = [f"k = {shown(claim['k'])}"]
    if claim.get("l") is not None:
        words.append(f"l = {shown(claim['l'])} of {shown(claim.get('sensitive'))}")
    for what, label in (
        ("quasi_identifiers", "quasi-identifiers"),
        ("numeric", "means of"),
        ("weight", "weight"),
        ("household", "household"),
        ("person", "person"),
        ("identifiers", "dropped"),
        ("accept", "accepted"),
        ("semantics", "shared by"),
        ("combinations", "keys at a time:"),
    ):
        value = claim.get(what)
        if value:
            words.append(f"{label} {shown_list([value] if isinstance(value, str | int) else list(value))}")
    return "the manifest claims " + "; ".join(words)
