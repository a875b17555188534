"""What published margins of a table reveal about its cells, and whether one more margin may go out.

python examples/table_bounds.py [folder]            writes table.csv and bounds.csv there
"""

from __future__ import annotations

import sys
from pathlib import Path

import discreet as dc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# A table in long form: one column per variable, and `count`. From records: dc.Table.from_frame(records, [...]).
counts = dc.datasets.autoworkers()
counts.to_csv(folder / "table.csv", index=False)
table = dc.Table.from_counts(counts)

# The bounds are computed from the margins alone, as a reader would: least and greatest count of every cell.
margins = table.margins([("B", "F"), ("A", "B", "C", "E"), ("A", "D", "E")])
bounds = dc.bounds(margins)
print(bounds.summary())
print(bounds.verify().summary())
bounds.to_frame().to_csv(folder / "bounds.csv", index=False)

# The custodian's rule: counts of 1 or 2 are sensitive, and their bounds must stay at least 3 apart.
rule = {"c": 2, "w": 3}
print(bounds.risk(rule, table).summary())

# What is public adds up, so each further margin is judged on top of those that went out before it.
for wanted in ("ABCDE", "ABCDF", "ACDEF", "BCDEF", "ABDEF"):
    more = bounds.update(table.margin(tuple(wanted)))
    safe = more.risk(rule, table).safe
    print(f"{':'.join(wanted)} {'may' if safe else 'must not'} go out")
    bounds = more if safe else bounds
