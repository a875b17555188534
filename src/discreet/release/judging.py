"""A decision made wherever the one who calls says, and ended at its time limit."""

from __future__ import annotations

from discreet.release.decision import Decision, State, cut_off, decide
from discreet.release.policy import Policy
from discreet.release.queue.ticket import Busy, Call, CutOff
from discreet.work import ProgressCallback


def judge(call: Call, progress: ProgressCallback | None, asked: State, policy: Policy, mask: int) -> Decision:
    """The decision, wherever it is made; one that is ended at its time limit is unresolved."""
    seconds = asked.seconds(policy, mask)
    try:
        made: Decision = call(decide, asked, policy, mask, seconds=seconds * _slack(policy), progress=progress)
    except CutOff:
        ended = cut_off(asked, policy, mask)
        if ended is None:
            raise Busy(max(1, int(seconds))) from None
        return ended
    return made


def _slack(policy: Policy) -> int:
    """How many times its limit a decision may take before it is ended.

    A refusal may be followed by a decision about the total, which has its own time; and where limits are counted in
    work, how long that takes is the machine's affair.
    """
    return (2 if policy.otherwise == "simulate" else 1) * (4 if policy.mode == "simulatable" else 1)
