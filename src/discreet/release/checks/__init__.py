"""What `audit.py` compares beyond the hashes: the server's chain, each dataset's entries, what decisions carry."""
