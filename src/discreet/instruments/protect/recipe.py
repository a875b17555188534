"""`Recipe`: a release as a file. What `protect` is called with and what `recipe.toml` holds are the same thing.

    version = 1
    k = 5
    guarantee = "matchings"

    [roles]
    identifiers = ["person"]
    keys = ["region", "sex", "age"]
    ...

`docs/reference/recipe.md` lists every entry. Files that a recipe names are looked for beside it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from discreet.errors import Faults, InputError, shown
from discreet.instruments.protect import toml
from discreet.instruments.protect.entries import LISTS, NAMES, check

FORMAT = 1

# The sections of a file whose entries are a mapping of columns or words, each a field of the same name.
SECTIONS = ("hierarchies", "caps", "levels", "importance", "ordered", "missing", "accept", "checks", "outputs")
TOP = ("k", "l", "guarantee", "recoding", "numbers", "time_limit", "categorical")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What is done with a file: the role of every column, the guarantee, and how.

    | field | |
    |---|---|
    | k, l | persons (or households) that look alike; sensitive values among them |
    | guarantee, recoding, numbers | "matchings" or "classes"; "local" or "global"; "mean" or "range" |
    | identifiers, keys, numeric, sensitive, leave | the columns of each role |
    | weight, household, person | one column each, or None |
    | rare | sizes of households with fewer than k: "error", "merge", "suppress" or "unlink" |
    | hierarchies, caps, levels, importance, categorical, ordered | how keys are widened, and what that costs |
    | missing | of `keys`: "error", "value" or "wildcard"; of `numbers`: "error" or "known" |
    | accept | left columns that may tell, and why they may |
    | seed | None: the draw is secret; a number repeats it |
    | checks | the greatest `loss`, and the greatest share of persons `found`, that may go out |
    | outputs | further files of the command: `report`, `json`, `secret` |
    | earlier | manifests of earlier releases of the same persons |
    | folder | where the files it names are |
    """

    k: int = 5
    l: int | None = None
    guarantee: str = "matchings"
    recoding: str = "local"
    numbers: str = "mean"
    time_limit: float | None = None
    identifiers: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    leave: tuple[str, ...] = ()
    weight: str | None = None
    household: str | None = None
    person: str | None = None
    rare: str = "error"
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    caps: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)
    importance: Mapping[str, float] = field(default_factory=dict)
    categorical: tuple[str, ...] = ()
    ordered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    accept: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    checks: Mapping[str, float] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    earlier: tuple[str, ...] = ()
    folder: Path | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        faults = Faults()
        for name, value in check({one.name: getattr(self, one.name) for one in fields(self)}, faults).items():
            object.__setattr__(self, name, value)
        faults.raise_if_any()

    @property
    def unit(self) -> str | None:
        """The column of those who are protected as one, where that is not every row by itself."""
        return self.household if self.household is not None else self.person

    @property
    def boxes(self) -> tuple[str, ...]:
        """The columns that are published as boxes."""
        return (*self.keys, *self.numeric) if self.numbers == "range" else self.keys

    @property
    def means(self) -> tuple[str, ...]:
        """The columns that are published as means."""
        numbers = self.numeric if self.numbers == "mean" else ()
        return numbers if self.weight is None else (*numbers, self.weight)

    def path(self, name: str | os.PathLike[str]) -> Path:
        """Where a file is that the recipe names."""
        return Path(name) if self.folder is None else self.folder / name

    @property
    def trees(self) -> dict[str, Any]:
        """The hierarchies, those in files by the place of the file."""
        return {
            name: self.path(given) if isinstance(given, str | os.PathLike) else given
            for name, given in self.hierarchies.items()
        }

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Recipe:
        """The recipe in a file; one error with everything that is wrong with it, unknown entries by name."""
        place = Path(path)
        try:
            data = tomllib.loads(place.read_text(encoding="utf-8"))
        except OSError as error:
            from discreet.frames.atomic import explain

            raise explain(error, path, "read") from None
        except tomllib.TOMLDecodeError as error:
            where = re.search(r"\(at [^)]*\)", str(error))  # the rest may quote a line
            raise InputError(f"the recipe {place} is not TOML{' ' + where[0] if where else ''}") from None
        except UnicodeDecodeError:
            raise InputError(f"the recipe {place} is not text in UTF-8") from None
        return Recipe.of(data, folder=place.parent)

    @staticmethod
    def of(data: Mapping[str, Any], folder: Path | None = None) -> Recipe:
        """The recipe that a nested mapping holds, as it is in a file."""
        faults = Faults()
        given: dict[str, Any] = {"folder": folder}
        version = data.get("version", FORMAT)
        faults.check(
            version == FORMAT and not isinstance(version, bool),
            f"the recipe has another version of the format: this discreet reads version {FORMAT}",
        )
        for name, value in data.items():
            if name in TOP:
                given[name] = value
            elif name == "roles" and _is_section(name, value, faults):
                given |= _known(value, name, (*LISTS, *NAMES), faults)
            elif name == "households" and _is_section(name, value, faults):
                given |= _known(value, name, ("rare",), faults)
            elif name == "earlier" and _is_section(name, value, faults):
                given["earlier"] = _known(value, name, ("manifests",), faults).get("manifests", ())
            elif name == "seed" and _is_section(name, value, faults):
                given["seed"] = _seed(value, faults)
            elif name in SECTIONS and _is_section(name, value, faults):
                given[name] = value
            elif name not in ("version", "roles", "households", "earlier", "seed", *SECTIONS):
                known = ("version", *TOP, "roles", "households", "seed", "earlier", *SECTIONS)
                faults.add(_unknown(name, "", known))
        try:
            recipe = Recipe(**given)
        except InputError as error:
            faults.extend(error)
        faults.raise_if_any()
        return recipe

    def to_dict(self) -> dict[str, Any]:
        """The recipe as a nested mapping, ready for TOML and JSON; what is as by default is left out, roles are not.

        A hierarchy that is not in a file stands under the name that `dump` would give it.
        """
        plain = Recipe()
        top: dict[str, Any] = {"version": FORMAT, "k": self.k, "guarantee": self.guarantee}
        top |= {name: _listed(getattr(self, name)) for name in TOP if getattr(self, name) != getattr(plain, name)}
        roles = {name: list(getattr(self, name)) for name in LISTS}
        roles |= {name: getattr(self, name) for name in NAMES if getattr(self, name) is not None}
        out: dict[str, Any] = {**top, "roles": roles}
        if self.household is not None or self.person is not None:
            out["households"] = {"rare": self.rare}
        for name in SECTIONS:
            entries = getattr(self, name)
            if name == "hierarchies":
                entries = {column: os.fspath(self._file(column)) for column in entries}
            if entries and entries != getattr(plain, name):
                out[name] = {column: _listed(one) for column, one in entries.items()}
        out["seed"] = {"policy": "secret"} if self.seed is None else {"value": self.seed}
        if self.earlier:
            out["earlier"] = {"manifests": list(self.earlier)}
        return out

    def text(self) -> str:
        """The recipe as TOML."""
        top: dict[str, Any] = {}
        sections: dict[str, Mapping[str, Any]] = {}
        for name, value in self.to_dict().items():
            if isinstance(value, Mapping):
                sections[name] = value
            else:
                top[name] = value
        parts = [toml.lines(top)] + [[f"[{name}]", *toml.lines(entries)] for name, entries in sections.items()]
        return "\n\n".join("\n".join(part) for part in parts) + "\n"

    def dump(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write the recipe; hierarchies that are in no file yet are written beside it, each to one of its own."""
        from discreet.frames.atomic import together
        from discreet.instruments.quasi_identifiers import as_hierarchy

        place = Path(path)
        moved = self._moved(place.parent)
        with together(force) as batch:
            for column, given in self.hierarchies.items():
                if not isinstance(given, str | os.PathLike):
                    rows = as_hierarchy(given, column).rows()
                    batch.text(place.parent / self._file(column), _as_csv(rows))
            batch.text(place, moved.text())
        return place

    def _moved(self, folder: Path) -> Recipe:
        """The same recipe in another folder: files are named from there."""
        home = Path(".") if self.folder is None else self.folder
        if home.resolve() == folder.resolve():
            return replace(self, folder=folder)

        def named(name: str | os.PathLike[str]) -> str:
            return Path(os.path.relpath(home / name, folder)).as_posix()

        trees = {c: named(g) if isinstance(g, str | os.PathLike) else g for c, g in self.hierarchies.items()}
        outputs = {name: named(given) for name, given in self.outputs.items()}
        earlier = tuple(named(one) for one in self.earlier)
        return replace(self, hierarchies=trees, outputs=outputs, earlier=earlier, folder=folder)

    def _file(self, column: str) -> str | os.PathLike[str]:
        """The file of a column's hierarchy: its own, or the one it would be written to."""
        given = self.hierarchies[column]
        if isinstance(given, str | os.PathLike):
            return given
        place = list(self.hierarchies).index(column) + 1
        return f"hierarchy_{place}_{re.sub(r'[^A-Za-z0-9]+', '_', column)[:40]}.csv"


def _listed(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _as_csv(rows: list[tuple[str, ...]]) -> str:
    import csv
    import io

    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\n").writerows(rows)
    return out.getvalue()


def _is_section(name: str, value: Any, faults: Faults) -> bool:
    return faults.check(isinstance(value, Mapping), f"{name} must be a section of the recipe, [{name}]")


def _known(section: Mapping[str, Any], name: str, known: tuple[str, ...], faults: Faults) -> dict[str, Any]:
    for entry in section:
        faults.check(entry in known, _unknown(entry, f" in [{name}]", known))
    return {entry: value for entry, value in section.items() if entry in known}


def _unknown(name: str, where: str, known: tuple[str, ...]) -> str:
    from discreet.frames.dataframes import did_you_mean

    near = did_you_mean(name, known)
    near = near if "did you mean" in near else f": it may have {', '.join(known)}"
    return f"the recipe has an unknown entry {shown(name)!r}{where}{near}"


def _seed(section: Mapping[str, Any], faults: Faults) -> Any:
    """A seed, or None for a secret draw."""
    given = _known(section, "seed", ("policy", "value"), faults)
    policy = given.get("policy", "fixed" if "value" in given else "secret")
    faults.check(policy in ("secret", "fixed"), 'the policy of the seed must be "secret" or "fixed"')
    faults.check(
        (policy == "fixed") == ("value" in given), "[seed] has either the policy secret, or a value and no secret"
    )
    return given.get("value")
