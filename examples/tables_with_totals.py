"""Linked tables with all their totals from records, and which cells are sensitive.

python examples/tables_with_totals.py [folder]      writes people.csv, regions.csv and table.csv there
"""

from __future__ import annotations

import sys
from pathlib import Path

import discreet as dc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
people = dc.datasets.survey(900, seed=4)
people.to_csv(folder / "people.csv", index=False)

# A hierarchy: each row a label and the wider one above it. What has nothing above it stands below `Total`.
provinces = {region: "North" if region < "G" else "South" for region in sorted(people["region"].unique())}
(folder / "regions.csv").write_text("".join(f"{region},{province}\n" for region, province in provinces.items()))

# Two tables that share the cells by region alone. What one household earns in a cell is one contribution.
result = dc.tabulate(
    people,
    [["region", "employment"], ["region", "education"]],
    value="income",
    holding="household",
    hierarchies={"region": folder / "regions.csv"},
    rules=["frequency=3", "p=10"],
)
print(result.summary())

# The long table holds every amount: it is for the custodian, who hides cells before anything is published.
result.data.to_csv(folder / "table.csv", index=False)
print(result.verify().summary())
