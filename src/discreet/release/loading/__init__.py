"""How a table comes to be served: what is looked at before, and what is written down."""
