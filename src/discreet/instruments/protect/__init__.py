"""The whole file: every column has a role, a recipe says what is done, one verdict speaks about it all."""
