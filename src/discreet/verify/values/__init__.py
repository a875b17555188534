"""What entries mean to the check: exact numbers, moments, texts, labels of hierarchies, and how values are written."""
