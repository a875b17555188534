"""Protect numeric columns: every record gets the means of a group of at least five.

python examples/microaggregation.py [folder]        writes survey.csv, protected.csv and report.html there
"""

from __future__ import annotations

import sys
from pathlib import Path

import discreet as dc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# Any dataframe will do: pandas, Polars or pyarrow. Columns that identify people outright must not go out.
people = dc.datasets.survey(300, seed=1).drop(columns=["person", "household", "household_income"])
people.to_csv(folder / "survey.csv", index=False)

# The columns named together are protected together; `certify` proves how little any method could have lost.
money = ["income", "spending", "savings"]
result = dc.microaggregate(people, k=5, columns=money, effort="fast", certify=True)
print(result.summary())
print(f"lost {result.information_loss:.2f} %; no method loses less than {result.lower_bound:.2f} %")

# The check shares no code with the method. A release that it does not confirm should not go out.
verdict = result.verify()
print(verdict.summary())
if not verdict.safe:
    sys.exit(verdict.exit_code)

result.data.to_csv(folder / "protected.csv", index=False)
result.report(folder / "report.html", force=True)
