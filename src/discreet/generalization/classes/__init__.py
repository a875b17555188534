"""Classes: a partition of the records in which all of a class are published alike."""
