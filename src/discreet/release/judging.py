"""A decision made wherever the one who calls says, and ended at its time limit."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.release.decision import UNRESOLVED, Decision, Ground, Situation, cut_off, decide, review
from discreet.release.policy import Policy
from discreet.release.queue.ticket import Busy, Call, CutOff
from discreet.work import ProgressCallback


@dataclass(frozen=True)
class Judge:
    """Has decisions made by whoever is to be called for them."""

    call: Call
    progress: ProgressCallback | None = None

    def decide(self, asked: Situation, policy: Policy, mask: int) -> Decision:
        """The decision, wherever it is made; one that is ended at its time limit is unresolved."""
        seconds = asked.seconds(policy, mask)
        limit = seconds * _slack(policy)
        try:
            made: Decision = self.call(decide, asked, policy, mask, seconds=limit, progress=self.progress)
        except CutOff:
            ended = cut_off(asked, policy, mask)
            if ended is None:
                raise Busy(max(1, int(seconds))) from None
            return ended
        return made

    def review(self, asked: Situation, policy: Policy) -> Ground:
        """Whether what is public already is safe."""
        try:
            found: Ground = self.call(review, asked, policy, seconds=policy.time_limit)
        except CutOff:
            return UNRESOLVED
        return found


def _slack(policy: Policy) -> int:
    """How many times its limit a decision may take before it is ended.

    A refusal may be followed by a decision about the total, or the search for a part to tell, which has its own time;
    and where limits are counted in work, how long that takes is the machine's affair.
    """
    return (1 if policy.otherwise == "refuse" else 2) * (4 if policy.mode == "simulatable" else 1)
