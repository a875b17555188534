"""The life of a dataset: draft, open, closed, retired; and changes of its rule, which only go forward."""
