"""Decisions wait in a fair line of their own and are made in processes that can be ended at any moment."""
