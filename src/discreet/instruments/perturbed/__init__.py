"""Perturbative methods as instruments: a frame in, a frame out whose protection is measured, not proven."""
