"""`python -m attack [--seconds S] [--seed N] [module ...]`: run the fuzzers; exit 1 if one finds a hole."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path


def modules() -> list[str]:
    """The modules of this folder that attack something."""
    found = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    return [name for name in found if name != "__main__" and hasattr(importlib.import_module(f"attack.{name}"), "run")]


def attempt(name: str, seconds: float, seed: int) -> tuple[bool, str]:
    try:
        return True, importlib.import_module(f"attack.{name}").run(seconds, seed)
    except AssertionError as hole:
        return False, f"a hole (seed {seed}): {hole}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="attack", description="Try to break what discreet promises.")
    parser.add_argument("modules", nargs="*", help="which fuzzers; all of them unless given")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each one may take")
    parser.add_argument("--seed", type=int, default=None, help="where instances begin; the clock unless given")
    parser.add_argument("--processes", type=int, default=2, help="how many run at once")
    given = parser.parse_args()
    known = modules()
    unknown = [name for name in given.modules if name not in known]
    if unknown:
        parser.error(f"no such fuzzer: {', '.join(unknown)}; there are {', '.join(known)}")
    seed = int(time.time()) if given.seed is None else given.seed
    sound = True
    with ProcessPoolExecutor(given.processes) as pool:
        started = {pool.submit(attempt, name, given.seconds, seed): name for name in given.modules or known}
        for done in as_completed(started):
            held, words = done.result()
            sound = sound and held
            print(f"{'held ' if held else 'BROKEN'} {started[done]}: {words}", flush=True)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
