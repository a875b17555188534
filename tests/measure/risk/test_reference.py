"""The figures that sdcMicro 5.8.1 prints for its own example files, for Adult and for the survey, to its last digits.

Left out are those that rest on a slip of the peer: exact risks that cancel, modRisk's shares (its expected counts are
compared), and linkage by robust distances. Scores of SUDA are compared exactly, its DIS to float32.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from discreet import datasets, microaggregate
from discreet.measure.risk.diversity import closeness, diversity
from discreet.measure.risk.frequencies import Classes, Frequencies, classes, frequencies
from discreet.measure.risk.global_risk import threshold
from discreet.measure.risk.household import household_risk
from discreet.measure.risk.individual import individual
from discreet.measure.risk.intervals import interval_disclosure
from discreet.measure.risk.linkage import distance_linkage
from discreet.measure.risk.population import expected_counts, population_uniques
from discreet.measure.risk.suda import suda
from tests.references import reference

K5 = ["urbrur", "roof", "walls", "water", "sex"]
K7 = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
ADULT = ["age", "education_num", "sex", "marital_status", "race", "workclass", "native_country", "occupation"]
S6 = ["region", "dwelling", "sex", "age", "education", "employment"]


class Case(NamedTuple):
    keys: np.ndarray
    found: Classes
    counts: Frequencies
    weights: np.ndarray

    @property
    def f(self) -> np.ndarray:
        return self.counts.f[self.found.of]

    @property
    def F(self) -> np.ndarray:
        return self.counts.F[self.found.of]

    def risk(self, *, exact: bool = False) -> np.ndarray:
        return individual(*self.counts, exact=exact)[self.found.of]


def case(frame: pd.DataFrame, keys: list[str], weights: np.ndarray, missing: str = "value", alpha: float = 1.0) -> Case:
    codes = np.stack([pd.factorize(frame[key], sort=True)[0] for key in keys], axis=1).astype(np.int64)
    found = classes(codes)
    return Case(codes, found, frequencies(codes, found, weights, missing=missing, alpha=alpha), weights)


def below(case: Case, *limits: int) -> list[int]:
    return [int((case.f < k).sum()) for k in limits]


@pytest.fixture(scope="module")
def franc() -> pd.DataFrame:
    return pd.read_csv(reference("francdat.csv"))


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return pd.read_csv(reference("testdata.csv"))


@pytest.fixture(scope="module")
def adult() -> Case:
    frame = pd.read_csv(reference("adult.csv"))
    frame.columns = [name.replace("-", "_") for name in frame.columns]
    return case(frame, ADULT, 50.0 + np.arange(len(frame)) * 37 % 101)


def survey(n: int) -> pd.DataFrame:
    frame = datasets.survey(100_000, seed=1)
    frame["hhsize"] = frame.groupby("household")["person"].transform("size").clip(upper=8)
    frame["hours10"] = frame["hours"] // 10
    frame["decile"] = pd.qcut(frame["income"].rank(method="first"), 10, labels=False)
    i = np.arange(len(frame))
    return frame.assign(w=20 + i * 37 % 61 + 0.5 * (i % 2)).iloc[:n]


FRANC = ["Key1", "Key2", "Key3", "Key4"]


def test_francdat(franc: pd.DataFrame) -> None:
    found = case(franc, FRANC, franc["w"].to_numpy())
    assert found.f.tolist() == [2, 2, 2, 1, 1, 1, 1, 2]
    assert found.F.tolist() == [110, 84.5, 84.5, 17, 541, 8, 5, 110]
    printed = [0.0171442615963, 0.0220423261833, 0.0220423261833, 0.1770758340035, 0.0116544801460, 0.2970630773828]
    printed += [0.4023594781085, 0.0171442615963]
    for exact in (False, True):
        assert found.risk(exact=exact) == pytest.approx(printed, abs=6e-14)


def test_approximate_and_exact_risks_side_by_side() -> None:
    """The pairs of f and F of the peer's own test of individual risk, with what it prints for both forms."""
    f, F = np.array([3.0, 4.0, 3.0, 5.0]), np.array([108.0, 125.0, 151.0, 208.0])
    assert individual(f, F) == pytest.approx([0.013698630, 0.010554090, 0.009836066, 0.005973716], abs=6e-10)
    assert individual(f, F, exact=True) == pytest.approx(
        [0.013552968, 0.010504889, 0.009756889, 0.005962551], abs=6e-10
    )


def with_holes(franc: pd.DataFrame) -> pd.DataFrame:
    frame = franc.copy()
    for row, column in ((2, 4), (3, 1), (3, 3), (4, 5), (5, 1)):
        frame.iloc[row, column] = np.nan
    return frame


def test_francdat_with_missing_keys(franc: pd.DataFrame) -> None:
    frame, weights = with_holes(franc), franc["w"].to_numpy()
    found = case(frame, FRANC, weights, missing="wildcard")
    assert found.f.tolist() == [3, 2, 4, 3, 3, 2, 2, 3]
    assert found.F.tolist() == [149, 84.5, 194.5, 563, 566, 549, 22, 149]
    printed = [0.00996677740864, 0.02204232618326, 0.0068085106383, 0.00265721877768, 0.00264317180617]
    printed += [0.00358124319441, 0.07602104727202, 0.00996677740864]
    assert found.risk() == pytest.approx(printed, abs=6e-14)
    half = case(frame, FRANC, weights, missing="wildcard", alpha=0.5)
    assert half.f.tolist() == [2.5, 1.5, 4, 2.5, 2, 1.5, 1.5, 2.5]
    assert half.F.tolist() == [129.5, 65, 194.5, 292.5, 553.5, 278.5, 13.5, 129.5]
    assert case(frame, FRANC, weights).f.max() == 2, "a missing key as a value of its own"


def test_five_keys(people: pd.DataFrame) -> None:
    weights = people["sampling_weight"].to_numpy(float)
    found = case(people, K5, weights)
    risk = found.risk()
    assert risk.sum() == pytest.approx(1.527204488524, abs=1e-12)
    assert risk.mean() == pytest.approx(0.000333450761686, abs=1e-15)
    assert below(found, 2, 3, 5) == [12, 24, 79]
    home = household_risk(risk, pd.factorize(people["ori_hid"])[0])
    assert home.sum() == pytest.approx(7.177028571253, abs=1e-12)
    assert home.mean() == pytest.approx(0.00156703680595, abs=1e-14)
    plain = case(people, K5, np.ones(len(people)))
    assert plain.risk().sum() == pytest.approx(93)
    assert threshold(plain.risk(), 0.01) == pytest.approx(0.0322580645161, abs=1e-13)


def test_seven_keys(people: pd.DataFrame) -> None:
    weights = people["sampling_weight"].to_numpy(float)
    found = case(people, K7, weights)
    assert found.risk().sum() == pytest.approx(10.77829891873, abs=1e-11)
    assert found.risk(exact=True).sum() == pytest.approx(10.775525136282, abs=1e-11)
    assert below(found, 2, 3) == [157, 281]
    home = household_risk(found.risk(), pd.factorize(people["ori_hid"])[0])
    assert home.sum() == pytest.approx(51.8129274359607, abs=1e-12)
    tau = population_uniques(found.keys, found.found, weights)
    assert tau == pytest.approx((5.470138, 14.924667), abs=6e-7)


def test_expected_counts_are_those_behind_modrisk(people: pd.DataFrame) -> None:
    """Its formula, without 1/π in the exponent and over occupied cells, on our expected counts."""
    found = case(people, K7, people["sampling_weight"].to_numpy(float))
    drawn = np.bincount(found.found.of, weights=1 / found.weights)
    v = (expected_counts(found.keys, found.found) * (1 - drawn))[found.found.size == 1]
    cells = len(found.found.size)
    assert np.exp(-v).sum() / cells == pytest.approx(0.224933048100, abs=1e-11)
    assert ((1 - np.exp(-v)) / v).sum() / cells == pytest.approx(0.280422166271, abs=1e-11)


def test_suda_of_the_example_file(people: pd.DataFrame) -> None:
    rows = (
        (K5, "original", 0.01, 19, 0.1391105231, 0.0150035313, 12),
        (K7, "original", 0.01, 4890, 9.831092654, 0.678142629, 157),
        (K5, "ihsn", 0.1, 3.1, 1.252174222, 0.121739196, 12),
        (K7, "ihsn", 0.1, 88.7238095238, 28.894950918, 0.832711149, 156),
    )
    # A unique on all keys together, and on no fewer, scores 0 by the second form.
    for keys, form, fraction, score, dis, highest, records in rows:
        data = case(people, keys, np.ones(len(people)))
        found = suda(data.keys, data.found, fraction=fraction, score=form)
        assert found.score.sum() == pytest.approx(score, abs=1e-9)
        assert found.dis.sum() == pytest.approx(dis, abs=1e-6)
        assert found.dis.max() == pytest.approx(highest, abs=1e-7)
        assert (found.score > 0).sum() == records


def test_diversity(people: pd.DataFrame) -> None:
    data = case(people, K5, np.ones(len(people)))
    printed = {
        "electcon": (2.37445414847, 1.71316118390, 1.33406113537, 0.673799126638, 0.662117903930),
        "relat": (5.52401746725, 2.57558172820, 1.98646288210, 0.824235807860, 0.190038209607),
    }
    for name, (*means, equal, ordered) in printed.items():
        values = pd.factorize(people[name], sort=True)[0]
        found = diversity(data.found, values)
        assert [figure[data.found.of].mean() for figure in found] == pytest.approx(means, abs=6e-12)
        assert closeness(data.found, values).max() == pytest.approx(equal, abs=6e-13)
        assert closeness(data.found, values, ordered=True).max() == pytest.approx(ordered, abs=6e-13)


def test_numbers_after_mdav(people: pd.DataFrame) -> None:
    """Its MDAV and ours give the same file, so what that file tells can be compared too; ties in linkage are shared."""
    names = ["expend", "income", "savings"]
    original = people[names].to_numpy(float)
    published = microaggregate(people, 3, columns=names, method="mdav").data[names].to_numpy(float)
    assert interval_disclosure(original, published).together == pytest.approx(0.129475982533, abs=1e-12)
    assert interval_disclosure(original, published, width=0.01).together == pytest.approx(0.00109170305677, abs=1e-14)
    assert distance_linkage(original, published).mean() == pytest.approx(0.296, abs=5e-4)


def test_adult(adult: Case) -> None:
    risk = adult.risk()
    assert risk.sum() == pytest.approx(765.2632925511, abs=1e-9)
    assert risk.mean() == pytest.approx(0.0253717688665, abs=1e-13)
    assert threshold(risk, 0.01) == pytest.approx(0.0165679045702, abs=1e-13)
    assert below(adult, 2, 3, 5, 10) == [14021, 18073, 21977, 25769]
    assert len(adult.found.size) == 18109
    found = suda(adult.keys, adult.found)
    assert found.score.sum() == 3087614
    assert found.dis.sum() == pytest.approx(2633.053366, abs=2e-3)
    assert found.dis.max() == pytest.approx(0.891719894929, abs=1e-7)
    assert (found.score > 0).sum() == 14021


def test_survey() -> None:
    frame = survey(100_000)
    found = case(frame, S6, frame["w"].to_numpy())
    risk = found.risk()
    assert risk.sum() == pytest.approx(1771.037945560, abs=1e-9)
    assert threshold(risk, 0.01) == pytest.approx(0.0357464960685, abs=1e-13)
    assert below(found, 2, 3, 5) == [14957, 25713, 40451]
    home = household_risk(risk, pd.factorize(frame["household"])[0])
    assert home.sum() == pytest.approx(5307.312466852785, abs=1e-9)
    tau = population_uniques(found.keys, found.found, found.weights)
    assert tau == pytest.approx((644.554507, 2271.024375), abs=6e-7)


def test_survey_by_ten_keys() -> None:
    keys = [*S6, "hhsize", "hours10", "illness", "decile"]
    frame = survey(100_000)
    found = case(frame, keys, frame["w"].to_numpy())
    assert found.risk().sum() == pytest.approx(7089.38720589, abs=1e-8)
    assert threshold(found.risk(), 0.01) == pytest.approx(0.0104895104895, abs=1e-13)
    assert below(found, 2, 3, 5) == [77918, 88314, 94571]
    for rows, score, dis, highest, records in (
        (10_000, 138729568, 3214.19772, 0.891076618, 9261),
        (100_000, 172173343, 23534.0025725, 0.982836791, 77918),
    ):
        part = case(frame.iloc[:rows], keys, frame["w"].to_numpy()[:rows])
        scored = suda(part.keys, part.found)
        assert scored.score.sum() == score
        assert scored.dis.sum() == pytest.approx(dis, rel=1e-6)
        assert scored.dis.max() == pytest.approx(highest, abs=1e-7)
        assert (scored.score > 0).sum() == records
