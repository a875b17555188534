"""Records that count unevenly: sampling weights, and values that are missing in some columns."""
