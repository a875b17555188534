"""What the values of a column are: its kind, moments in time, and caps."""
