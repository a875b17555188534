"""Free text about people: mail addresses, phone numbers, street addresses, names, sentences.

Recognized by how most of the different values are written, and by the name of the column for names of people, which
look like any other words. A handful of bands or labels that happen to be written so is no free text: values must be
many.
"""

from __future__ import annotations

import re

from discreet.verify.left.identifier import tokens
from discreet.verify.left.values import Values
from discreet.verify.readers.column import Column
from discreet.verify.values.meaning import missing, texts

MOST = 0.6
MANY = 5
LOOKED_AT = 500

_PATTERNS = {
    "mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"),
    "web addresses": re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE),
    "network addresses": re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}", re.IGNORECASE),
    "street addresses": re.compile(
        r"(?=.*\d)(?=.*(?:\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|square|boulevard|blvd|way|close|rue|via"
        r"|calle|plaza|weg|platz|allee|ulica|vej)\b|stra(?:ss|ß)e|str\.|gasse|gatan|straat|laan)).+",
        re.IGNORECASE,
    ),
}
_PHONE = re.compile(r"(?:\+|\(|0)?[\d(][\d\s()./-]{5,}\d")
_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")
_PEOPLE = frozenset(
    [
        "surname",
        "lastname",
        "firstname",
        "forename",
        "givenname",
        "familyname",
        "fullname",
        "maidenname",
        "vorname",
        "nachname",
        "prenom",
        "nom",
        "apellido",
        "apellidos",
        "nombre",
        "cognome",
    ]
)
_NAMES = frozenset(
    ("first name", "last name", "full name", "given name", "family name", "middle name", "maiden name", "sur name")
)


def free_text(values: Values, column: Column) -> str | None:
    """What a column holds, if it is free text: "mail addresses", "names of people" …"""
    if values.kind != "words":
        return None
    gone = missing(column, numeric=False).tolist()
    written = [text.strip() for text, away in zip(texts(column), gone) if not away and text.strip()]
    n, distinct = int(values.known.sum()), len(set(written))
    if distinct < min(MANY, max(n, 3)):
        return None
    words = tokens(values.name)
    if _PEOPLE.intersection(words) or " ".join(words) in _NAMES:
        return "names of people"
    if words in (["name"], ["names"]) and 2 * distinct >= n:
        return "names"
    looked = written[:: max(1, len(written) // LOOKED_AT)]
    for what, pattern in _PATTERNS.items():
        if sum(pattern.fullmatch(text) is not None for text in looked) >= MOST * len(looked):
            return what
    if 2 * distinct >= n and sum(map(_is_phone, looked)) >= MOST * len(looked):
        return "phone numbers"
    long = sum(len(text.split()) >= 5 for text in looked)
    return "sentences" if 2 * distinct >= n and distinct >= 2 * MANY and long >= MOST * len(looked) else None


def _is_phone(text: str) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    plain = _PHONE.fullmatch(text) is not None and 7 <= digits <= 15
    return plain and _DATE.fullmatch(text) is None and (digits < len(text) or text[0] == "0")
