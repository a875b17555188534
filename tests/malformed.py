"""Files broken on purpose, from a seed: what a command is fed to see that it neither stumbles nor tells.

Every file holds `CANARY` and `NUMBER` as values of its data (never in its first line), so that whoever prints a value
is found out.
"""

from __future__ import annotations

import gzip
import io
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

CANARY = "Quagmire7781"
NUMBER = "48151623"
NAMES = ("age", "sex", "income", "count")

Random = random.Random
Made = tuple[str, bytes]


def plain(rng: Random) -> bytes:
    """A sound CSV of a dozen people, the canaries among them."""
    rows = [[str(rng.randint(18, 60)), rng.choice("fm"), str(rng.randint(0, 9999)), "1"] for _ in range(12)]
    rows[rng.randint(3, 11)][1] = CANARY
    rows[rng.randint(3, 11)][2] = NUMBER
    return "\n".join([",".join(NAMES), *(",".join(row) for row in rows), ""]).encode()


def table() -> Any:
    """The same as an Arrow table."""
    return pa.table(
        {
            "age": list(range(20, 32)),
            "sex": ["f", "m", "f", CANARY] * 3,
            "income": [1.5, 2.0, float(NUMBER), 4.0] * 3,
            "count": [1] * 12,
        }
    )


def _flip(data: bytes, rng: Random, times: int) -> bytes:
    out = bytearray(data)
    for _ in range(times):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _insert(data: bytes, piece: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + piece + data[at:]


def _field(data: bytes, value: str, rng: Random) -> bytes:
    """One value of the data replaced."""
    lines = data.decode().split("\n")
    at = rng.randrange(1, len(lines) - 1)
    cells = lines[at].split(",")
    cells[rng.randrange(len(cells))] = value
    lines[at] = ",".join(cells)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _header(data: bytes, names: str) -> bytes:
    return names.encode() + data[data.index(b"\n") :]


PIECES = (b"\0", b"\x1b[31m", b'"', b"\r", b"\n", b",", b"\xff\xfe", b"\xed\xa0\x80", b"\xe2\x80\xae", b";", b"\t")
VALUES = (
    "",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "-0",
    "5e-324",
    "1e-310",
    "1e308",
    "-1",
    "99999999999999999999999",
    "0x10",
    "1_1",
    "１２",
    "n/a",
    "1,5",
    '"',
    '""',
    '"a',
    "\x1b[2J",
    "\u202e",
    "2024-02-30",
    "=1+1",
    "x" * 300_000,
    "9223372036854775808",
    "-9223372036854775809",
    "1.7976931348623157e308",
    "\ufeff",
    "٣",
    " 7",
    "7 ",
    "True",
)
HEADERS = (
    "age,age,income,count",
    "age,sex,income",
    ",,,",
    "age,sex,income,count,",
    "a\x1b[31m,sex,income,count",
    "count,count,count,count",
    '"age\nx",sex,income,count',
    "\u202eage,sex,income,count",
    '"age,sex,income,count',
    "age;sex;income;count",
    " age , sex,income,count",
    "x" * 100_000 + ",sex,income,count",
    "$\\frac{$,sex,income,count",
    "<b>,sex,income,count",
    "lower,upper,sharp,count",
    "\\,/,..,count",
)


def csv(rng: Random) -> Made:
    """Delimited text with one thing wrong with it, or several."""
    data = plain(rng)
    kind = rng.randrange(14)
    if kind == 0:
        data = data[: rng.randrange(len(data))]
    elif kind == 1:
        data = _flip(data, rng, rng.randint(1, 8))
    elif kind == 2:
        for _ in range(rng.randint(1, 4)):
            data = _insert(data, rng.choice(PIECES), rng)
    elif kind in (3, 4):
        for _ in range(rng.randint(1, 3)):
            data = _field(data, rng.choice(VALUES), rng)
    elif kind == 5:
        data = _header(data, rng.choice(HEADERS))
    elif kind == 6:
        data = data.decode().encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "cp037", "utf-7", "utf-8-sig")))
    elif kind == 7:
        data = b"".join(line + rng.choice((b"\n", b"\r\n", b"\r", b"\n\n")) for line in data.split(b"\n"))
    elif kind == 8:
        data = rng.choice(
            (b"", b"\n", b"\0" * 50, data[: data.index(b"\n") + 1], b"\xef\xbb\xbf", b"age", b'"', b"sep=,\n")
        )
    elif kind == 9:
        data = bytes(rng.randrange(256) for _ in range(rng.randint(1, 400)))
    elif kind == 10:
        data = data.replace(b",", rng.choice((b";", b"\t", b"|", b"  ", b",,")))
    elif kind == 11:
        data = data + rng.choice((b"1", b"1,2,3,4,5\n", b'"', b"\x1a", b",,,\n" * 5))
    elif kind == 12:
        data = ",".join(f"c{i}" for i in range(200)).encode() + b"\n" + b",".join([b"1"] * 200) + b"\n"
    else:
        data = data.replace(b"\n", b",\n", 1) if rng.random() < 0.5 else data * 3
    return rng.choice(("csv", "csv", "csv", "txt", "tsv")), data


def compressed(rng: Random) -> Made:
    data = gzip.compress(csv(rng)[1], mtime=0)
    kind = rng.randrange(4)
    if kind == 0:
        data = data[: rng.randrange(len(data))]
    elif kind == 1:
        data = _flip(data, rng, 2)
    elif kind == 2:
        data = data + b"junk"
    return "csv.gz", data


def _exotic(rng: Random) -> Any:
    """A column of a type that few have thought of."""
    n = 12
    whole = list(range(n))
    makers: list[Callable[[], Any]] = [
        lambda: pa.array([[i] for i in whole]),
        lambda: pa.array([{"a": i, "b": CANARY} for i in whole]),
        lambda: pa.array([[("k", i)] for i in whole], pa.map_(pa.string(), pa.int64())),
        lambda: pa.array(whole, pa.int64()).cast(pa.float32()).cast(pa.float16()),
        lambda: pa.array([CANARY] * n, pa.string()).cast(pa.string_view()),
        lambda: pa.array([CANARY.encode()] * n, pa.binary()),
        lambda: pa.array([b"12345678"] * n, pa.binary(8)),
        lambda: pa.array(whole, pa.timestamp("ns", tz="UTC")),
        lambda: pa.array([2**62 + i for i in whole], pa.duration("ns")),
        lambda: pa.array(whole, pa.date32()),
        lambda: pa.array(whole, pa.time64("us")),
        lambda: pa.array([None] * n, pa.null()),
        lambda: pa.array([10**30 + i for i in whole], pa.decimal128(38, 0)),
        lambda: pa.array([10**60 + i for i in whole], pa.decimal256(76, 0)),
        lambda: pa.array([CANARY, "b"] * 6).dictionary_encode(),
        lambda: pa.array([2**64 - 1 - i for i in whole], pa.uint64()),
        lambda: pa.array([True, None] * 6),
        lambda: pa.array([float("nan"), None, float("inf"), -0.0, 5e-324, 1e308] * 2),
        lambda: pa.array([CANARY] * n, pa.large_string()),
        lambda: pa.array(["", None, "\0", "\x1b[31m", "a\nb", "\u202e"] * 2),
        lambda: pa.array([[1.0, 2.0]] * n, pa.list_(pa.float64(), 2)),
    ]
    return rng.choice(makers)()


def parquet(rng: Random) -> Made:
    """Parquet with a strange column, a strange name, or damaged."""
    made = table()
    kind = rng.randrange(6)
    if kind <= 2:
        at = rng.randrange(4)
        made = made.set_column(at, NAMES[at], _exotic(rng))
    elif kind == 3:
        names = list(NAMES)
        names[rng.randrange(4)] = rng.choice(("", "sex", "a\x1bb", "a\nb", "a\0b", "\u202ex", "x" * 70_000, " "))
        made = made.rename_columns(names)
    sink = io.BytesIO()
    pq.write_table(made, sink)
    data = sink.getvalue()
    if kind == 4:
        data = data[: rng.randrange(len(data))] if rng.random() < 0.5 else b"PAR1" + data[:20] + b"PAR1"
    elif kind == 5:
        data = _flip(data, rng, rng.randint(1, 6))
    return "parquet", data


def labelled(rng: Random) -> Made:
    """SPSS, Stata and SAS files, damaged or not of this kind at all."""
    kind = rng.choice(("sav", "zsav", "dta", "xpt", "por", "sas7bdat"))
    sound = _sound(kind)
    if not sound or rng.random() < 0.25:
        return kind, rng.choice(
            (b"", b"$FL2", b"junk" * 40, b"\0" * 300, plain(rng), bytes(rng.randrange(256) for _ in range(900)))
        )
    if rng.random() < 0.5:
        return kind, sound[: rng.randrange(len(sound))]
    return kind, _flip(sound, rng, rng.randint(1, 5))


_SOUND: dict[str, bytes] = {}


def _sound(kind: str) -> bytes:
    """The people in this format; empty where it cannot be written."""
    if kind not in _SOUND:
        _SOUND[kind] = b""
        if kind in ("sav", "zsav", "dta", "xpt"):
            from discreet.frames import write

            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"x.{kind}"
                write(table(), path)
                _SOUND[kind] = path.read_bytes()
    return _SOUND[kind]


def malformed(seed: int) -> Made:
    """The extension and the bytes of file number `seed`."""
    rng = Random(seed)
    family = rng.choice((csv, csv, csv, csv, csv, parquet, parquet, compressed, labelled))
    return family(rng)


def tells(said: str, content: bytes) -> str | None:
    """What is wrong with words that were said about a file: a value of the data, a control character, a traceback."""
    names = content.split(b"\n", 1)[0]  # where lines were broken, values may have become names
    for canary in (CANARY, NUMBER):
        if canary in said and canary.encode() not in names:
            return "a value of the data"
    if "Traceback" in said:
        return "a traceback"
    if not said.replace("\n", "").isprintable():
        return "a control character"
    return None
