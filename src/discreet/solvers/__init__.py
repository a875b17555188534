"""The only callers of third-party solvers."""
