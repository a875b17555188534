"""Which pictures each result has, and which of them a report shows."""
