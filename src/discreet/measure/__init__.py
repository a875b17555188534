"""Information loss, disclosure risk and utility: pure functions of the original and the published values."""

from discreet.measure.risk.linkage import linkage_risk
from discreet.measure.utility.loss import column_losses, information_loss, moments

__all__ = ["column_losses", "information_loss", "linkage_risk", "moments"]
