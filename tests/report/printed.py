"""Pages of a PDF that Chromium printed, as letters: enough of the format to see what stands on which page."""

from __future__ import annotations

import re
import subprocess
import unicodedata
import zlib
from pathlib import Path

OBJECT = re.compile(rb"(?<!\d)(\d+) 0 obj\b(.*?)\bendobj", re.DOTALL)
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
SHOWN = re.compile(rb"/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)>")


def print_page(chromium: str, flags: tuple[str, ...], page: Path, folder: Path) -> bytes:
    """The page as PDF, by the sheet that its style asks for."""
    target = folder / "printed.pdf"
    words = [chromium, *flags, f"--user-data-dir={folder / 'printing'}", "--no-pdf-header-footer"]
    subprocess.run([*words, f"--print-to-pdf={target}", page.as_uri()], check=True, capture_output=True, timeout=120)
    return target.read_bytes()


def pages(pdf: bytes) -> list[str]:
    """The letters of each page without spaces, which a page has none of, in the order of the pages."""
    objects = {int(number): body for number, body in OBJECT.findall(pdf)}
    order = [int(kid) for kid in re.findall(rb"(\d+) 0 R", _entry(_root(objects), b"Kids"))]
    return [_text(objects, leaf) for kid in order for leaf in _leaves(objects, kid)]


def _root(objects: dict[int, bytes]) -> bytes:
    return next(body for body in objects.values() if re.search(rb"/Type\s*/Pages", body) and b"/Parent" not in body)


def _leaves(objects: dict[int, bytes], number: int) -> list[int]:
    body = objects[number]
    if not re.search(rb"/Type\s*/Pages", body):
        return [number]
    return [leaf for kid in re.findall(rb"(\d+) 0 R", _entry(body, b"Kids")) for leaf in _leaves(objects, int(kid))]


def _entry(body: bytes, name: bytes) -> bytes:
    found = re.search(rb"/" + name + rb"\s*(\[.*?\]|<<.*?>>|\d+ 0 R)", body, re.DOTALL)
    return found[1] if found else b""


def _data(objects: dict[int, bytes], reference: bytes) -> bytes:
    found = STREAM.search(objects[int(reference.split()[0])])
    assert found is not None
    return zlib.decompress(found[1])


def _text(objects: dict[int, bytes], number: int) -> str:
    body = objects[number]
    resources = _entry(body, b"Font")
    letters = {
        name: _letters(objects, int(reference)) for name, reference in re.findall(rb"/(\w+) (\d+) 0 R", resources)
    }
    out, font = [], b""
    for name, shown in SHOWN.findall(_data(objects, _entry(body, b"Contents"))):
        font = name or font
        out += [letters[font].get(int(shown[at : at + 4], 16), "") for at in range(0, len(shown), 4)]
    return "".join(unicodedata.normalize("NFKC", "".join(out)).split())


def _letters(objects: dict[int, bytes], font: int) -> dict[int, str]:
    """Which letter each code of a font stands for."""
    table = _data(objects, _entry(objects[font], b"ToUnicode")).decode("latin-1")
    found = {}
    for block in re.findall(r"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, letter in re.findall(r"<(\w+)>\s*<(\w+)>", block):
            found[int(code, 16)] = bytes.fromhex(letter).decode("utf-16-be")
    for block in re.findall(r"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for first, last, letter in re.findall(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
            for code in range(int(first, 16), int(last, 16) + 1):
                found[code] = chr(int(letter, 16) + code - int(first, 16))
    return found
