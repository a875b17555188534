"""The small jobs that `first_use` gives to processes: made-up files of numbers and persons, read, written, checked."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

NUMBERS = "name,x,y\n" + "".join(f"a,{i // 2}.5,{i // 2}\n" for i in range(8))

PERSONS = "age,sex\n20,f\n21,f\n22,m\n23,m\n24,f\n25,f\n"
BOXES = """age,sex
"[22, 25]","{f, m}"
"[20, 24]",f
"[22, 25]","{f, m}"
"[20, 25]",f
"[20, 24]",f
"[21, 23]","{f, m}"
"""
SECRET = """published_row,origin,drawn,match_1,match_2,match_3
0,5,1,5,2,3
1,1,1,1,4,0
2,2,1,2,3,5
3,0,1,0,5,4
4,4,1,4,0,1
5,3,1,3,1,2
"""

COUNTS = "a,b,count\n" + "".join(f"{i},{j},{i + j}\n" for i in range(2) for j in range(2))


def compile_numbers_checked() -> None:
    """Read a file of numbers, write it, check it."""
    from discreet.verify import verify

    with TemporaryDirectory() as folder:
        original, published = _read_and_written(folder, NUMBERS, ["x", "y"])
        verify(original, published, k=2)


def compile_boxes_checked() -> None:
    """Read a file of persons, write one, check boxes about them, with the secret and without."""
    from discreet.verify import verify

    with TemporaryDirectory() as folder:
        original, published = _read_and_written(folder, PERSONS, ["age", "sex"])
        published.write_text(BOXES)
        for secret in (SECRET, None):
            verify(original, published, k=3, quasi_identifiers=["age", "sex"], secret=secret)


def compile_counts_read() -> None:
    """Read a file of counts, write it, read it as the check does."""
    from discreet.verify.readers import open_table

    with TemporaryDirectory() as folder:
        original, _ = _read_and_written(folder, COUNTS, [])
        open_table(original, "the table").column("count")


def _read_and_written(folder: str, text: str, anew: list[str]) -> tuple[Path, Path]:
    from discreet.frames import read, write

    original, published = Path(folder) / "original.csv", Path(folder) / "published.csv"
    original.write_text(text)
    document = read(original)
    write(document.frame, published, like=document, anew=anew)
    return original, published
