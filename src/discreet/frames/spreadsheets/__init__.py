"""Excel files (.xlsx): one sheet of records, its first row the names of the columns."""
