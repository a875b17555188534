"""Publish a whole file: persons in households, keys, numbers and a weight, under one guarantee.

python examples/whole_file.py [folder]          writes everyone.csv, recipe.toml, whole.csv and who.csv there
"""

from __future__ import annotations

import sys
from pathlib import Path

import discreet as dc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# A survey with a weight by region, which would tell the region if it were left as it is.
people = dc.datasets.survey(240, seed=3).drop(columns=["dwelling", "hours", "savings"])
people["weight"] = people["region"].map(people["region"].value_counts()).rdiv(1000).round(2)
people.to_csv(folder / "everyone.csv", index=False)

# Every column has a role. Who forgets one is told so, with a proposal; `discreet protect everyone.csv` proposes all.
result = dc.protect(
    people,
    k=3,
    identifiers=["person"],
    household="household",  # a household is found with probability 1/3, and so is each of its members
    keys=["region", "sex", "age", "education", "employment"],
    numeric=["income", "household_income", "spending"],
    weight="weight",
    sensitive=["illness"],
    rare="merge",  # large households are few: they are published with fewer members
)
print(result.summary())
print(result.data.head().to_string(index=False))

# Published numbers add up, to the last digit, and the recipe says how it was done.
for column, total in result.totals.items():
    print(f"{column}: {total.original} before, {total.published} after")
result.recipe.dump(folder / "recipe.toml", force=True)
result.data.to_csv(folder / "whole.csv", index=False)

# Who is who, for the custodian alone.
secret = folder / "who.csv"
secret.touch(mode=0o600)
secret.write_text(result.secret(), encoding="utf-8")
