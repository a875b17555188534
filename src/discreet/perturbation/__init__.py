"""Perturbative methods on arrays: which record's value stands where, or which noise is added.

What they protect is measured, not proven (see `docs/how-to/perturb.md`). Random numbers are a secret of the custodian:
`randoms.py`.
"""
