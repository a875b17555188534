"""`discreet`, where a decision on a table with a variable `slow` takes forever and does not look at the clock.

Decision processes import the program that started them, so they are slow too.
"""

from __future__ import annotations

import time
from functools import wraps
from typing import Any

from discreet.release import decision

_decide = decision.decide


@wraps(_decide)
def decide(state: Any, policy: Any, margin: int, *more: Any, **settings: Any) -> Any:
    if "slow" in state.table.names and not state.frontier.forbids(margin) and not state.frontier.covers(margin):
        time.sleep(1e5)
    return _decide(state, policy, margin, *more, **settings)


decision.decide = decide

if __name__ == "__main__":
    from discreet.cli import app

    app()
