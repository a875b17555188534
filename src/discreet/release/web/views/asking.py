"""What an analyst sees: the variables, what is public, an answer as table and chart, and what else can be asked.

Nothing here but what is released, and what this person was told herself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from discreet.release.answer import REASONS
from discreet.release.frontier import axes_of
from discreet.release.open_dataset import Margin, OpenDataset, public_categories
from discreet.release.people.actor import Actor
from discreet.release.service import Answer, Service
from discreet.release.web.downloads import TITLES
from discreet.release.web.views.chart import MOST_ROWS, MOST_SERIES, chart_view
from discreet.release.web.views.crosstab import CHARTS, HIDDEN, Floats, Known, Layout, cross, crosstab_view
from discreet.release.web.views.history import ANSWERS, own_refusals
from discreet.release.web.views.suggestions import instead

SHOWN_ROWS = 200
SHOWN_DATASETS = 60
SEARCHED = 12  # datasets from which on there is a search


def datasets_view(datasets: Sequence[dict[str, Any]], search: str, page: int) -> dict[str, Any]:
    """The datasets whose name or variables contain every word of the search."""
    words = search.lower().split()
    found = [d for d in datasets if all(w in "\n".join([d["name"], *d["variables"]]).lower() for w in words)]
    last = max(1, -(-len(found) // SHOWN_DATASETS))
    page = min(page, last)
    return {
        "datasets": found[(page - 1) * SHOWN_DATASETS : page * SHOWN_DATASETS],
        "found": len(found),
        "all": len(datasets),
        "searchable": len(datasets) >= SEARCHED or bool(words),
        "search": search,
        "page": page,
        "pages": last,
    }


def ask_view(opened: OpenDataset) -> dict[str, Any]:
    """The variables to choose from and what is public: the same for everybody. A list that is not public is None."""
    lists = public_categories(opened)
    frontier, policy = opened.state.frontier, opened.policy
    released = sorted(frontier.released, key=lambda m: (m.bit_count(), axes_of(m)))
    parts = sorted(frontier.partials, key=lambda p: (p.mask.bit_count(), axes_of(p.mask)))
    return {
        "variables": [
            {"name": name, "categories": None if levels is None else texts_of(opened, name, levels)}
            for name, levels in lists.items()
        ],
        "released": [list(opened.names(mask)) for mask in released],
        "parts": [(list(opened.names(partial.mask)), *ANSWERS[partial.kind]) for partial in parts],
        "mode": policy.mode,
        "otherwise": policy.otherwise,
        "base": policy.base,
        "time_limit": policy.time_limit,
    }


def answer_view(service: Service, actor: Actor, opened: OpenDataset, answer: Answer, layout: Layout) -> dict[str, Any]:
    """An answer: its table where there is one, and for what was not released the way on."""
    said = {
        "given": answer.answer,
        "reason": answer.reason,
        "asked": list(answer.variables),
        "entry": answer.entry,
    }
    view = _with_table(opened, said, answer.margin, layout)
    if answer.answer != "release":
        request = opened.mask(answer.variables)
        ways = instead(request, opened.state.frontier.released, own_refusals(service, actor, opened))
        view["instead"] = {way: [list(opened.names(mask)) for mask in masks] for way, masks in ways.items()}
    return view


def published_view(opened: OpenDataset, variables: Sequence[str], layout: Layout) -> dict[str, Any]:
    """A margin that is public already, for whoever follows a link to it: no request, so no entry and no receipt."""
    mask, frontier = opened.mask(variables), opened.state.frontier
    names, partial = opened.names(mask), frontier.part(mask)
    if frontier.covers(mask):
        said = {"given": "release", "reason": "This margin is public.", "asked": list(names)}
        return _with_table(opened, said, Margin(opened.table.margin(names), False), layout)
    if partial is not None:
        said = {"given": partial.kind, "reason": REASONS[partial.kind], "asked": list(names)}
        return _with_table(opened, said, opened.part(partial).margin, layout)
    return {}


def texts_of(opened: OpenDataset, name: str, levels: Sequence[Any]) -> list[str]:
    """What the categories of a variable are called: by their labels where a codebook declares them."""
    declared = opened.stored.origin.labels
    return [str(text) for text in declared.get(name, levels)]


def _with_table(opened: OpenDataset, said: dict[str, Any], margin: Margin | None, layout: Layout) -> dict[str, Any]:
    symbol, word = ANSWERS[said["given"]]
    published = said["given"] == "release" and not said.get("entry")
    view: dict[str, Any] = {**said, "symbol": symbol, "word": "Published" if published else word}
    if margin is None:
        return view
    view |= {"synthetic": margin.synthetic, "mark": _mark(margin)}
    table = margin.table
    texts = {name: texts_of(opened, name, levels) for name, levels in zip(table.names, table.categories)}
    made = cross(margin, layout.columns, texts, None if margin.hidden is None else known_totals(opened))
    chart = chart_view(made, layout.chart, layout.show)
    return {
        **view,
        "crosstab": crosstab_view(made, layout.show),
        "chart": chart,
        "chart_kind": layout.chart,
        "charts": CHARTS,
        "chart_limits": (MOST_ROWS, MOST_SERIES),
        "formats": TITLES,
        **_long_table(margin, texts),
    }


def known_totals(opened: OpenDataset) -> Known:
    """The counts of released margins, and of no others."""

    def known(names: Sequence[str]) -> Floats | None:
        if not opened.state.frontier.covers(opened.mask(names)):
            return None
        return opened.table.margin(names).dense().reshape(-1).astype(np.float64)

    return known


def _mark(margin: Margin) -> str:
    """What stands before the counts of a margin that is not released whole."""
    if margin.synthetic:
        return "Synthetic counts: not those of the data"
    if margin.base > 1:
        return f"Rounded to {margin.base}, one by one: totals are sums of rounded counts"
    if margin.missing:
        return f"{margin.missing} of {prod(margin.table.shape)} counts hidden"
    return ""


def _long_table(margin: Margin, texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The first cells, one per row; no more is made than is shown."""
    table = margin.table
    size = prod(table.shape)
    shown = min(size, SHOWN_ROWS)
    counts = margin.counts()[:shown]
    places = np.unravel_index(np.arange(shown), table.shape) if table.names else ()
    rows = [
        [
            *(texts[name][place[i]] for name, place in zip(table.names, places)),
            HIDDEN if count is None else f"{count:,}",
        ]
        for i, count in enumerate(counts)
    ]
    return {"headings": [*table.names, "count"], "long": rows, "hidden": size - shown, "cells": size}
