"""discreet: statistical disclosure control in which every answer carries its proof.

The public names are imported on first use, so that `import discreet` and `discreet --help` cost nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from discreet._version import __version__

# The package `discreet.verify` and the function share a name: bound here, once, the name means the function.
from discreet.verify import verify

if TYPE_CHECKING:
    from discreet import datasets as datasets
    from discreet.client import Client as Client
    from discreet.errors import DiscreetError as DiscreetError
    from discreet.errors import InfeasibleError as InfeasibleError
    from discreet.errors import InputError as InputError
    from discreet.errors import UnsafeReleaseError as UnsafeReleaseError
    from discreet.frames.datasets import Dataset as Dataset
    from discreet.frames.datasets import dataset as dataset
    from discreet.instruments.comparison.compare import compare as compare
    from discreet.instruments.comparison.comparison import Comparison as Comparison
    from discreet.instruments.comparison.recommend import recommend as recommend
    from discreet.instruments.comparison.recommendation import Recommendation as Recommendation
    from discreet.instruments.generalization import Generalization as Generalization
    from discreet.instruments.generalize import generalize as generalize
    from discreet.instruments.local_suppression.coded import Coding as Coding
    from discreet.instruments.local_suppression.coding import bottom_code as bottom_code
    from discreet.instruments.local_suppression.coding import recode as recode
    from discreet.instruments.local_suppression.coding import top_code as top_code
    from discreet.instruments.local_suppression.local_suppression import LocalSuppression as LocalSuppression
    from discreet.instruments.local_suppression.suppress_locally import suppress_locally as suppress_locally
    from discreet.instruments.measured.utility import utility as utility
    from discreet.instruments.measured.utility_result import Utility as Utility
    from discreet.instruments.microaggregate import microaggregate as microaggregate
    from discreet.instruments.microaggregation import Microaggregation as Microaggregation
    from discreet.instruments.perturbed.noise import add_noise as add_noise
    from discreet.instruments.perturbed.perturbation import Perturbation as Perturbation
    from discreet.instruments.perturbed.pram import pram as pram
    from discreet.instruments.perturbed.rank_swap import rank_swap as rank_swap
    from discreet.instruments.perturbed.swap_records import swap_records as swap_records
    from discreet.instruments.protect.protect import protect as protect
    from discreet.instruments.protect.protection import Protection as Protection
    from discreet.instruments.protect.recipe import Recipe as Recipe
    from discreet.instruments.risk import risk as risk
    from discreet.instruments.risk_result import Risk as Risk
    from discreet.instruments.simulation import Simulation as Simulation
    from discreet.instruments.table_bounds import Bounds as Bounds
    from discreet.instruments.tables import bounds as bounds
    from discreet.instruments.tables import count_tables as count_tables
    from discreet.instruments.tables import loglinear as loglinear
    from discreet.instruments.tables import simulate as simulate
    from discreet.instruments.totals.audit import Audit as Audit
    from discreet.instruments.totals.audit import audit as audit
    from discreet.instruments.totals.cell_key import CellKeyTable as CellKeyTable
    from discreet.instruments.totals.cell_key import cell_key as cell_key
    from discreet.instruments.totals.round import RoundedTable as RoundedTable
    from discreet.instruments.totals.round import round_table as round_table
    from discreet.instruments.totals.suppress import SuppressedTable as SuppressedTable
    from discreet.instruments.totals.suppress import suppress as suppress
    from discreet.instruments.totals.tabulate import Tabulation as Tabulation
    from discreet.instruments.totals.tabulate import tabulate as tabulate
    from discreet.results import Verdict as Verdict
    from discreet.tables.table import Margins as Margins
    from discreet.tables.table import Table as Table
    from discreet.tabular.cell_key import record_keys as record_keys

_HOME = {
    "Audit": "discreet.instruments.totals.audit",
    "Bounds": "discreet.instruments.table_bounds",
    "CellKeyTable": "discreet.instruments.totals.cell_key",
    "Client": "discreet.client",
    "Comparison": "discreet.instruments.comparison.comparison",
    "Coding": "discreet.instruments.local_suppression.coded",
    "Dataset": "discreet.frames.datasets",
    "DiscreetError": "discreet.errors",
    "Generalization": "discreet.instruments.generalization",
    "InfeasibleError": "discreet.errors",
    "InputError": "discreet.errors",
    "LocalSuppression": "discreet.instruments.local_suppression.local_suppression",
    "Margins": "discreet.tables.table",
    "Microaggregation": "discreet.instruments.microaggregation",
    "Perturbation": "discreet.instruments.perturbed.perturbation",
    "Protection": "discreet.instruments.protect.protection",
    "Recommendation": "discreet.instruments.comparison.recommendation",
    "Recipe": "discreet.instruments.protect.recipe",
    "Risk": "discreet.instruments.risk_result",
    "Simulation": "discreet.instruments.simulation",
    "SuppressedTable": "discreet.instruments.totals.suppress",
    "RoundedTable": "discreet.instruments.totals.round",
    "Table": "discreet.tables.table",
    "Tabulation": "discreet.instruments.totals.tabulate",
    "UnsafeReleaseError": "discreet.errors",
    "Utility": "discreet.instruments.measured.utility_result",
    "Verdict": "discreet.results",
    "add_noise": "discreet.instruments.perturbed.noise",
    "audit": "discreet.instruments.totals.audit",
    "bottom_code": "discreet.instruments.local_suppression.coding",
    "bounds": "discreet.instruments.tables",
    "cell_key": "discreet.instruments.totals.cell_key",
    "compare": "discreet.instruments.comparison.compare",
    "count_tables": "discreet.instruments.tables",
    "dataset": "discreet.frames.datasets",
    "generalize": "discreet.instruments.generalize",
    "loglinear": "discreet.instruments.tables",
    "microaggregate": "discreet.instruments.microaggregate",
    "pram": "discreet.instruments.perturbed.pram",
    "protect": "discreet.instruments.protect.protect",
    "rank_swap": "discreet.instruments.perturbed.rank_swap",
    "recode": "discreet.instruments.local_suppression.coding",
    "recommend": "discreet.instruments.comparison.recommend",
    "risk": "discreet.instruments.risk",
    "record_keys": "discreet.tabular.cell_key",
    "round_table": "discreet.instruments.totals.round",
    "simulate": "discreet.instruments.tables",
    "suppress": "discreet.instruments.totals.suppress",
    "swap_records": "discreet.instruments.perturbed.swap_records",
    "utility": "discreet.instruments.measured.utility",
    "suppress_locally": "discreet.instruments.local_suppression.suppress_locally",
    "tabulate": "discreet.instruments.totals.tabulate",
    "top_code": "discreet.instruments.local_suppression.coding",
}

__all__ = ["__version__", "datasets", "verify", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name == "datasets":
        return import_module("discreet.datasets")
    if name not in _HOME:
        raise AttributeError(f"module 'discreet' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


if "pandas" in sys.modules:  # whoever works with pandas has `frame.discreet`, and nobody else pays for it
    import_module("discreet.pandas")
