"""What was told and to whom, as the database keeps it: the hash chain of the ledger, states, datasets, migrations."""
