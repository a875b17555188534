"""The documentation: it builds without a warning, everything is in its menu, in its reference and found by its search.

The site is built once; a browser then looks at it as a reader does, wide and narrow.
"""

from __future__ import annotations

import functools
import html
import http.server
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import discreet as dc
from benchmarks.harness import all_cases
from discreet.generalization.methods import REGISTRY as GENERALIZATION
from discreet.microaggregation.methods import REGISTRY as MICROAGGREGATION
from discreet.tables.methods import REGISTRY as TABLES

pytestmark = pytest.mark.xdist_group("site")
pytest.importorskip("mkdocs", reason="mkdocs is not installed")
pytest.importorskip("mkdocstrings", reason="mkdocstrings is not installed")
pytest.importorskip("latex2mathml", reason="latex2mathml is not installed")

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
CODE = re.compile(r"<(pre|code|script|style)\b.*?</\1>", re.DOTALL)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


def tool(name: str) -> ModuleType:
    """A module of docs/tools, which is no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The menu


def menu() -> list[Any]:
    from mkdocs.config import load_config

    nav = load_config(str(ROOT / "mkdocs.yml")).nav
    assert nav is not None
    return list(nav)


def pages_of(entry: Any) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    inside = entry.values() if isinstance(entry, dict) else entry
    return [page for part in inside for page in pages_of(part)]


def test_every_page_is_in_the_menu_once() -> None:
    listed = pages_of(menu())
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES)


def test_tutorials_come_first_and_benchmarks_last() -> None:
    headings = [heading for entry in menu() for heading in entry]
    assert headings == ["Start", "Tutorials", "How-to guides", "Reference", "Explanation", "Benchmarks"]


def test_the_site_builds(site: Path) -> None:
    for page in PAGES:
        place = page.relative_to(DOCS).with_suffix("")
        folder = site / (place.parent if place.name == "index" else place)
        assert (folder / "index.html").exists(), page
    assert not (site / "tools").exists()


# Formulas


def test_formulas_are_typeset(site: Path) -> None:
    formulas = 0
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        formulas += text.count("<math ")
        assert text.count("<math ") == text.count("<math alttext="), page
        shown = re.sub(r'alttext="[^"]*"', "", CODE.sub("", text))
        assert not re.search(r"\\[A-Za-z(\[]|arithmatex", shown), page
    assert formulas > 100


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_no_formula_is_left_as_code(page: Path) -> None:
    """What has a sum or an inequality between symbols is typeset; a box of code would scroll sideways."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    blocks += re.findall(r"(?<=\n\n)(?: {4}\S.*\n)+", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    assert not [block for block in blocks if re.search(r"[Σ∑∏≤≥∈]", block)]


def test_a_formula_carries_its_latex_and_keeps_its_comma() -> None:
    formulas = tool("formulas")
    made = formulas.on_page_content(r'so <span class="arithmatex">\(a&lt;\frac{1}{k}\)</span>, and')
    assert made.startswith('so <span class="formula"><math alttext="a&lt;\\frac{1}{k}" ')
    assert "<mfrac>" in made and made.endswith("</math>,</span> and")
    block = formulas.on_page_content('<div class="arithmatex">\\[\n\\sum_i x_i\n\\]</div>')
    assert 'display="block"' in block and 'tabindex="0"' in block


@pytest.mark.parametrize("latex", [r"\nonsense{x}", r"\begin{aligned}a&=b\end{aligned}"])
def test_what_the_converter_does_not_know_ends_the_build(latex: str) -> None:
    from mkdocs.exceptions import PluginError

    with pytest.raises(PluginError, match="not understood"):
        tool("formulas").formula(latex, block=True)


# The reference


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (site / "reference" / "api").rglob("index.html"))
    known = set(re.findall(r'id="discreet\.(?:verify\.)?(\w+)"', text))
    assert set(dc.__all__) - {"__version__"} <= known


def test_arguments_are_listed_with_their_sentences(site: Path) -> None:
    text = (site / "reference" / "api" / "microdata" / "index.html").read_text(encoding="utf-8")
    entry = re.search(r"<code>round</code></b>.*?</li>", text, re.DOTALL)
    assert entry is not None
    assert "bool" in entry[0] and "publish whole numbers in integer columns" in entry[0]


def test_docstrings_become_those_of_numpy() -> None:
    rewrite = tool("docstrings").in_numpy_form
    words = (
        "Does it.\n\nParameters\n----------\nk : how many.\nsensitive, l : which,\n    and how many.\n\n"
        "Returns\n-------\na : b"
    )
    assert rewrite(words) == (
        "Does it.\n\nParameters\n----------\nk\n    how many.\nsensitive, l\n    which,\n    and how many.\n\n"
        "Returns\n-------\na : b"
    )
    table = 'Measure.\n\n| argument | |\n|---|---|\n| keys | what is known |\n| missing | a "value" |\n\nMore.'
    assert rewrite(table) == (
        'Measure.\n\nParameters\n----------\nkeys\n    what is known\nmissing\n    a "value"\n\nMore.'
    )
    assert rewrite("A sentence : with a colon.") == "A sentence : with a colon."


@pytest.mark.parametrize("page", ["command", "release-api"])
def test_a_synopsis_says_what_the_source_says(page: str) -> None:
    text = (DOCS / "reference" / f"{page}.md").read_text(encoding="utf-8")
    synopsis = tool("synopsis")
    (body,) = synopsis.BLOCK.findall(text)
    made = html.unescape(re.sub(r"<[^>]+>", " ", synopsis.on_page_markdown(f"```synopsis\n{body}```")))
    assert made.split() == body.split()
    assert made.count("\n") == len(re.findall("^discreet ", body, re.MULTILINE)) + 1


def test_options_stay_with_their_values() -> None:
    pieces = tool("synopsis").pieces
    assert pieces("a.csv -k 3 --all [--by c [-d]] -o b.csv -q") == [
        "a.csv", "-k 3", "--all", "[--by c [-d]]", "-o b.csv", "-q"
    ]  # fmt: skip
    assert pieces("--quick --name N -") == ["--quick", "--name N", "-"]


# Search


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("RoundingMST", "reference/methods/"),
        ("RoundingMSTHeuristic", "explanation/papers/"),
        ("Tour2Assignment", "reference/methods/"),
        ("ComplexHeuristic", "explanation/papers/"),
        ("MDAV", "reference/methods/"),
        ("Theorem 2", "explanation/tables/"),
        ("generalized shuttle", "explanation/tables/"),
        ("SUDA2", "explanation/risk/"),
        ("Skinner Holmes", "explanation/risk/"),
        ("Hansen Mukherjee", "reference/methods/"),
        ("SortGreedy", "reference/methods/"),
        ("Mondrian", "reference/methods/"),
        ("PRAM", "reference/methods/"),
        ("rank swapping", "reference/methods/"),
        ("pMSE", "reference/methods/"),
        ("Fischetti Salazar", "explanation/suppression/"),
        ("microaggregate random_state", "reference/api/microdata/"),
    ],
)
def test_search_finds_a_method_by_its_papers_name(site: Path, words: str, page: str) -> None:
    """As the search does: text and query fall into words at the same places, and a section must have all of them."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    ends = re.compile(index["config"]["separator"])

    def tokens(text: str) -> set[str]:
        return {word.strip(".,;'").lower() for word in ends.split(re.sub(r"<[^>]+>", " ", text)) if word}

    wanted = tokens(words)
    assert page in {
        entry["location"].partition("#")[0]
        for entry in index["docs"]
        if wanted <= tokens(f"{entry['title']} {entry['text']}")
    }


@pytest.mark.parametrize(
    ("heading", "registry"),
    [("Microaggregation", MICROAGGREGATION), ("Generalization", GENERALIZATION), ("Tables of counts", TABLES)],
)
def test_methods_by_name_are_those_there_are(heading: str, registry: Any) -> None:
    page = (DOCS / "reference" / "methods.md").read_text(encoding="utf-8")
    part = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    last = [line.rstrip(" |").rpartition("|")[2] for line in part.splitlines() if line.startswith("|")]
    assert sorted(re.findall(r"`([^`]+)`", "".join(last))) == sorted(registry)


# The first page and README


def measured(page: Path) -> list[list[str]]:
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    start = next(place for place, line in enumerate(lines) if "sdcMicro" in line)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start + 2 :]]


def test_the_picture_shows_the_figures_of_the_benchmarks() -> None:
    drawn = tool("promise")
    assert len(drawn.figures()) == 3
    for name, narrow in (("promise.svg", False), ("promise-narrow.svg", True)):
        text = (DOCS / "images" / name).read_text(encoding="utf-8")
        assert text == drawn.drawing(narrow=narrow), f"{name}: run python docs/tools/promise.py"


def test_readme_has_one_picture_and_one_table() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"!\[[^\]]{50,}\]\((.*?)\)", text) == ["docs/images/promise.svg"]
    assert len(re.findall(r"^\|[-|]+\|$", text, re.MULTILINE)) == 1
    assert measured(ROOT / "README.md") == measured(DOCS / "index.md")


def test_what_is_said_to_be_measured_is_in_the_benchmarks() -> None:
    """Every figure of the first page stands on a page of benchmarks, and its case exists."""
    pages = " ".join(page.read_text(encoding="utf-8") for page in (DOCS / "benchmarks").glob("*.md"))
    known = set(re.findall(r"(?<![\w.])\d*\.?\d+(?![\w.]*\d)", pages))
    cases = all_cases()
    rows = measured(DOCS / "index.md")
    assert len(rows) >= 6
    for _, *figures, case in rows:
        assert case.strip("`") in cases
        for figure in re.findall(r"\d*\.?\d+(?= |\*|$|;|,)", " ".join(figures)):
            assert figure in known, figure


# In a browser


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium on this machine")
    with api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  const found = document.documentElement.scrollWidth > width ? ["the page"] : [];
  for (const block of document.querySelectorAll("div.formula"))
    if (block.scrollWidth > block.clientWidth + 1) found.push(block.firstChild.getAttribute("alttext"));
  for (const line of document.querySelectorAll("span.formula"))
    if (!line.closest("table") && line.getBoundingClientRect().right > width) found.push(line.textContent);
  return found;
}"""


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_and_their_formulas_fit_and_ask_nobody_else(site: Path, served: str, browser: Any, width: int) -> None:
    """All pages on a telephone; of the others, where everything has more room, those with formulas."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    strangers: list[str] = []
    page.on("request", lambda asked: None if asked.url.startswith((served, "data:")) else strangers.append(asked.url))
    for built in sorted(site.rglob("index.html")):
        if width == 390 or 'class="formula"' in built.read_text(encoding="utf-8"):
            place = built.parent.relative_to(site).as_posix()
            page.goto(f"{served}{place}/", wait_until="load")
            assert page.evaluate(TOO_WIDE) == [], place
    assert strangers == []
    page.close()


@pytest.mark.parametrize("name", ["RoundingMST", "Tour2Assignment", "MDAV"])
def test_the_search_box_finds_a_papers_name_first(served: str, browser: Any, name: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(served)
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type(name)
    first = page.locator(".md-search-result__item a.md-search-result__link").first
    first.wait_for(timeout=20_000)
    assert "/reference/methods/" in str(first.get_attribute("href"))
    page.close()
