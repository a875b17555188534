"""Results side by side: one intruder and one scale of loss for all, what is dominated, and what to choose."""
