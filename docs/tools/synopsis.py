"""What commands take, in blocks ```synopsis, as lines that end where the page does: options are not torn apart.

A line that begins with `discreet` begins a command. A line below that begins with an option in brackets goes on with
what stands above it; any other is another way to call the command. Three blanks set off a remark.
"""

from __future__ import annotations

import html
import re

BLOCK = re.compile(r"^```synopsis\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"(discreet \S+(?: [a-z-]+(?= {2}))?) +(.*)")


def pieces(text: str) -> list[str]:
    """Words, an option with its value, and brackets with all that is in them, inner brackets too."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        option = found[-1].startswith("-") and " " not in found[-1]
        if letter == " " and depth == 0 and not option:
            found.append("")
        elif letter in "-[" and depth == (letter == "[") and found[-1].endswith(" "):  # an option without a value
            found[-1:] = [found[-1].rstrip(), letter]
        else:
            found[-1] += letter
    return [piece.rstrip() for piece in found if piece]


def shown(text: str) -> str:
    """One way to call a command: what must not be torn apart in a span each, a remark at the end."""
    call, _, remark = text.partition("   ")
    words = " ".join(f"<span>{html.escape(piece)}</span>" for piece in pieces(call))
    return words + (f" <i>{html.escape(remark.strip())}</i>" if remark.strip() else "")


def synopsis(body: str) -> str:
    """The block as HTML: a paragraph for each command."""
    commands: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        begins = COMMAND.fullmatch(line)
        if begins:
            commands.append((begins[1], [begins[2]]))
        elif line.lstrip().startswith("["):
            commands[-1][1][-1] += " " + line.strip()
        else:
            commands[-1][1].append(line.strip())
    lines = [f"<p><b>{name}</b> {'<br>'.join(map(shown, ways))}</p>" for name, ways in commands]
    return '<div class="synopsis">\n' + "\n".join(lines) + "\n</div>"


def on_page_markdown(markdown: str, **_: object) -> str:
    """Called by MkDocs with a page's Markdown."""
    return BLOCK.sub(lambda found: synopsis(found[1]), markdown)
