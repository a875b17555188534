"""Widen what an intruder may know until each person has five equally likely matches.

python examples/generalization.py [folder]          writes people.csv, generalized.csv and secret.csv there
"""

from __future__ import annotations

import sys
from pathlib import Path

import discreet as dc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# The intruder may know these four. The illness is published as it is, and must not be linked to anyone.
known = ["region", "sex", "age", "education"]
people = dc.datasets.survey(200, seed=3)[[*known, "illness"]]
people.to_csv(folder / "people.csv", index=False)

# Rows come back shuffled, by a draw that nobody can repeat. A release that fails its check is an error here.
result = dc.generalize(people, k=5, quasi_identifiers=known)
print(result.summary())
print(result.data.head().to_string(index=False))  # [31, 34] is a range, {Calder, Inver} a set
result.data.to_csv(folder / "generalized.csv", index=False)

# Who is who, for the custodian alone: with it the draw can be checked later. Never publish it.
secret = folder / "secret.csv"
secret.touch(mode=0o600)
secret.write_text(result.secret(), encoding="utf-8")
