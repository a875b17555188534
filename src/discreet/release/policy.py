"""What may be published, as data: the rule a custodian sets when a dataset is loaded.

A cell of the full table with a true count of 1 … c is *sensitive*. Given everything released, the sharp bounds of each
sensitive cell must stay at least w apart, and at least `min_tables` tables must be consistent with the releases.

`mode` says on what a decision is based. "exact" looks at the true table; its refusals therefore carry information.
"simulatable" releases only what would be safe for every table consistent with what is public, so that whoever knows
the releases can work out each refusal beforehand and learns nothing from it.

`support` says what becomes of categories that no codebook declares, and which therefore tell who is in the data.
"hidden" keeps a variable's list from analysts until a released margin shows it. "released" shows all lists and counts
the margin of each such variable as public from the start, in every decision; opening is refused where that is unsafe.

`otherwise` says what is told in place of a margin that is refused: nothing; a synthetic one; the margin with some
counts hidden ("suppress"); or with all counts rounded to multiples of `base` ("round"). The last two are decided by
the same rule and count as public in every later decision (`offers/`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from discreet.errors import Faults, InputError, whole

Mode = Literal["exact", "simulatable"]
Otherwise = Literal["refuse", "simulate", "suppress", "round"]
Support = Literal["hidden", "released"]
MODES, OTHERWISE, SUPPORTS = get_args(Mode), get_args(Otherwise), get_args(Support)
LONGEST = 3600.0
# The base of rounding where a policy names none.
BASE = 5


@dataclass(frozen=True)
class Policy:
    """The rule. `published` lists margins that were public before the server opened, such as A:B.

    `base` goes with otherwise = "round" and is 1 with anything else. With `four_eyes` another custodian must confirm
    that the table is loaded, and every change of its policy.
    """

    c: int = 2
    w: int = 3
    min_tables: int = 1
    mode: Mode = "exact"
    otherwise: Otherwise = "refuse"
    time_limit: float = 10.0
    published: tuple[tuple[str, ...], ...] = ()
    four_eyes: bool = False
    support: Support = "hidden"
    base: int = 0

    def __post_init__(self) -> None:
        faults = Faults()
        for name, least in (("c", 0), ("w", 1), ("min_tables", 1)):
            number = whole(getattr(self, name))
            fits = number is not None and least <= number < 2**63
            if faults.check(fits, f"{name} must be a whole number, {least} or more"):
                object.__setattr__(self, name, number)
        faults.check(self.mode in MODES, f"mode must be one of {', '.join(MODES)}")
        faults.check(self.otherwise in OTHERWISE, f"otherwise must be one of {', '.join(OTHERWISE)}")
        self._settle_base(faults)
        faults.check(isinstance(self.four_eyes, bool), "four_eyes must be true or false")
        faults.check(self.support in SUPPORTS, f"support must be one of {', '.join(SUPPORTS)}")
        number = isinstance(self.time_limit, int | float) and not isinstance(self.time_limit, bool)
        faults.check(
            number and 0 < self.time_limit <= LONGEST,
            f"time_limit must be a number of seconds, above 0 and at most {LONGEST:g}",
        )
        faults.raise_if_any()

    def _settle_base(self, faults: Faults) -> None:
        """The base that holds: the usual one where none is given, 1 where nothing is rounded."""
        number = whole(self.base)
        if self.otherwise != "round":
            good = number in (0, 1)
            faults.check(good, 'base is for otherwise = "round": leave it out, or round')
            object.__setattr__(self, "base", 1)
            return
        if number == 0:
            number = BASE
        if faults.check(number is not None and 2 <= number <= 10**6, "base must be a whole number, 2 to 1000000"):
            object.__setattr__(self, "base", number)

    @classmethod
    def from_toml(cls, text: str) -> Policy:
        try:
            return cls.from_mapping(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"the policy is not valid TOML: {error}") from None

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Policy:
        """A policy from keys and values; what is not given keeps its default, unknown keys are errors."""
        known = [f.name for f in fields(cls)]
        faults = Faults()
        for key in given:
            faults.check(key in known, f"the policy has no setting {str(key)[:40]!r}; known are {', '.join(known)}")
        chosen = {key: value for key, value in given.items() if key in known}
        published = chosen.get("published", ())
        if isinstance(published, list | tuple) and all(isinstance(m, str | list | tuple) for m in published):
            chosen["published"] = tuple(split_margin(m) if isinstance(m, str) else tuple(m) for m in published)
            names = [name for margin in chosen["published"] for name in margin]
            faults.check(all(isinstance(n, str) for n in names), "published must name variables, such as A:B")
        else:
            chosen.pop("published")
            faults.add('published must be a list of margins, such as ["A:B", "C"]')
        try:
            policy = cls(**chosen)
        except InputError as error:
            faults.extend(error)
        faults.raise_if_any()
        return policy

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "published": [list(margin) for margin in self.published]}

    def as_strict_as(self, other: Policy) -> bool:
        """Whether whatever the other rule finds unsafe, this one finds unsafe too."""
        same = self.mode == other.mode == "exact"
        return same and self.c >= other.c and self.w >= other.w and self.min_tables >= other.min_tables

    def refusing(self) -> Policy:
        """The same rule, with nothing told in place of what is refused."""
        return replace(self, otherwise="refuse", base=1)

    def sentences(self) -> list[str]:
        """The rule in words, for the custodian."""
        said = [f"Every cell with a count of 1 to {self.c} keeps bounds at least {self.w} apart."]
        if self.min_tables > 1:
            said.append(f"At least {self.min_tables} tables stay consistent with everything released.")
        if self.mode == "exact":
            told = ", and so does which counts are hidden" if self.otherwise == "suppress" else ""
            said.append(f"Decisions look at the true table, so a refusal carries some information{told}.")
        else:
            said.append("Decisions use only what is public, so a refusal says nothing about the data.")
        if self.support == "released":
            said.append("Lists of categories are public, and so are the counts of each variable by itself.")
        said.append(f"What is not released is {self._instead()}. A decision may take {self.time_limit:g} seconds.")
        if self.four_eyes:
            said.append("Loading it and changing this rule needs two custodians.")
        return said

    def _instead(self) -> str:
        return {
            "refuse": "refused",
            "simulate": "answered from a synthetic table",
            "suppress": "told with as few counts hidden as the rule allows, where it allows that",
            "round": f"told with its counts rounded to multiples of {self.base}, where the rule allows that",
        }[self.otherwise]


def split_margin(text: str) -> tuple[str, ...]:
    """`A:B` as names; the empty text is the margin of no variables, the total."""
    names = tuple(name.strip() for name in text.split(":")) if text.strip() else ()
    if not all(names):
        raise InputError("a margin is written as names joined by colons, such as A:B")
    return names


def read_policy(path: Path) -> Policy:
    """The policy in a file."""
    try:
        return Policy.from_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the policy {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"the policy {path} is not UTF-8 text") from None
