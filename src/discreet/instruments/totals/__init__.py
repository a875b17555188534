"""What the user calls for tables with totals: tabulate, audit, suppress, round, cell keys; files in, results out."""
