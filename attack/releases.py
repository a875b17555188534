"""Generalized and microaggregated files against an intruder who compares bytes.

What the command writes must leave everyone k ways (`intruder.safe`), `verify` must confirm it, and `verify` must not
confirm what was tampered with so that the intruder wins, nor a k that does not hold.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from attack import intruder, values
from attack.command import discreet

Rows = list[list[str]]


def run(seconds: float, seed: int) -> str:
    tried: Counter[str] = Counter()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            instance = seed * 1_000_003 + tried["instances"]
            tried["instances"] += 1
            one(instance, Path(folder), tried)
    return ", ".join(f"{count} {what}" for what, count in tried.items())


def one(instance: int, folder: Path, tried: Counter[str]) -> None:
    chance = random.Random(instance)
    for file in folder.iterdir():
        file.unlink()
    typed = chance.random() < 0.3
    before = folder / ("before.parquet" if typed else "before.csv")
    after = folder / f"after{before.suffix}"
    n, names = chance.randint(3, 9), [f"q{i}" for i in range(chance.randint(1, 3))]
    if typed:
        values.write_parquet(chance, n, [*names, "left"], before)
    else:
        values.write_csv(values.text_columns(chance, n, [*names, "left"]), before)
    if chance.random() < 0.75:
        generalized(instance, chance, before, after, names, n, tried)
    else:
        aggregated(instance, chance, before, after, names, n, tried)


def generalized(
    instance: int, chance: random.Random, before: Path, after: Path, names: list[str], n: int, tried: Counter[str]
) -> None:
    k = chance.randint(2, min(n, 4))
    options: list[str] = ["--missing", chance.choice(["value", "value", "wildcard"])]
    categorical = [name for name in names if chance.random() < 0.2]
    if categorical:
        options += ["--categorical", ",".join(categorical)]
    method = chance.choice(["auto", "auto", "auto", "hungarian", "greedy"])
    words = ["generalize", before, "-k", k, "--qi", ",".join(names), "-o", after, "-q", "--method", method, *options]
    made = discreet(*words)
    told = f"instance {instance}: {' '.join(map(str, words))}: exit {made.code}"
    assert made.code in (0, 2), f"{told}: its own check refuses what it made\n{made.said}"
    if made.code == 2:
        assert not after.exists(), f"{told}: left a file behind"
        tried["refused input"] += 1
        return
    table = intruder.read(before)
    wildcard = options[1] == "wildcard"
    holds = intruder.safe(table, intruder.read(after), names, k, categorical=categorical, wildcard=wildcard)
    assert holds, f"{told}: published, and the intruder finds fewer than k"
    tried["generalized"] += 1
    check = ["verify", before, after, "--qi", ",".join(names), "--guarantee", "matchings", *options]
    judged = discreet(*check, "-k", k)
    assert judged.code == 0, f"{told}: verify refuses an honest file\n{judged.said}"
    if k < n:
        more = intruder.safe(table, intruder.read(after), names, k + 1, categorical=categorical, wildcard=wildcard)
        judged = discreet(*check, "-k", k + 1)
        assert (judged.code == 0) <= more, f"{told}: verify confirms k + 1, which does not hold"
    if after.suffix == ".csv" and not wildcard:
        forged = after.with_name("forged.csv")
        for _ in range(3):
            how = tamper(chance, before, after, forged, names)
            judged = discreet(*(forged if word == after else word for word in check), "-k", k)
            holds = how not in UNSAFE and intruder.safe(
                table, intruder.read(forged), names, k, categorical=categorical, wildcard=wildcard
            )
            assert judged.code in (0, 1, 2), f"{told}: {how}: verify ends with {judged.code}"
            assert (judged.code == 0) <= holds, f"{told}: {how}: verify confirms a file that gives people away"
            tried["forged"] += 1


def aggregated(
    instance: int, chance: random.Random, before: Path, after: Path, names: list[str], n: int, tried: Counter[str]
) -> None:
    k = chance.randint(2, min(n, 4))
    words: list[object] = ["microaggregate", before, "-k", k, "-o", after, "-q"]
    words += ["--columns", ",".join(names), "--missing", chance.choice(["error", "suppress"])]
    words += ["--round"] if chance.random() < 0.3 else []
    made = discreet(*words)
    told = f"instance {instance}: {' '.join(map(str, words))}: exit {made.code}"
    assert made.code in (0, 2), f"{told}: its own check refuses what it made\n{made.said}"
    if made.code == 2:
        assert not after.exists(), f"{told}: left a file behind"
        tried["refused input"] += 1
        return
    table = intruder.read(after)
    classes = Counter(tuple(table[name][row].key for name in names) for row in range(n))
    assert min(classes.values()) >= k, f"{told}: published, and bytes tell apart fewer than k"
    tried["microaggregated"] += 1
    judged = discreet("verify", before, after, "--qi", ",".join(names), "--guarantee", "microaggregation", "-k", k)
    assert judged.code == 0, f"{told}: verify refuses an honest file\n{judged.said}"
    judged = discreet("verify", before, after, "--qi", ",".join(names), "--guarantee", "classes", "-k", k + 1)
    assert (judged.code == 0) <= (min(classes.values()) > k), f"{told}: verify confirms k + 1, which does not hold"
    if after.suffix == ".csv":
        forged = after.with_name("forged.csv")
        how = tamper(chance, before, after, forged, names)
        table = intruder.read(forged)
        judged = discreet("verify", before, forged, "--qi", ",".join(names), "--guarantee", "classes", "-k", k)
        classes = Counter(tuple(table[name][row].key for name in names) for row in range(len(table[names[0]])))
        holds = how not in UNSAFE and min(classes.values()) >= k
        assert (judged.code == 0) <= holds, f"{told}: {how}: verify confirms a file that gives people away"
        tried["forged"] += 1


# Tampering that is refused whatever the boxes still allow.
UNSAFE = ("a column added", "a left value changed", "a row doubled", "a row lost")


def tamper(chance: random.Random, before: Path, after: Path, forged: Path, names: list[str]) -> str:
    """Write a forged release; what was done to it."""
    table = {name: [entry.key for entry in column] for name, column in intruder.read(after).items()}
    source = {name: [entry.key for entry in column] for name, column in intruder.read(before).items()}
    n = len(source[names[0]])
    name, row, other = chance.choice(names), chance.randrange(n), chance.randrange(n)
    ways: dict[str, Callable[[], object]] = {
        "an original put back": lambda: table[name].__setitem__(row, source[name][other]),
        "an entry of another row": lambda: table[name].__setitem__(row, table[name][other]),
        "an entry respelled": lambda: table[name].__setitem__(row, respelled(chance, table[name][row])),
        "a column put back": lambda: table.__setitem__(name, source[name]),
        "a column added": lambda: table.__setitem__("more", source[name]),
        "a left value changed": lambda: table["left"].__setitem__(row, "changed"),
        "a row doubled": lambda: [column.append(column[row]) for column in table.values()],
        "a row lost": lambda: [column.pop(row) for column in table.values()],
    }
    how = chance.choice(list(ways))
    ways[how]()
    lines = [",".join(table), *(",".join(fields) for fields in zip(*table.values()))]
    forged.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    return how


def respelled(chance: random.Random, field: str) -> str:
    """Another spelling of what a field says."""
    quoted = field[:1] == '"'
    content = field[1:-1].replace('""', '"') if quoted else field
    options = [content + " ", " " + content, content.upper(), content.replace(", ", ","), content + ".0", "+" + content]
    if content[:1] == "{":
        options.append("{" + ", ".join(reversed(content[1:-1].split(", "))) + "}")
    options += [content] * 2
    content = chance.choice(options)
    if (not quoted and chance.random() < 0.4) or any(c in content for c in ',"\n'):
        return '"' + content.replace('"', '""') + '"'
    return content
