"""Classes of least joint cost against Mondrian and freeform matchings, and the best node of global recoding.

`python -m benchmarks classes` and so on. Losses do not depend on the machine; seconds are CPU seconds of all threads.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.generalization_data import _adult_rows, adult, adult_sensitive, census
from benchmarks.harness import Case
from discreet.datasets.survey import survey_arrays
from discreet.generalization import domain as domains
from discreet.generalization.baselines import mondrian
from discreet.generalization.boxes import gcp
from discreet.generalization.classes.partition import partition
from discreet.generalization.domain import Domain
from discreet.generalization.hierarchy import by_interval, from_mapping
from discreet.generalization.methods import solve
from discreet.generalization.recoding.lattice import best_node
from discreet.generalization.recoding.levels import levels_of
from discreet.work import Deadline, Reporter

# Trees over the categories of Adult, in the manner of those that come with ARX.
TREES: Mapping[str, Mapping[str, Any]] = {
    "sex": {"*": ["Male", "Female"]},
    "marital_status": {
        "*": {
            "Spouse": {"Present": ["Married-civ-spouse", "Married-AF-spouse"], "Absent": ["Married-spouse-absent"]},
            "No spouse": {"Never": ["Never-married"], "Once": ["Divorced", "Separated", "Widowed"]},
        }
    },
    "race": {"*": {"Large": ["White", "Black"], "Small": ["Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"]}},
    "workclass": {
        "*": {
            "Own": {"Self-employed": ["Self-emp-not-inc", "Self-emp-inc"], "Unpaid": ["Without-pay"]},
            "Employed": {"Private sector": ["Private"], "Government": ["Local-gov", "State-gov", "Federal-gov"]},
        }
    },
    "native_country": {
        "*": {
            "America": {
                "North": ["United-States", "Canada", "Mexico", "Outlying-US(Guam-USVI-etc)"],
                "Caribbean": ["Puerto-Rico", "Cuba", "Jamaica", "Dominican-Republic", "Haiti", "Trinadad&Tobago"],
                "Central": ["El-Salvador", "Guatemala", "Nicaragua", "Honduras"],
                "South America": ["Columbia", "Peru", "Ecuador"],
            },
            "Europe": {
                "West": ["Germany", "England", "France", "Ireland", "Scotland", "Holand-Netherlands"],
                "South Europe": ["Italy", "Portugal", "Greece", "Yugoslavia"],
                "East": ["Poland", "Hungary"],
            },
            "Asia": {
                "East Asia": ["China", "Japan", "Taiwan", "Hong", "South"],
                "South-East": ["Philippines", "Vietnam", "Cambodia", "Thailand", "Laos"],
                "Other Asia": ["India", "Iran"],
            },
        }
    },
    "occupation": {
        "*": {
            "White collar": {
                "Professional": ["Prof-specialty", "Exec-managerial", "Tech-support"],
                "Office": ["Adm-clerical", "Sales"],
            },
            "Blue collar": {
                "Skilled": ["Craft-repair", "Machine-op-inspct", "Transport-moving"],
                "Unskilled": ["Handlers-cleaners", "Farming-fishing"],
            },
            "Service": {"Services": ["Other-service", "Priv-house-serv"], "Guard": ["Protective-serv", "Armed-Forces"]},
        }
    },
}
WIDTHS: Mapping[str, Sequence[float]] = {"age": (5, 10, 20, 40), "education_num": (2, 4, 8)}


def adult_with_trees(n: int | None = None) -> Domain:
    """Adult with a hierarchy on every one of its eight quasi-identifiers."""
    header, rows = _adult_rows(n)
    attributes = []
    for a, name in enumerate(header[:8]):
        column = [row[a] for row in rows]
        tree = by_interval(map(float, column), WIDTHS[name]) if name in WIDTHS else from_mapping(TREES[name], name=name)
        place = {leaf: code for code, leaf in enumerate(tree.leaves)}
        attributes.append(domains.hierarchical(name, np.array([place[value] for value in column]), tree))
    return domains.domain(attributes)


def survey(n: int) -> Domain:
    """The survey of the tutorials: five keys, and three numbers that are published as means."""
    columns = survey_arrays(n, 0)
    attributes = [domains.numeric("age", columns["age"])]
    for name in ("sex", "region", "education", "employment"):
        found, codes = np.unique(columns[name], return_inverse=True)
        attributes.append(domains.categorical(name, codes, found.size))
    attributes += [domains.mean(name, columns[name]) for name in ("income", "spending", "savings")]
    return domains.domain(attributes)


def _partitioned(domain: Domain, k: int, **options: Any) -> tuple[float, float]:
    start = time.process_time()
    loss = partition(domain, k, seed=1, deadline=Deadline(None), report=Reporter(None), **options).loss
    return loss, time.process_time() - start


def _against_mondrian(name: str, domain: Domain, k: int) -> list[object]:
    """One row: the partition, Mondrian's and the matchings on the same loss."""
    loss, spent = _partitioned(domain, k)
    halved = gcp(domain.tables, domain.codes, mondrian.whole_groups(mondrian.groups(domain, k)))
    free = solve(domain, k).gcp
    return [name, k, f"{halved:.6f}", f"{loss:.6f}", f"{loss / halved:.3f}", f"{free:.6f}", f"{spent:.1f}"]


def classes() -> list[list[object]]:
    """All of Adult, k = 5 and 10, the survey with numbers, and 20 000 records of the synthetic census."""
    _partitioned(census(400), 3)
    rows = [_against_mondrian("Adult", adult(), k) for k in (5, 10)]
    rows.append(_against_mondrian("survey, 5000, with 3 numbers", survey(5000), 5))
    return [*rows, _against_mondrian("census, 20 000", census(20_000), 5)]


def diverse() -> list[list[object]]:
    """With l values of a sensitive column in every class, Adult 5000."""
    rows: list[list[object]] = []
    for name, k, l in (("occupation", 5, 3), ("income", 5, 2), ("income", 10, 2)):
        domain, values = adult_sensitive(5_000, name)
        free, _ = _partitioned(domain, k)
        loss, spent = _partitioned(domain, k, values=values, l=l)
        rows.append([name, k, l, f"{free:.6f}", f"{loss:.6f}", f"{loss / free:.2f}", f"{spent:.1f}"])
    return rows


def recoding() -> list[list[object]]:
    """Adult with a tree on each of its eight columns: the best node, and how little of the lattice it takes."""
    domain = adult_with_trees()
    levels = levels_of(domain)
    rows: list[list[object]] = []
    for k in (5, 10, 50):
        start = time.process_time()
        node = best_node(domain.codes, levels, k, deadline=Deadline(None), report=Reporter(None))
        spent = time.process_time() - start
        local, _ = _partitioned(domain, k)
        found = [k, f"{node.loss:.6f}", node.status, " ".join(map(str, node.levels)), node.visited, node.nodes]
        rows.append([*found, len(node.failing), f"{spent:.1f}", f"{local:.6f}"])
    return rows


CASES = {
    "classes": Case(
        "Classes of least joint cost",
        ["data", "k", "Mondrian", "classes", "ratio", "matchings", "CPU s"],
        classes,
        short=False,
    ),
    "classes-diverse": Case(
        "Classes with l values of a sensitive column, Adult 5000",
        ["sensitive", "k", "l", "loss without l", "loss", "ratio", "CPU s"],
        diverse,
        short=False,
    ),
    "recoding": Case(
        "The best node of global recoding, Adult with eight trees",
        ["k", "loss", "status", "levels", "nodes looked at", "of", "proof", "CPU s", "classes, local"],
        recoding,
        short=False,
    ),
}
