"""What all results share.

A result is a frozen dataclass. It can tell itself in words (`summary`), in figures (`to_dict`, what `--json`
writes), in a picture (`plot`), as a page (`report`, and the notebook representation), and it can be checked by
code that shares nothing with the method that made it (`verify`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from discreet.errors import InputError, visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Heading:
    """An entry of a nested header: its text, and how many columns and rows it spans."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Line:
    """A row of a nested table: its labels (None where the one above goes on), how deep each stands, and its cells.

    A cell is a text and a class: "" for one that is published, else the reason why it is not.
    """

    labels: Sequence[str | None]
    depths: Sequence[int]
    cells: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Nested:
    """A table with nested headers, as people know it: variables in the stub, rows of headings above the columns."""

    stub: Sequence[str]
    head: Sequence[Sequence[Heading]]
    lines: Sequence[Line]
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a report: a heading, words, a table of rows under headings, a picture. Each but the first optional.

    `confidential` says that it may show values of the original or counts below the threshold: a public page leaves
    it out.
    """

    title: str
    text: str = ""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    figure: Figure | None = None
    nested: Nested | None = None
    confidential: bool = False


@dataclass(frozen=True)
class Publication:
    """What of a result is published: a table, which of its columns were worked on, and where its rows come from.

    Columns in `anew` are written anew, changed or not: spelling must not tell equal records apart. `order`, where rows
    were shuffled, has for each row the one of the original whose other columns it carries, as these were spelled.
    """

    data: Any
    anew: Sequence[str] = ()
    order: Any = None


Judged = Literal["safe", "unsafe", "cannot tell"]


@dataclass(frozen=True)
class Verdict:
    """What the independent check says of a release: "safe", "unsafe" or "cannot tell", and why.

    `failures` lists what is wrong, in words that name columns and numbers of rows but no values; `figures` what was
    measured on the way. `proven` says what a "safe" stands for, sentence by sentence, and `limits` what it does not
    speak of. `headline` is what a page says above it, unless that is the usual.
    """

    outcome: Judged
    guarantee: str
    k: int | None
    failures: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    figures: Mapping[str, float | int | str] = field(default_factory=dict)
    proven: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    headline: str = ""

    @property
    def safe(self) -> bool:
        return self.outcome == "safe"

    @property
    def exit_code(self) -> int:
        return {"safe": 0, "unsafe": 1}.get(self.outcome, 2)

    def summary(self) -> str:
        lines = [f"{self.outcome} ({self.guarantee}" + (f", k = {self.k})" if self.k is not None else ")")]
        lines += [f"  {statement}" for statement in self.proven]
        lines += [f"  - {failure}" for failure in self.failures]
        lines += [f"  Not covered: {limit}" for limit in self.limits]
        lines += [f"  What to do: {advice}" for advice in self.advice]
        return "\n".join(map(visible, lines))

    def title(self) -> str:
        """What a page says above it."""
        if self.headline:
            return self.headline
        claim = f"the independent check of the guarantee “{self.guarantee}”"
        claim += "" if self.k is None else f" with k = {self.k}"
        how = {"safe": ("Verified", "holds"), "unsafe": ("Not safe", "fails")}
        word, end = how.get(self.outcome, ("Cannot tell", "could not be decided"))
        return f"{word}: {claim} {end}."

    def facts(self) -> list[tuple[str, str]]:
        """What a card in a notebook says: what is proven, what is wrong, what to do, and what nobody looked at."""
        parts = {"proven": self.proven, "failure": self.failures, "what to do": self.advice, "not covered": self.limits}
        return [(label, statement) for label, statements in parts.items() for statement in statements]

    def _repr_html_(self) -> str:
        from discreet.report import fragment

        return fragment(self)

    def to_dict(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "guarantee": self.guarantee,
            "k": self.k,
            "failures": list(self.failures),
            "advice": list(self.advice),
            "proven": list(self.proven),
            "limits": list(self.limits),
            **self.figures,
        }

    def __bool__(self) -> bool:
        return self.safe


class Result(ABC):
    """Base of `Microaggregation`, `Generalization` and `Bounds`."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Figures of the run, ready for JSON: no data values."""

    @abstractmethod
    def facts(self) -> list[tuple[str, str]]:
        """The figures a reader wants first, as (label, text)."""

    @abstractmethod
    def title(self) -> str:
        """One line that says what was done."""

    @abstractmethod
    def sections(self) -> list[Section]:
        """What a report shows below the facts. Nothing confidential: a report is passed around."""

    @abstractmethod
    def verify(self) -> Verdict:
        """The independent check of this very result."""

    def judged(self) -> Verdict | None:
        """The verdict that a report shows; None where there is nothing to judge."""
        return self.verify()

    def judged_beside(self) -> Sequence[Verdict]:
        """Verdicts on other questions, which a report shows apart."""
        return ()

    def headline(self, verdict: Verdict) -> str:
        """What a report says above the verdict; "" for the usual."""
        return verdict.headline

    @abstractmethod
    def publication(self) -> Publication:
        """What goes out, once it is checked."""

    def claim(self) -> Mapping[str, Any]:
        """What the result claims: the arguments with which `discreet.verify` judges it, beside the two tables.

        Empty for results that are no release of records.
        """
        return {}

    def shortfalls(self, verdict: Verdict) -> tuple[str, ...]:
        """What the release was to hold beyond its guarantee and does not, by this verdict on it; mostly nothing."""
        return ()

    @abstractmethod
    def plot(self) -> Figure:
        """The result as one picture (needs the extra `plot`)."""

    def summary(self) -> str:
        facts = self.facts()
        width = max((len(label) for label, _ in facts), default=0)
        lines = [self.title(), *(f"  {label:<{width}}  {text}" for label, text in facts)]
        return "\n".join(map(visible, lines))

    def report(self, path: str | Path, *, force: bool = False) -> Path:
        """Write a self-contained HTML page and return its path."""
        from discreet.report import write_report

        return write_report(self, Path(path), force=force)

    def _repr_html_(self) -> str:
        from discreet.report import fragment

        return fragment(self)


class Measurement(Result):
    """A result that measures a file and publishes none: there is no release to check, and its table is confidential."""

    @abstractmethod
    def to_frame(self) -> Any:
        """The figures of every record, in the order of the file."""

    def verify(self) -> Verdict:
        raise InputError("this is a measurement and no release: verify the file that is to be published")

    def judged(self) -> None:
        return None

    def publication(self) -> Publication:
        return Publication(self.to_frame())
