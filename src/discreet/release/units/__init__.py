"""Tables that must not be judged apart: views of one table, tables about the same people, editions of one table."""
