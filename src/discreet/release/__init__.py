"""A web query system that remembers what it has told (Dobra and Fienberg, sections 1 and 6).

A custodian loads a table of counts; analysts request margins of it. Each request is answered release, refuse or
simulate in the light of everything that was released before, because what is public accumulates. `decision.py` is the
heart: a pure function of state, policy and request, which asks the room of tables through `engine.py`. Around it stand
`history/` (what was told, to whom, hash-chained, in the database), `service.py` (one request after another: decide,
write down, answer) and `web/` (the two faces, HTTP and pages). `audit.py` proves a history afterwards, `plan.py` looks
for the best margins to release at once.
"""
