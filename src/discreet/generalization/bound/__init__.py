"""What no release can get below: the bound with prices, the cheapest box around a record, bounds from near records."""
