"""Global recoding: one level of detail for a whole column, the same for every record."""
