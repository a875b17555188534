"""What an attacker infers about hidden cells from everything published, and whether sensitive cells are protected."""

from discreet.tabular.audit.attackers import Attack
from discreet.tabular.audit.guards import Guard, Guards, guards
from discreet.tabular.audit.holders import Respondents, against_holders, holder_attacks, respondents
from discreet.tabular.audit.intervals import Intervals, Multipliers, Witness, audit
from discreet.tabular.audit.levels import Shortfall
from discreet.tabular.audit.protection import protects

__all__ = [
    "Attack",
    "Guard",
    "Guards",
    "Intervals",
    "Multipliers",
    "Respondents",
    "Shortfall",
    "Witness",
    "against_holders",
    "audit",
    "guards",
    "holder_attacks",
    "protects",
    "respondents",
]
