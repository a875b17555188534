"""`method="auto"`, which is `reassign`: the matchings of `hungarian`, then rounds of `reassignment.py`.

Matches that are given with the problem take their place where they lose less.

For k = 2 the optimum is found from there (`pairs.py`), unless there are too many records or rounds are asked for. Where
l sensitive values are due, `diversity/diverse_matchings.py` takes its place.
"""

from __future__ import annotations

from discreet.generalization.blockwise import by_block, partition_of
from discreet.generalization.boxes import gcp
from discreet.generalization.matching.iterations import match_blocks
from discreet.generalization.methods import Call, Matches, Outcome
from discreet.generalization.pairs import optimal_pairs
from discreet.generalization.reassignment import BLOCK, default_rounds, improve
from discreet.methods import Detail
from discreet.scale import workers

MOST_PAIRS = 20_000
ROUNDS_BEFORE_PAIRS = 20


def run(call: Call) -> Outcome:
    values = call.problem.values
    if call.problem.l > 1 or (values is not None and (values < 0).any()):  # where values are missing even one is due
        from discreet.generalization.diversity.diverse_matchings import run as run_diverse

        return run_diverse(call)
    return reassign(call)


def reassign(call: Call) -> Outcome:
    domain, k = call.problem.domain, call.problem.k
    asked = call.options.get("rounds")
    pairs = k == 2 and domain.n <= MOST_PAIRS and asked is None
    rounds = ROUNDS_BEFORE_PAIRS if pairs else default_rounds(domain.n, k) if asked is None else int(asked)
    with workers(call.executor) as pool:
        partition = partition_of(call, "reassign")
        matches, complete = by_block(call, pool, partition, match_blocks, "hungarian")
        start = gcp(domain.tables, domain.codes, matches)
        given = call.problem.start
        if given is not None and gcp(domain.tables, domain.codes, given) < start:
            matches, start = given.copy(), gcp(domain.tables, domain.codes, given)
        done, price = improve(
            domain,
            matches,
            rounds=rounds,
            seed=call.seed,
            pool=pool,
            deadline=call.deadline,
            report=call.report,
            block=int(call.options.get("block_size") or BLOCK),
        )
        if pairs:
            complete &= optimal_pairs(domain, matches, price, pool, call.deadline, call.report)
    detail: Detail = {"blocks": partition[1].size - 1, "start_gcp": start, "rounds": done}
    limited = not complete or (done < rounds and call.deadline.passed)
    prices = price / domain.tables.scale
    return Outcome(Matches(matches), "reassign", "time limit" if limited else "complete", detail, prices)
