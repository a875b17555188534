"""Files of additive tables: `.jj` and `.csp` problems, long CSV, τ-ARGUS, hierarchies. Arrays in, arrays out."""
