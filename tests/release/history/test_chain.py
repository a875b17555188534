"""Chains of entries: intact ones pass, and no edit, deletion, insertion or reordering does."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from discreet.release.history.chain import START, Entry, canonical, chain_faults, clock_steps, digest, next_entry


def make(contents: list[str]) -> list[Entry]:
    entries: list[Entry] = []
    for content in contents:
        head = entries[-1].hash if entries else START
        entries.append(next_entry("c", len(entries), head, {"what": content}))
    return entries


def faults(entries: list[Entry], written: list[Entry]) -> list[str]:
    return chain_faults("c", entries, len(written), written[-1].hash if written else START)


@given(st.lists(st.text(), max_size=6))
def test_an_untouched_chain_is_intact(contents: list[str]) -> None:
    entries = make(contents)
    assert faults(entries, entries) == []


@given(st.data(), st.integers(1, 6))
def test_any_change_shows(data: st.DataObject, size: int) -> None:
    written = make([str(i) for i in range(size)])
    entries = list(written)
    place = data.draw(st.integers(0, size - 1))
    kind = data.draw(st.sampled_from(["edit", "rehash", "delete", "swap", "repeat", "renumber", "chain"]))
    if kind == "edit":
        entries[place] = replace(entries[place], body=entries[place].body.replace('"what"', '"wha_"'))
    elif kind == "rehash":  # an edit with a hash that fits it: the next entry, or the length and head, give it away
        body = entries[place].body.replace('"what"', '"wha_"')
        entries[place] = replace(entries[place], body=body, hash=digest(entries[place].previous, body))
    elif kind == "delete":
        del entries[place]
    elif kind == "swap":
        other = data.draw(st.integers(0, size - 1))
        if other == place:
            return
        entries[place], entries[other] = entries[other], entries[place]
    elif kind == "repeat":
        entries.insert(place, entries[place])
    elif kind == "renumber":
        entries[place] = replace(entries[place], sequence=entries[place].sequence + 1)
    else:
        entries[place] = replace(entries[place], chain="d")
    assert faults(entries, written) != []


def test_the_hash_hides_what_it_commits_to() -> None:
    one, other = (next_entry("c", 0, START, {"ground": "danger"}) for _ in range(2))
    assert one.hash != other.hash


def test_a_clock_that_was_set_back_is_noted_and_no_fault() -> None:
    entries: list[Entry] = []
    for number, at in enumerate(("10:00:00", "10:00:05", "09:00:00", "09:00:00", "11:00:00")):
        head = entries[-1].hash if entries else START
        body = canonical({"chain": "c", "sequence": number + 1, "at": f"2026-01-01T{at}+00:00"})
        entries.append(Entry("c", number + 1, head, body, digest(head, body)))
    assert faults(entries, entries) == []
    assert clock_steps("c", entries) == ["c, entry 3: bears a time 3605 s before that of the entry before it"]
