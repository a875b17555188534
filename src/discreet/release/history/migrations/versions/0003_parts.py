"""Parts of margins among what is settled (`states.frontier`).

No table changes. Earlier versions would read a state without its parts, and decide as if these had never been told: the
number of the schema keeps them away.
"""

from __future__ import annotations

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing to do: a state without parts is one of which none were told."""
