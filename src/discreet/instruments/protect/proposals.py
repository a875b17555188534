"""A role for every column, guessed from its name and its looks. A guess is a start: whoever publishes decides.

In this order: nothing in it → leave; free text (names, addresses, mail, telephone numbers) → identifiers; a weight by
its name; dates → keys; different in every row and no measurement → identifiers; an id that a few rows share →
household, or person where its name says so; what people want to hide, by its name → sensitive; ages, years, places
and few values → keys; many different numbers → numeric; nearly unique text → identifiers; other text → keys. What is
a number is what `frames.values` takes for one: postal codes with zeros in front are text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from discreet.frames.exact import Entries

FEW = 20
"""A column with no more values than this is taken for one of categories."""
SHARED = 20
"""An id that groups rows is shared by no more of them than this."""
NEARLY = 0.9

_WORDS = {
    "weight": r"w|weight|weights|weighting|wgt|wght|wt|wts|pweight|gewicht|poids|peso|expansion|hochrechnung",
    "body": r"body|birth|kg|kgs|lb|lbs|pound|pounds|gram|grams|g|koerper|height|bmi|net|gross|truck|vehicle",
    "household": r"household|households|hh|hhid|hid|family|fam|haushalt|menage|hogar|dwellingid",
    "person": r"person|persons|pers|patient|pat|subject|visitor|respondent|client|member|individual|pid",
    "sensitive": (
        r"illness|disease|diseases|diagnosis|diagnoses|icd|icd10|health|hiv|cancer|disability|religion|faith|party|vote|"
        r"crime|conviction|orientation|drug|drugs|abuse|krankheit|diagnose|maladie"
    ),
    "age": r"age|ages|alter|edad",
    "year": r"year|years|yob|born|birth|birthyear|jahr|geburtsjahr|annee|ano|founded",
    "place": r"zip|zipcode|postcode|postal|plz|municipality|commune|gemeinde|county|district|town|city|tract|nuts|lau",
    "id": r"id|ids|identifier|number|no|nr|num|key|code|uuid|guid|ssn|passport|name|surname|lastname|firstname|index",
}
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_PHONE = re.compile(r"(?=.*[ +()/.-])\+?[0-9][0-9 ()/.-]{5,}[0-9]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}.*)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4}")
_WORDY = re.compile(r"\w+[^\w]+\w+")


@dataclass(frozen=True)
class Proposal:
    """A role, and what speaks for it, in words that quote no value."""

    role: str
    why: str


def propose(table: Any, columns: Sequence[str]) -> dict[str, Proposal]:
    """A role for each of these columns. Only one of them is the weight, the household, the person."""
    found: dict[str, Proposal] = {}
    taken: set[str] = set()
    for name in columns:
        looks = Looks.of(table, name)
        proposal = _proposal(looks, taken)
        if proposal.role in ("weight", "household", "person"):
            taken.add(proposal.role)
        found[name] = proposal
    return found


@dataclass(frozen=True)
class Looks:
    """What a column looks like: its exact values, whether they are numbers, and whether they are dates."""

    name: str
    entries: Entries | None
    numbers: bool
    dates: bool

    @staticmethod
    def of(table: Any, name: str) -> Looks:
        from discreet.errors import InputError
        from discreet.frames.values.kinds import MOMENTS, NUMBERS, values

        try:
            found = values(table, name)
        except InputError:  # infinite numbers, nested values
            return Looks(name, None, False, False)
        return Looks(name, found.entries, found.kind == NUMBERS, found.kind == MOMENTS)

    @cached_property
    def words(self) -> list[str]:
        """The words of the column's name."""
        name = re.sub(r"([a-z])([A-Z])", r"\1_\2", self.name).lower()
        return [word for word in re.split(r"[^a-z0-9]+", name) if word]

    def says(self, what: str) -> bool:
        """Whether a word of the name speaks for it."""
        return any(re.fullmatch(_WORDS[what], word) for word in self.words)

    def is_id(self, what: str) -> bool:
        """Whether the name is that of an id and nothing else: `household_id`, not `household_income`."""
        return self.says(what) and all(re.fullmatch(f"{_WORDS[what]}|{_WORDS['id']}", word) for word in self.words)

    @cached_property
    def sizes(self) -> Any:
        """How often each value occurs."""
        assert self.entries is not None
        return np.bincount(self.entries.codes[self.entries.codes >= 0], minlength=len(self.entries.texts))

    @property
    def known(self) -> int:
        return int(self.sizes.sum())

    @property
    def distinct(self) -> int:
        return len(self.sizes)

    @cached_property
    def whole(self) -> bool:
        """Whether all values are whole numbers."""
        assert self.entries is not None
        return self.numbers and all("." not in text and "e" not in text.lower() for text in self.entries.texts)

    @cached_property
    def dense(self) -> bool:
        """Whether the values are whole numbers counted up, or codes with digits: no measurement."""
        assert self.entries is not None
        texts = self.entries.texts
        if not self.numbers:
            return all(any(letter.isdigit() for letter in text) and " " not in text for text in texts)
        if not self.whole or self.distinct < 2:
            return False
        return float(texts[-1]) - float(texts[0]) <= 2.0 * self.distinct

    @cached_property
    def years(self) -> bool:
        """Whether the name and all values are those of years."""
        assert self.entries is not None
        return (
            self.says("year")
            and self.whole
            and all(len(text) == 4 and "1" <= text[0] <= "2" for text in self.entries.texts)
        )

    @property
    def named(self) -> bool:
        """Whether the name is that of a unit that may have several rows."""
        return self.is_id("household") or self.is_id("person")

    @cached_property
    def together(self) -> bool:
        """Whether the rows of each value stand together."""
        assert self.entries is not None
        codes = self.entries.codes
        return int((codes[1:] != codes[:-1]).sum()) + 1 <= len(set(codes.tolist()))

    def share(self, pattern: re.Pattern[str]) -> float:
        """The share of values that have this form."""
        assert self.entries is not None
        texts = self.entries.texts
        return sum(pattern.fullmatch(text.strip()) is not None for text in texts) / max(1, len(texts))

    @cached_property
    def wordy(self) -> float:
        """The share of values of several words."""
        assert self.entries is not None
        texts = self.entries.texts
        return sum(_WORDY.search(text) is not None for text in texts) / max(1, len(texts))


def _proposal(looks: Looks, taken: set[str]) -> Proposal:
    if looks.entries is None:
        return Proposal("leave", "values that cannot be widened")
    if not looks.known:
        return Proposal("leave", "nothing in it")
    if looks.dates:
        return Proposal("keys", "dates")
    return _text(looks) or _unit(looks, taken) or _values(looks)


def _text(looks: Looks) -> Proposal | None:
    """Free text, and dates written as text."""
    if looks.numbers:
        return None
    many = looks.distinct > max(FEW, 0.2 * looks.known)
    for pattern, what in ((_MAIL, "mail addresses"), (_DATE, "dates"), (_PHONE, "telephone numbers")):
        if looks.share(pattern) > 0.5:
            if what == "dates":
                return Proposal("keys", "dates as text: write them as 1950-12-31, then they are ordered")
            return Proposal("identifiers", what)
    if many and looks.wordy > 0.5:
        return Proposal("identifiers", "free text, such as names or addresses")
    return None


def _unit(looks: Looks, taken: set[str]) -> Proposal | None:
    """A weight, or what identifies a row or a few of them."""
    n, distinct = looks.known, looks.distinct
    if looks.numbers and looks.says("weight") and not looks.says("body") and "weight" not in taken:
        return Proposal("weight", "a weight, by its name")
    if looks.numbers and (looks.says("age") or looks.years):
        return None
    coded = looks.dense or any(looks.is_id(what) for what in ("id", "household", "person"))
    if n > 1 and distinct == n and (coded or not looks.numbers):
        return Proposal("identifiers", "different in every row")
    grouped = (
        distinct > FEW and 1.2 * distinct <= n <= SHARED * distinct and (looks.named or (coded and looks.together))
    )
    if grouped and int(looks.sizes.max()) <= max(SHARED, 3 * n // distinct):
        unit = "person" if looks.says("person") else "household"
        words = f"an id that {n / distinct:.1f} rows share on average"
        if not taken & {"household", "person"}:
            return Proposal(unit, words)
        return Proposal("identifiers", words)
    if n > 1 and distinct > NEARLY * n and (coded or not looks.numbers):
        return Proposal("identifiers", "different in nearly every row")
    return None


def _values(looks: Looks) -> Proposal:
    """What people know of one another, or want to know."""
    distinct = looks.distinct
    if looks.says("sensitive"):
        return Proposal("sensitive", "what people keep to themselves, by its name")
    if looks.says("age") and looks.numbers:
        return Proposal("keys", "ages, by its name")
    if looks.years:
        return Proposal("keys", "years, by its name")
    if looks.says("place"):
        return Proposal("keys", f"places, by its name: {distinct} different ones")
    if distinct <= FEW:
        return Proposal("keys", "one value" if distinct == 1 else f"{distinct} different values")
    if looks.numbers:
        return Proposal("numeric", f"numbers, {distinct} different ones")
    if looks.known >= 5 * distinct:
        return Proposal("keys", f"{distinct} different values, each in several rows")
    if distinct > 0.5 * looks.known:
        return Proposal("identifiers", f"{distinct} different texts")
    return Proposal("keys", f"{distinct} different texts")
