"""A web query system that remembers what it has told (Dobra and Fienberg, sections 1 and 6).

A custodian loads a table of counts; analysts request margins of it. Each request is answered release, refuse or
simulate in the light of everything that was released before, because what is public accumulates. `decision.py` is the
heart: a pure function of state, policy and request. Around it stand the ledger (what was told, to whom, hash-chained),
the store (one history in the database) and the two faces, HTTP and pages.
"""
