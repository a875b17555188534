"""Named cases that measure discreet; `python -m benchmarks` lists and runs them."""
