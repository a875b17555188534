"""What all results share.

A result is a frozen dataclass. It can tell itself in words (`summary`), in figures (`to_dict`, what `--json`
writes), in a picture (`plot`), as a page (`report`, and the notebook representation), and it can be checked by
code that shares nothing with the method that made it (`verify`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, isfinite, log10
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
    """A part of a report: a heading, words, a table of rows under headings, pictures. Each but the first optional.

    `confidential` says that it may show values of the original or counts below the threshold: a public page leaves
    it out.
    """

    title: str
    text: str = ""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    figure: Figure | Sequence[Figure] | None = None
    nested: Nested | None = None
    confidential: bool = False


@dataclass(frozen=True)
class Statement:
    """A result in plain language, for whoever decides about it and whoever asks later: four lists of sentences.

    What was `done`, `against_whom` it protects, what is `not_covered`, and what it `cost`. Anybody may read it: no
    sentence holds a value of the original, a count below the threshold, or a figure of the original to more than two
    digits (`about`). `heading` says it in one line, for the public page.
    """

    heading: str
    done: Sequence[str]
    against_whom: Sequence[str]
    not_covered: Sequence[str]
    cost: Sequence[str]

    def questions(self) -> list[tuple[str, Sequence[str]]]:
        """The four lists under what they answer."""
        return [
            ("What was done", self.done),
            ("Against whom it protects", self.against_whom),
            ("What it does not cover", self.not_covered),
            ("What it costs", self.cost),
        ]


def about(value: float) -> str:
    """A figure to two digits: enough to decide by, and too little to compute a record from all the others."""
    if not value or not isfinite(value):
        return f"{value:g}"
    places = 1 - floor(log10(abs(value)))
    return f"{round(value, places):.{max(0, places)}f}"


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
Audience = Literal["internal", "public"]


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
        """What a report shows below the facts; a public one leaves out those that are `confidential`."""

    def public_sections(self) -> list[Section]:
        """What a public report shows: no value of the original, and no count below the threshold."""
        return [section for section in self.sections() if not section.confidential]

    def statement(self) -> Statement:
        """The result in plain language. A class that says nothing of its own claims nothing."""
        return Statement(
            "A result that makes no statement of its own",
            ("What was done is told by the figures below.",),
            ("It is not stated against whom this protects.",),
            ("Whatever is not said here.",),
            ("What was lost is told by the figures below.",),
        )

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

    def report(
        self,
        path: str | Path,
        *,
        audience: Audience = "internal",
        original: str | Path | None = None,
        published: str | Path | None = None,
        force: bool = False,
    ) -> Path:
        """Write a self-contained HTML page, which prints to PDF, and return its path.

        Parameters
        ----------
        path : where to write it.
        audience : "internal" for those who hold the original; "public" leaves out whatever tells more than the release
            itself, and is refused for a result that the independent check calls unsafe.
        original, published : the files that the result was read from and written to, for their hashes and for the
            command that checks them again. The hash of the original is never on a public page.
        force : replace an existing file.
        """
        from discreet.report import write_report

        files = {"original": original, "published": published}
        return write_report(self, Path(path), audience=audience, files=files, force=force)

    def _repr_html_(self) -> str:
        from discreet.report import fragment

        return fragment(self)


class Measurement(Result):
    """A result that measures a file and publishes none: there is no release to check, and its table is confidential."""

    @abstractmethod
    def to_frame(self) -> Any:
        """The figures of every record, in the order of the file."""

    def statement(self) -> Statement:
        return Statement(
            "A measurement of a file",
            ("A file was measured. Nothing was changed, and nothing was published.",),
            ("A measurement protects nobody: it says how exposed the records are, or what a protection lost.",),
            ("Whatever was not measured, and any file other than the one that was.",),
            ("Nothing: the file is as it was.",),
        )

    def verify(self) -> Verdict:
        raise InputError("this is a measurement and no release: verify the file that is to be published")

    def judged(self) -> None:
        return None

    def publication(self) -> Publication:
        return Publication(self.to_frame())
