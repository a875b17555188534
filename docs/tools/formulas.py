r"""Formulas of the pages as MathML, made while the site is built: no script, no font, nobody else's server is needed.

`\(…\)` stands in a line, `\[…\]` by itself. pymdownx.arithmatex keeps both apart from Markdown and marks them; here the
marked LaTeX becomes MathML, which carries its LaTeX as alternative text. What the converter does not know it hands
through as text: that is an error here, so that no page shows a backslash.
"""

from __future__ import annotations

import html
import re

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError

MARKED = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>([.,;:)]*)', re.DOTALL)
UNKNOWN = re.compile(r"<m(?:i|o|text)[^>]*>(\\[^<]*|&)</m")


def formula(latex: str, *, block: bool) -> str:
    """MathML of a formula; a PluginError names what the converter does not know."""
    latex = " ".join(latex.split())
    made = convert(latex, display="block" if block else "inline")
    unknown = UNKNOWN.search(made)
    if unknown:
        raise PluginError(f"not understood in a formula: {unknown[1]} in {latex}")
    return made.replace("<math ", f'<math alttext="{html.escape(latex)}" ', 1)


def on_page_content(content: str, **_: object) -> str:
    """Called by MkDocs with a page's HTML."""

    def made(found: re.Match[str]) -> str:
        tag, bracket, latex, stop = found.groups()
        block = bracket == "["
        # Whoever has no mouse can scroll it, should it be too wide; found by search, it would be a heap of letters.
        more = ' tabindex="0" data-search-exclude' if block else ""
        # A comma or full stop stays on the line of its formula.
        return f'<{tag} class="formula"{more}>{formula(html.unescape(latex), block=block)}{stop}</{tag}>'

    return MARKED.sub(made, content)
