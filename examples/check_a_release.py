"""Check a release from its files, whoever made them, and read the verdict.

python examples/check_a_release.py [folder]         writes original.csv, published.csv, secret.csv, verdict.json there

In the shell: discreet verify original.csv published.csv -k 4 --qi region,sex,age --secret secret.csv
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import discreet as dc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
original, published, secret = (folder / name for name in ("original.csv", "published.csv", "secret.csv"))

# Something to check. The custodian keeps the secret file; everyone else has to do without.
known = ["region", "sex", "age"]
people = dc.datasets.survey(150, seed=5)[[*known, "illness"]]
people.to_csv(original, index=False)
release = dc.generalize(people, k=4, quasi_identifiers=known)
release.data.to_csv(published, index=False)
secret.touch(mode=0o600)
secret.write_text(release.secret(), encoding="utf-8")

# From the two files it follows that everyone has 4 candidates; with the secret file, that each is equally likely.
print(dc.verify(original, published, k=4, quasi_identifiers=known).summary())
verdict = dc.verify(original, published, k=4, quasi_identifiers=known, secret=secret)
print("proven:", *verdict.proven, sep="\n  ")
print("not covered:", *verdict.limits, sep="\n  ")
(folder / "verdict.json").write_text(json.dumps(verdict.to_dict(), indent=2), encoding="utf-8")

# A claim that does not hold: the verdict says what is wrong, and quotes no value.
wrong = dc.verify(original, published, k=7, quasi_identifiers=known)
print(f"k = 7 is {wrong.outcome}:", *wrong.failures, sep="\n  ")

sys.exit(verdict.exit_code)  # 0 safe, 1 unsafe, 2 cannot tell
