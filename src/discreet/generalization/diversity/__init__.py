"""Matchings that show everyone l distinct sensitive values, whatever the draw: closed blocks, then reassignment."""
