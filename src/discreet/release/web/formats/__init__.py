"""A margin in the formats that offices exchange: JSON-stat, PX, SDMX-CSV. Each says where it is synthetic."""
