"""Every option of every command is honored or is an error: none is silently ignored.

`CHANGES` lists, for each option, words that must change what the command does; `ELSEWHERE` says why another option
cannot be seen that way, and where it is tested. An option that is in neither fails the test. Combinations that cannot
be honored are in `REFUSED`, and every method meets every option that some method has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import typer

import discreet as dc
from discreet.cli import app
from discreet.generalization.methods import REGISTRY as GENERALIZATION
from discreet.microaggregation.methods import REGISTRY

# These mean the same everywhere and are tested where they are made.
EVERYWHERE = {
    "--output": "every run here has one",
    "--json": "every run here that has it uses it",
    "--report": "test_outputs, tests/report",
    "--audience": "test_pages: of every command that writes a report",
    "--force": "only where the output exists: test_microaggregate, test_outputs",
    "--quiet": "what it must not hide: below",
    "--time-limit": "bounds the work, which is short here; methods that cannot keep to it: below",
}

TOTALS = "region,sector,count\n" + "".join(
    f"{region},{sector},{count}\n"
    for region, row in (("N", (2, 9, 12)), ("S", (8, 7, 30)), ("W", (11, 4, 6)), ("Total", (21, 20, 48)))
    for sector, count in (*zip("ABC", row), ("Total", sum(row)))
)

BASES: dict[str, tuple[str, ...]] = {
    "microaggregate": ("{people}", "-k", "3", "--columns", "income,savings", "--method", "mdav", "--drop", "code"),
    "generalize": ("{people}", "-k", "3", "--qi", "age,sex", "--seed", "1", "--rounds", "2", "--drop", "code,born"),
    "suppress-locally": ("{people}", "-k", "3", "--keys", "age,sex", "--drop", "code,born"),
    "protect": ("{people}", "{recipe}", "--seed", "1"),
    "verify": ("{people}", "{released}", "-k", "3", "--qi", "income,savings"),
    "risk": ("{people}", "--keys", "age,sex", "--weight", "spending", "--numeric", "income"),
    "utility": ("{people}", "{released}", "--columns", "age,income,savings,sex"),
    "perturb pram": ("{people}", "--columns", "sex", "--drop", "code,born", "--measured-only", "--seed", "1"),
    "perturb rank-swap": ("{people}", "--columns", "income", "--drop", "code,born", "--measured-only", "--seed", "1"),
    "perturb noise": (
        "{people}",
        "--columns",
        "income,savings",
        "--drop",
        "code,born",
        "--measured-only",
        "--seed",
        "1",
    ),
    "perturb swap-records": ("{people}", "--columns", "sex", "--drop", "code,born", "--measured-only", "--seed", "1"),
    "compare": ("{people}", "-k", "3", "--columns", "income,savings", "--methods", "mdav"),
    "recommend": ("{people}", "--numeric", "income,savings", "--most-risk", "0.34", "--drop", "code,born"),
    "bounds": ("{table}", "-r", "age", "-r", "sex"),
    "simulate": ("{table}", "-r", "age", "-r", "sex", "--seed", "1"),
    "verify-bounds": ("{bounds}", "{table}", "-r", "age", "-r", "sex"),
    "hierarchy check": ("{tree}",),
    "hierarchy make": ("{people}", "--column", "age", "--widths", "5"),
    "datasets survey": ("-n", "20"),
    "datasets autoworkers": (),
    "plan": ("{table}",),
    "tabulate": ("{people}", "--by", "sex", "--value", "income"),
    "suppress": ("{totals}", "--rule", "frequency=3"),
    "audit": ("{totals}", "--rule", "frequency=3"),
    "verify-pattern": ("{totals}", "{hidden}", "--rule", "frequency=3"),
    "round": ("{counted}", "--base", "5"),
    "cell-key": ("{keyed}", "--by", "sex", "--record-key", "key", "--perturbation", "{noise}"),
}

# Words that take the place of the same option in the base, or are added to it.
CHANGES: dict[str, dict[str, tuple[str, ...]]] = {
    "microaggregate": {
        "--memory": ("--memory", "1GB"),
        "--cluster": ("--cluster", "local"),
        "--resume": ("--resume",),
        "-k": ("-k", "5"),
        "--columns": ("--columns", "income"),
        "--method": ("--method", "md"),
        "--drop": ("--drop", "code,sex"),
        "--certify": ("--certify",),
        "--scale": ("--scale", "none"),
        "--round": ("--round",),
        "--weight": ("--weight", "spending"),
        "--by": ("--by", "sex"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "generalize": {
        "--memory": ("--memory", "1GB"),
        "--cluster": ("--cluster", "local"),
        "--resume": ("--resume",),
        "-k": ("-k", "5"),
        "--qi": ("--qi", "age,income"),
        "--categorical": ("--categorical", "age"),
        "--ordered": ("--ordered", "age={order}"),
        "--cap": ("--cap", "age=30:50"),
        "--level": ("--hierarchy", "age={ages}", "--level", "age=1"),
        "--drop": ("--drop", "income,code,born"),
        "--method": ("--method", "greedy"),
        "--hierarchy": ("--hierarchy", "age={ages}"),
        "--ncp": ("--ncp", "share"),
        "--importance": ("--importance", "age=9"),
        "--partition": ("--partition", "lexicographic"),
        "--partition-size": ("--partition-size", "12"),
        "--rounds": ("--rounds", "0"),
        "--l": ("--l", "2", "--sensitive", "income"),
        "--sensitive": ("--l", "2", "--sensitive", "savings"),
        "--certify": ("--certify",),
        "--seed": ("--seed", "2"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "suppress-locally": {
        "-k": ("-k", "5"),
        "--keys": ("--keys", "sex,savings"),
        "--importance": ("--importance", "sex=1,age=9"),
        "--semantics": ("--semantics", "cover"),
        "--combinations": ("--combinations", "1"),
        "--drop": ("--drop", "income,code,born"),
        "--no-certify": ("--no-certify",),
        "--shuffle": ("--shuffle", "--seed", "1"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "protect": {
        "--dry-run": ("--dry-run",),
        "--accept": ("--accept", "savings"),
        "--certify": ("--certify",),
        "--seed": ("--seed", "2"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "verify": {
        "-k": ("-k", "9"),
        "--qi": ("--qi", "sex,income,savings"),
        "--guarantee": ("--guarantee", "classes"),
        "--semantics": ("--semantics", "cover"),
        "--combinations": ("--combinations", "1"),
        "--l": ("--guarantee", "microaggregation", "--l", "2", "--sensitive", "sex"),
        "--sensitive": ("--guarantee", "classes", "--l", "2", "--sensitive", "sex"),
        "--weight": ("--weight", "spending"),
        "--by": ("--by", "sex"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "risk": {
        "--keys": ("--keys", "sex"),
        "--weight": ("--weight", "age", "--keys", "sex"),
        "--household": ("--household", "savings"),
        "--sensitive": ("--sensitive", "savings"),
        "--numeric": ("--numeric", "income,savings"),
        "--original": ("--original", "{released}"),
        "--exact": ("--exact",),
        "--suda": ("--suda", "none"),
        "--max-risk": ("--max-risk", "0.5"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "utility": {
        "--columns": ("--columns", "income,savings"),
        "--weight": ("--weight", "spending"),
        "--by": ("--by", "sex"),
        "--regression": ("--regression", "income ~ age + C(sex)"),
        "--categorical": ("--categorical", "age"),
        "--hierarchy": ("--hierarchy", "age={ages}"),
        "--rows": ("--rows", "shuffled"),
        "--queries": ("--queries", "7"),
        "--seed": ("--seed", "1"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "perturb pram": {
        "--columns": ("--columns", "age"),
        "--stay": ("--stay", "0.1"),
        "--matrix": ("--matrix", "sex={sexes}", "--repair"),
        "--together": ("--columns", "sex,age", "--together"),
        "--by": ("--by", "age"),
        "--known": ("--known", "age"),
        "--drop": ("--drop", "code,born,age"),
        "--seed": ("--seed", "2"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "perturb rank-swap": {
        "--columns": ("--columns", "savings"),
        "--percent": ("--percent", "50"),
        "--by": ("--by", "sex"),
        "--known": ("--known", "sex"),
        "--drop": ("--drop", "code,born,age"),
        "--seed": ("--seed", "2"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "perturb noise": {
        "--columns": ("--columns", "savings"),
        "--percent": ("--percent", "50"),
        "--correlated": ("--correlated",),
        "--restore": ("--restore",),
        "--round": ("--round",),
        "--known": ("--known", "sex"),
        "--drop": ("--drop", "code,born,age"),
        "--seed": ("--seed", "2"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "perturb swap-records": {
        "--columns": ("--columns", "age"),
        "--percent": ("--percent", "50"),
        "--household": ("--household", "spending"),
        "--profile": ("--profile", "age"),
        "--keys": ("--keys", "age"),
        "-k": ("--keys", "age", "-k", "9"),
        "--known": ("--known", "age"),
        "--drop": ("--drop", "code,born,age"),
        "--seed": ("--seed", "2"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "compare": {
        "-k": ("-k", "3,5"),
        "--methods": ("--methods", "md"),
        "--columns": ("--columns", "income"),
        "--keys": ("--keys", "age,sex", "--methods", "suppress-locally"),
        "--known": ("--known", "income"),
        "--bounds": ("--no-bounds",),
        "--drop": ("--drop", "code,born"),
        "--accept": ("--accept", "code", "--accept", "born"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "recommend": {
        "--most-risk": ("--most-risk", "0.2"),
        "--most-loss": ("--most-loss", "0.001"),
        "--keys": ("--keys", "age,sex"),
        "--numeric": ("--numeric", "income"),
        "--sensitive": ("--sensitive", "sex"),
        "--drop": ("--drop", "code,born,sex"),
        "--weight": ("--weight", "spending"),
        "--accept": ("--accept", "spending"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "bounds": {
        "--release": ("-r", "age:sex"),
        "--method": ("--method", "frechet"),
        "--count": ("--count", "other"),
        "--policy": ("--policy", "c=90,w=90"),
        "--variables": ("--variables", "age:sex"),
        "--explain": ("--explain",),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "simulate": {
        "--release": ("-r", "age:sex"),
        "--distribution": ("--distribution", "loglinear"),
        "--count": ("--count", "other"),
        "--variables": ("--variables", "age:sex"),
        "--seed": ("--seed", "2"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "verify-bounds": {
        "--release": ("-r", "age:sex"),
        "--count": ("--count", "other"),
        "--variables": ("--variables", "age:sex"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "hierarchy check": {
        "--data": ("--data", "{people}", "--column", "sex"),
        "--column": ("--data", "{people}", "--column", "age"),
        "--delimiter": ("--data", "{people}", "--column", "sex", "--delimiter", ";"),
        "--encoding": ("--data", "{people}", "--column", "sex", "--encoding", "utf-16"),
    },
    "hierarchy make": {
        "--column": ("--column", "income"),
        "--widths": ("--widths", "7"),
        "--prefixes": ("--prefixes", "1"),
        "--dates": ("--column", "born", "--dates", "year"),
        "--ages": ("--column", "born", "--ages", "2024-12-31"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "datasets survey": {"-n": ("-n", "30"), "--seed": ("--seed", "5")},
    "plan": {
        "--policy": ("--policy", "{policy}"),
        "--variables": ("--variables", "age"),
        "--count": ("--count", "other"),
        "--records": ("--records", "--variables", "age"),
    },
    "tabulate": {
        "--by": ("--by", "age"),
        "--value": ("--value", "savings"),
        "--weight": ("--weight", "age"),
        "--holding": ("--holding", "age"),
        "--hierarchy": ("--by", "age", "--hierarchy", "age={ages}"),
        "--rule": ("--rule", "frequency=30"),
        "--empty": ("--by", "sex,age", "--empty"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
    "suppress": {
        "--rule": ("--rule", "frequency=5"),
        "--cost": ("--cost", "unit"),
        "--hierarchy": ("--hierarchy", "sector={sectors}"),
        "--known": ("--known", "5"),
    },
    "audit": {
        "--rule": ("--rule", "frequency=5"),
        "--hierarchy": ("--hierarchy", "sector={sectors}"),
        "--rounding": ("--rounding", "5"),
        "--known": ("--known", "5"),
    },
    "verify-pattern": {
        "--known": ("--known", "5"),
        "--rule": ("--rule", "frequency=5"),
        "--hierarchy": ("--hierarchy", "sector={sectors}"),
        "--earlier": ("--earlier", "{totals}"),
        "--linked": ("--linked", "{counted}"),
    },
    "round": {
        "--base": ("--base", "3"),
        "--hierarchy": ("--hierarchy", "age={ages}"),
        "--rule": ("--rule", "frequency=30", "--audit"),
        "--small": ("--small",),
        "--totals-first": ("--totals-first",),
        "--audit": ("--audit",),
    },
    "cell-key": {
        "--by": ("--by", "age"),
        "--record-key": ("--record-key", "other"),
        "--perturbation": ("--perturbation", "{louder}"),
        "--hierarchy": ("--by", "age", "--hierarchy", "age={tree}"),
        "--empty": ("--by", "sex,age", "--empty"),
        "--delimiter": ("--delimiter", ";"),
        "--encoding": ("--encoding", "utf-16"),
    },
}

SERVER = "tests/release"
LIFE = "test_dataset_life"
ELSEWHERE: dict[str, dict[str, str]] = {
    "tabulate": {"--memory": "tests/instruments/totals: bounds what is held, not what is told"},
    "microaggregate": {
        "--leave": "below, and tests/instruments",
        "--accept": "below",
        "--effort": "methods and efforts: below",
        "--certificate": "test_outputs",
        "--missing": "below: needs missing values",
        "--allow-unprotected": "test_microaggregate: needs k = 1",
        "--seed": "test_microaggregate; nothing is random in mdav",
    },
    "generalize": {
        "--accept": "below",
        "--keep-secret": "test_generalize",
        "--weight": "the former name of --importance, an error: below",
        "--missing": "below: needs missing values",
        "--numeric": "test_generalize: needs text of digits",
    },
    "suppress-locally": {
        "--accept": "test_suppress_locally",
        "--certificate": "test_suppress_locally",
        "--seed": "tests/suppression, and --shuffle above",
    },
    "protect": {"--keep-secret": "test_protect"},
    "verify": {"--memory": "tests/verify/large: bounds what is held, not what is said"}
    | dict.fromkeys(
        (
            "--categorical", "--hierarchy", "--certificate", "--scale", "--missing", "--accept",
            "--secret", "--cap", "--numeric", "--weight", "--household", "--person", "--rare", "--identifiers",
            "--earlier", "--manifest",
        ),
        "tests/verify: every guarantee meets every option",
    ),
    "risk": dict.fromkeys(("--missing", "--boxes", "--alpha"), "test_risk: needs missing values and boxes"),
    "perturb pram": {
        "--measured-only": "perturb/test_shared",
        "--repair": "perturb/test_pram: needs a matrix",
        "--accept": "perturb/test_shared, tests/verify/perturbed",
    },
    **{
        f"perturb {method}": {"--measured-only": "perturb/test_shared", "--accept": "tests/verify/perturbed"}
        for method in ("rank-swap", "noise", "swap-records")
    },
    "compare": {"--seed": "which persons a sample takes, and what methods draw: tests/measure/risk, tests/instruments"},
    "recommend": {"--seed": "as for compare", "--household": "test_recommend: needs households"},
    "simulate": {"--pinned": "test_bounds", "--sensitive": "test_bounds"},
    "suppress": {
        "--earlier": "tests/instruments/totals/test_suppress",
        "--singletons": "tests/instruments/totals/test_suppress",
        "--certificate": "test_suppress",
        "--public": "below, and tests/report",
        "--seed": "tests/tabular/suppress: the search of large tables",
    },
    "audit": {
        "--earlier": "test_audit",
        "--singletons": "tests/instruments/totals/test_audit",
        "--levels-only": "test_audit: writes no intervals",
        "--rounded": "test_audit: with --rounding",
        "--certificate": "test_audit",
    },
    "verify-pattern": {
        "--certificate": "test_verify_pattern",
        "--cost": "test_verify_pattern: with a certificate",
        "--singletons": "test_verify_pattern: in a table with a single contributor",
    },
    "verify-bounds": {
        "--sample": "test_bounds; cells that need no program are proved whatever the sample",
        "--seed": "which cells a sample takes",
    },
    "round": {
        "--certificate": "test_round",
        "--seed": "nothing is random in a small table; tests/tabular/rounding",
    },
    "serve": {
        **dict.fromkeys(("--database", "--port", "--host", "--workers", "--rate", "--max-upload", "--log"), SERVER),
        **dict.fromkeys(("--max-rows", "--max-columns", "--read-memory", "--read-seconds", "--deciders"), SERVER),
        **dict.fromkeys(("--log-format", "--metrics-port", "--public-url", "--proxy"), SERVER),
        **dict.fromkeys(("--oidc", "--session-hours"), "tests/release/web/test_sign_in"),
    },
    "backup": {"--database": SERVER},
    "restore": dict.fromkeys(("--database", "--receipt", "--anchor", "--complete", "--force-rollback"), SERVER),
    "resume": dict.fromkeys(("--released", "--database"), SERVER),
    "ask": {"--token": SERVER, "--wait": SERVER, "--token-file": "tests/test_client"},
    "demo": {"--folder": "test_demo", "-n": "test_demo"},
    "token create": dict.fromkeys(("--role", "--name", "--expires", "--only", "--save", "--database"), SERVER),
    "token list": {"--database": SERVER},
    "token revoke": {"--database": SERVER},
    "dataset add": {
        **dict.fromkeys(("--name", "--policy", "--variables", "--count", "--database"), SERVER),
        **dict.fromkeys(("--records", "--confirm-published"), "test_dataset"),
        **dict.fromkeys(("--codebook", "--same-as", "--distinct", "--population", "--predecessor", "--draft"), LIFE),
    },
    "dataset open": {"--database": LIFE},
    "dataset close": {"--database": LIFE},
    "dataset retire": {"--database": LIFE},
    "dataset policy": dict.fromkeys(("--confirm", "--database"), LIFE),
    "token role": {"--database": SERVER},
    "token grant": {"--database": SERVER},
    "token ungrant": {"--database": SERVER},
    "proposal list": {"--database": SERVER},
    "proposal confirm": dict.fromkeys(("--database", "--token-file"), SERVER),
    "proposal reject": dict.fromkeys(("--database", "--token-file"), SERVER),
    "proposal four-eyes": {"--database": SERVER},
    "dataset list": {"--database": SERVER},
    "ledger verify": dict.fromkeys(("--database", "--receipt", "--anchor"), SERVER),
    "ledger head": {"--database": SERVER},
    "ledger export": dict.fromkeys(("--database", "--key"), SERVER),
    "ledger check-export": dict.fromkeys(("--key", "--public", "--anchor"), SERVER),
}  # fmt: skip

REFUSED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("microaggregate", ("--effort", "best"), "effort"),
    ("microaggregate", ("--time-limit", "9"), "time_limit"),
    ("microaggregate", ("--columns", "spending", "--round"), "whole numbers"),
    ("microaggregate", ("--columns", "income,income"), "twice"),
    ("microaggregate", ("--columns", "income", "--leave", "savings"), "leave"),
    ("microaggregate", ("--drop", "income"), "both dropped and used"),
    ("microaggregate", ("--drop", "spending", "--weight", "spending"), "both dropped and used"),
    ("microaggregate", ("--drop", "sex", "--by", "sex"), "both dropped and used"),
    ("microaggregate", ("--weight", "income"), "both protected and weight"),
    ("microaggregate", ("--weight", "sex"), "not numeric"),
    ("microaggregate", ("--by", "savings"), "both protected and stratum"),
    ("microaggregate", ("--drop", "sex", "--by", "code"), "strata have fewer than k = 3"),
    ("microaggregate", ("--columns", "income", "--columns", "income"), "more than one set"),
    ("microaggregate", ("--weight", "spending", "--certify"), "certificate"),
    ("microaggregate", ("--by", "sex", "--certify"), "certificate"),
    ("microaggregate", ("--columns", "income", "--columns", "savings", "--certify"), "certificate"),
    ("microaggregate", ("-k", "1"), "allow-unprotected"),
    ("microaggregate", ("--accept", "income"), "accepted"),
    ("microaggregate", ("--accept", "hat"), "hat"),
    ("microaggregate", ("--accept", "code", "--drop", "code"), "both dropped and used"),
    ("generalize", ("--method", "ring", "--rounds", "2"), "rounds"),
    ("generalize", ("--l", "2"), "go together"),
    ("generalize", ("--sensitive", "income"), "go together"),
    ("generalize", ("--categorical", "income"), "not quasi-identifiers"),
    ("generalize", ("--ordered", "income=1,2"), "not quasi-identifiers"),
    ("generalize", ("--hierarchy", "income={tree}"), "not quasi-identifiers"),
    ("generalize", ("--importance", "income=2"), "not quasi-identifiers"),
    ("generalize", ("--importance", "age=2", "--importance", "age=3"), "twice"),
    ("generalize", ("--weight", "age=2"), "--importance"),
    ("generalize", ("--hierarchy", "sex={tree}", "--hierarchy", "sex={tree}"), "twice"),
    ("generalize", ("--ordered", "sex=f,m", "--ordered", "sex=m,f"), "twice"),
    ("generalize", ("--ordered", "sex=f,m", "--hierarchy", "sex={tree}"), "choose one"),
    ("generalize", ("--cap", "income=9"), "not quasi-identifiers"),
    ("generalize", ("--cap", "sex=9"), "caps are for numbers and dates"),
    ("generalize", ("--cap", "age=9:2"), "reverse order"),
    ("generalize", ("--cap", "age=1950-01-01"), "does not fit"),
    ("generalize", ("--cap", "age=9", "--cap", "age=8"), "twice"),
    ("generalize", ("--level", "age=1"), "no hierarchy"),
    ("generalize", ("--level", "age=x"), "--level"),
    ("generalize", ("--hierarchy", "age={ages}", "--level", "age=2"), "levels"),
    ("generalize", ("--numeric", "sex"), "holds other text"),
    ("generalize", ("--numeric", "age", "--categorical", "age"), "choose one"),
    ("generalize", ("--accept", "age"), "accepted"),
    ("generalize", ("--accept", "hat"), "hat"),
    ("suppress-locally", ("--keys", "hat"), "hat"),
    ("suppress-locally", ("--importance", "hat=1"), "hat"),
    ("suppress-locally", ("--importance", "age=much"), "--importance takes"),
    ("suppress-locally", ("--importance", "age"), "--importance takes"),
    ("suppress-locally", ("--importance", "age=1", "--importance", "age=2"), "twice"),
    ("suppress-locally", ("--semantics", "wildcard"), "class, cover"),
    ("suppress-locally", ("--combinations", "0"), "combinations"),
    ("suppress-locally", ("--accept", "age"), "both accepted"),
    ("suppress-locally", ("--certificate", "c.json", "--no-certify"), "choose one"),
    ("protect", ("--accept", "hat"), "neither left nor sensitive"),
    ("protect", ("--accept", "age"), "neither left nor sensitive"),
    ("protect", ("--seed", "-1"), "random_state"),
    ("protect", ("--time-limit", "-1"), "time_limit"),
    ("verify", ("--l", "2"), "l"),
    ("verify", ("--guarantee", "classes", "--hierarchy", "sex={tree}"), "hierarch"),
    ("verify", ("--guarantee", "microaggregation", "--missing", "wildcard"), "missing"),
    ("verify", ("--rare", "merge"), "household"),
    ("verify", ("--manifest", "{people}"), "leave out"),
    ("verify", ("--guarantee", "classes", "--by", "sex"), "by is for"),
    ("verify", ("--guarantee", "classes", "--qi", "income", "--qi", "savings"), "several sets"),
    ("verify", ("--weight", "income"), "more than one role"),
    ("verify", ("--by", "hat"), "hat"),
    ("risk", ("--keys", "sex,sex"), "twice"),
    ("risk", ("--keys", "hat"), "hat"),
    ("risk", ("--weight", "sex"), "not numeric"),
    ("risk", ("--alpha", "0.5"), "wildcard"),
    ("risk", ("--alpha", "2", "--missing", "wildcard"), "alpha"),
    ("risk", ("--missing", "hat"), "missing"),
    ("risk", ("--boxes", "hat"), "boxes"),
    ("risk", ("--boxes", "set", "--missing", "wildcard", "--alpha", "0.5"), "boxes"),
    ("risk", ("--suda", "hat"), "SUDA"),
    ("risk", ("--max-risk", "0"), "max_risk"),
    ("risk", ("--sensitive", "sex"), "both as key"),
    ("risk", ("--original", "{table}"), "rows"),
    ("utility", ("--columns", "hat"), "hat"),
    ("utility", ("--weight", "age"), "both as weight"),
    ("utility", ("--by", "hat"), "hat"),
    ("utility", ("--regression", "income"), "cannot be read"),
    ("utility", ("--regression", "sex ~ income"), "no numbers"),
    ("utility", ("--categorical", "hat"), "hat"),
    ("utility", ("--hierarchy", "age={tree}", "--hierarchy", "age={tree}"), "twice"),
    ("utility", ("--rows", "hat"), "order of rows"),
    ("utility", ("--queries", "0"), "queries"),
    ("utility", ("--seed", "-1"), "random_state"),
    ("perturb pram", ("--repair",), "none was given"),
    ("perturb pram", ("--stay", "2"), "stay"),
    ("perturb pram", ("--matrix", "age={sexes}"), "not perturbed"),
    ("perturb pram", ("--matrix", "sex={sexes}"), "invariant"),
    ("perturb pram", ("--drop", "sex"), "both dropped and used"),
    ("perturb rank-swap", ("--percent", "0"), "percent"),
    ("perturb rank-swap", ("--columns", "sex"), "not numeric"),
    ("perturb rank-swap", ("--by", "income"), "both perturbed"),
    ("perturb rank-swap", ("--accept", "income"), "both perturbed"),
    ("perturb noise", ("--columns", "income", "--correlated"), "several columns"),
    ("perturb noise", ("--columns", "spending", "--round"), "whole numbers"),
    ("perturb swap-records", ("--household", "income", "--columns", "age"), "differ in age"),
    ("perturb swap-records", ("--keys", "sex"), "beside what is exchanged"),
    ("perturb swap-records", ("--keys", "age", "-k", "1"), "k must"),
    ("compare", ("-k", "x"), "whole numbers"),
    ("compare", ("-k", "1"), "2 or more"),
    ("compare", ("-k", "41"), "larger than"),
    ("compare", ("--methods", "hat"), "unknown method"),
    ("compare", ("--methods", "mondrian"), "keys"),
    ("compare", ("--columns", "hat"), "hat"),
    ("compare", ("--known", "hat"), "hat"),
    ("compare", ("--drop", "income"), "both left out and used"),
    ("compare", ("--seed", "-1"), "random_state"),
    ("compare", ("{recipe}",), "recipes say that themselves"),
    ("recommend", ("--most-risk", "0"), "above 0"),
    ("recommend", ("--most-loss", "2"), "up to 1"),
    ("recommend", ("--most-risk", "0.001"), "40 records"),
    ("recommend", ("--keys", "income"), "twice"),
    ("recommend", ("--drop", "income"), "both left out and used"),
    ("bounds", ("--policy", "c=2,w=wide"), "whole numbers"),
    ("bounds", ("--policy", "hat"), "--policy takes"),
    ("bounds", ("--policy", "c=0"), "c in the policy"),
    ("bounds", ("--variables", "hat"), "hat"),
    ("simulate", ("--variables", "hat"), "hat"),
    ("verify-bounds", ("--variables", "hat"), "hat"),
    ("hierarchy check", ("--data", "{people}"), "go together"),
    ("hierarchy check", ("--column", "sex"), "go together"),
    ("hierarchy check", ("--delimiter", ";"), "--data"),
    ("hierarchy check", ("--encoding", "utf-8"), "--data"),
    ("hierarchy make", ("--prefixes", "1", "--widths", "5"), "either"),
    ("hierarchy make", ("--dates", "year", "--widths", "5"), "either"),
    ("hierarchy make", ("--column", "born", "--ages", "soon"), "--ages"),
    ("hierarchy make", ("--column", "born", "--ages", "1900-01-01"), "lie after"),
    ("hierarchy make", ("--ages", "2024-12-31"), "no ISO dates"),
    ("tabulate", ("--value", "sex"), "not a number"),
    ("tabulate", ("--value", "sex", "--by", "sex"), "both a variable"),
    ("tabulate", ("--weight", "hat"), "hat"),
    ("tabulate", ("--hierarchy", "age={ages}"), "age"),
    ("tabulate", ("--hierarchy", "sex={tree}", "--hierarchy", "sex={tree}"), "twice"),
    ("tabulate", ("--rule", "frequency=0"), "frequency"),
    ("tabulate", ("--rule", "p=10", "--rule", "hat=1"), "hat"),
    ("round", ("--base", "0"), "base"),
    ("round", ("--base", "x"), "base"),
    ("round", ("--hierarchy", "hat={tree}"), "hat"),
    ("round", ("--small", "--audit"), "small"),
    ("cell-key", ("--record-key", "age"), "record keys"),
    ("cell-key", ("--record-key", "hat"), "hat"),
    ("cell-key", ("--perturbation", "{keyed}"), "pcv"),
    ("datasets survey", ("-n", "0"), "n"),
    ("datasets survey", ("--seed", "-1"), "seed"),
)


def commands() -> Iterator[tuple[str, Any]]:
    def walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        if hasattr(command, "commands"):
            for name, below in command.commands.items():
                yield from walk(below, (*words, name))
        else:
            yield " ".join(words), command

    yield from walk(typer.main.get_command(app), ())


def options_of(command: Any) -> list[Any]:
    return [parameter for parameter in command.params if parameter.param_type_name == "option"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("options")
    frame = dc.datasets.survey(40, seed=1)[["age", "sex", "income", "savings", "spending"]]
    found: dict[str, Any] = {
        name: folder / f"{name}.csv" for name in ("people", "released", "table", "bounds", "tree", "ages")
    }
    frame.assign(code=[f"x{i}" for i in range(40)], born=[f"19{50 + i}-01-03" for i in range(40)]).to_csv(
        found["people"], index=False
    )
    frame.assign(age=frame["age"] // 20, other=frame["income"] % 7)[["age", "sex", "other"]].assign(
        count=lambda f: f["other"] + 3
    ).groupby(["age", "sex"], as_index=False).sum().to_csv(found["table"], index=False)
    found["tree"].write_text("f;*\nm;*\n")
    ages = sorted(set(frame["age"]), key=lambda age: (age % 3, age))
    found["order"] = ",".join(map(str, ages))
    found["ages"].write_text("".join(f"{age};{age % 2};*\n" for age in ages))
    for name, text in (("totals", TOTALS), ("sectors", "A;AB\nB;AB\nC;C\n"), ("sexes", "sex,f,m\nf,.5,.5\nm,.1,.9\n")):
        found[name] = folder / f"{name}.csv"
        found[name].write_text(text)
    found["counted"] = folder / "counted.csv"
    found["counted"].write_text(
        "sex,age,count\nTotal,Total,26\nf,Total,13\nm,Total,13\nTotal,a,13\nTotal,b,13\nf,a,6\nf,b,7\nm,a,7\nm,b,6\n"
    )
    found["keyed"], found["noise"], found["louder"] = (folder / f"{name}.csv" for name in ("keyed", "noise", "louder"))
    frame.assign(key=[i * 7 % 4 for i in range(40)], other=[i % 3 for i in range(40)])[
        ["sex", "age", "key", "other"]
    ].to_csv(found["keyed"], index=False)
    for name, size in (("noise", 1), ("louder", 2)):
        rows = [f"{c},{k},{max(-c, size * (k - 1 if k < 3 else 0))}" for c in range(1, 6) for k in range(4)]
        found[name].write_text("pcv,ckey,pvalue\n" + "\n".join(rows) + "\n")
    found["recipe"] = folder / "recipe.toml"
    found["recipe"].write_text(
        'k = 3\n[roles]\nidentifiers = ["code", "born"]\nkeys = ["age", "sex"]\nnumeric = ["income"]\n'
        'leave = ["savings", "spending"]\n[accept]\nspending = "a test"\n'
    )
    found["policy"] = folder / "policy.toml"
    found["policy"].write_text("c = 90\nw = 90\n")
    from discreet.cli.console import run

    columns = ["--columns", "income,savings", "--method", "mdav", "-q", "--accept", "code"]
    assert run(app, ["microaggregate", str(found["people"]), "-k", "3", *columns, "-o", str(found["released"])]) == 0
    found["problem"] = folder / "problem.jj"
    hidden = [str(found["totals"]), "--rule", "frequency=3", "-o", str(found["problem"]), "-q"]
    assert run(app, ["suppress", *hidden]) == 0
    found["hidden"] = folder / "hidden.csv"
    assert run(app, ["suppress", *hidden[:4], str(found["hidden"]), "-q"]) == 0
    assert run(app, ["bounds", str(found["table"]), "-r", "age", "-r", "sex", "-o", str(found["bounds"]), "-q"]) == 0
    return found


def merged(base: tuple[str, ...], words: tuple[str, ...]) -> list[str]:
    """The base with `words`, which take the place of options of the same name."""
    out = list(base)
    for at, word in enumerate(words):
        if word.startswith("-") and word in out and at + 1 < len(words) and word not in ("-r",):
            place = out.index(word)
            del out[place : place + 2]
    if {"--prefixes", "--dates"} & set(words) and "--widths" in out and "--widths" not in words:
        place = out.index("--widths")
        del out[place : place + 2]
    return [*out, *words]


def outcome(
    discreet: Callable, files: dict[str, Any], folder: Path, command: str, words: list[str], more: tuple[str, ...] = ()
) -> tuple[int, str, object]:
    """The exit code, what was said but for times, and what was written."""
    has = {name for option in options_of(dict(commands())[command]) for name in option.opts}
    out, figures = folder / "o.csv", folder / "o.json"
    for path in (out, figures, folder / "o.csv.manifest.json"):
        path.unlink(missing_ok=True)
    line = [*command.split(), *(word.format(**files) for word in words), *more]
    line += ["-o", str(out)] if "--output" in has else []
    line += ["--json", str(figures)] if "--json" in has else []
    ran = discreet(*line)
    told = json.loads(figures.read_text()) if figures.exists() else {}
    told = {name: value for name, value in told.items() if name not in ("seconds", "detail")}
    told |= {"results": [{**row, "seconds": 0} for row in told["results"]]} if "results" in told else {}
    said = re.sub(r"[\d.]+ s\b", "", ran.out + ran.err)
    written = out.read_bytes() if out.exists() else b""
    if b"dominated_by" in written or b",seconds" in written:  # a table of results, each with its time, as in the words
        table = pd.read_csv(out)
        written = table.drop(columns="seconds").to_csv(index=False).encode()
        said = re.sub(r" +", " ", re.sub(r"[\d.]+$", "", said, flags=re.MULTILINE))
    return ran.code, said, (written, json.dumps(told, sort_keys=True))


def test_every_option_is_classified() -> None:
    for name, command in commands():
        for option in options_of(command):
            known = {**EVERYWHERE, **CHANGES.get(name, {}), **ELSEWHERE.get(name, {})}
            names = [word for word in option.opts if word != "--help"]
            assert not names or any(word in known for word in names), f"discreet {name} {names}: add it to this file"


@pytest.mark.parametrize(("command", "option"), [(c, o) for c, found in CHANGES.items() for o in found])
def test_an_option_changes_what_happens(
    discreet: Callable, files: dict[str, Any], tmp_path: Path, command: str, option: str
) -> None:
    base = outcome(discreet, files, tmp_path, command, list(BASES[command]))
    assert base[0] in (0, 1), base
    words = CHANGES[command][option]
    changed = outcome(discreet, files, tmp_path, command, merged(BASES[command], words))
    assert changed != base, f"discreet {command} {' '.join(words)} does what it does without"
    assert changed[0] in (0, 1, 2)


@pytest.mark.parametrize(("command", "words", "expected"), REFUSED)
def test_what_cannot_be_honored_is_refused(
    discreet: Callable, files: dict[str, Any], tmp_path: Path, command: str, words: tuple[str, ...], expected: str
) -> None:
    code, said, written = outcome(discreet, files, tmp_path, command, merged(BASES[command], words))
    assert code == 2, said
    assert expected in said
    assert written == (b"", "{}")


def test_once_and_not_empty(discreet: Callable, files: dict[str, Any], tmp_path: Path) -> None:
    """A second value of an option that takes one, or an empty one, is an error in every command."""
    for name, command in commands():
        for option in options_of(command):
            flag = option.is_flag or getattr(option, "count", False)
            if flag or option.opts == ["--help"]:
                continue
            word = option.opts[0]
            ran = discreet(*name.split(), word, "")
            assert ran.code == 2, (name, word)
            assert "is empty" in ran.err, (name, word, ran.err)
            if not option.multiple:
                ran = discreet(*name.split(), word, "1", word, "2")
                assert ran.code == 2, (name, word)
                assert "given 2 times" in ran.err, (name, word, ran.err)


@pytest.mark.parametrize("method", REGISTRY)
def test_methods_of_microaggregation(discreet: Callable, files: dict[str, Any], tmp_path: Path, method: str) -> None:
    """Each method honors effort, a time limit and a scale, or says that it does not."""
    columns = "income" if method == "univariate" else "income,savings"
    base = ("{people}", "-k", "3", "--columns", columns, "--drop", "code,spending")
    for words, honored in (
        (("--effort", "fast"), REGISTRY[method].effort),
        (("--time-limit", "5"), REGISTRY[method].time_limit),
        (("--scale", "range"), True),
        (("--round",), True),
    ):
        line = merged(base, ("--method", method, *words))
        code, said, _ = outcome(discreet, files, tmp_path, "microaggregate", line, ("-q",))
        assert code == (0 if honored else 2), (words, said)


@pytest.mark.parametrize("method", GENERALIZATION)
def test_methods_of_generalization(discreet: Callable, files: dict[str, Any], tmp_path: Path, method: str) -> None:
    """Each method honors the options of blocks and rounds, l and a time limit, or says that it does not."""
    own = GENERALIZATION[method].options
    small = tmp_path / "small.csv"
    small.write_text("\n".join(files["people"].read_text().splitlines()[:11]) + "\n")
    base = (str(small), "-k", "3", "--qi", "age,sex", "--drop", "code", "--seed", "1")
    for words, honored in (
        (("--partition", "lexicographic"), "partition" in own),
        (("--partition-size", "20"), "partition_size" in own),
        (("--rounds", "2"), "rounds" in own),
        (("--time-limit", "20"), GENERALIZATION[method].time_limit),
        (("--l", "2", "--sensitive", "income"), method in ("auto", "reassign")),
        (("--importance", "age=2"), True),
        (("--ncp", "share"), True),
        (("--ordered", "sex=f,m"), True),
        (("--categorical", "age"), True),
    ):
        line = merged(base, ("--method", method, *words))
        code, said, _ = outcome(discreet, files, tmp_path, "generalize", line, ("-q",))
        assert code == (0 if honored else 2), (words, said)


def test_missing_values_follow_the_policy(discreet: Callable, files: dict[str, Any], tmp_path: Path) -> None:
    holes = tmp_path / "holes.csv"
    rows = files["people"].read_text().splitlines()
    holes.write_text("\n".join([rows[0], *(re.sub(r"^\d+", "", row) for row in rows[1:6]), *rows[6:]]) + "\n")
    for command, policies in (("microaggregate", ("suppress", "known")), ("generalize", ("value", "wildcard"))):
        words = ("--columns", "age", "--drop", "code,born") if command == "microaggregate" else ()
        line = merged(BASES[command], words)
        line[0] = str(holes)
        seen = [outcome(discreet, files, tmp_path, command, [*line, "--missing", policy]) for policy in policies]
        assert all(found[0] == 0 for found in seen), seen
        assert len({repr(found[2]) for found in seen}) == len(seen)
        assert outcome(discreet, files, tmp_path, command, line)[0] == 2


def test_quiet_hides_no_warning(discreet: Callable, files: dict[str, Any], tmp_path: Path) -> None:
    for command in ("microaggregate", "generalize"):
        line = [word for word in BASES[command] if word not in ("--drop", "code", "code,born")]
        code, said, _ = outcome(discreet, files, tmp_path, command, line, ("-q",))
        assert code == 1, said
        assert "column code has a value of its own" in said
        code, said, _ = outcome(discreet, files, tmp_path, command, line, ("-q", "--accept", "code"))
        assert code == 0, said
        assert "column code has a value of its own" not in said
