"""Households as units: sets of whole households of one size, member for member, and never of persons alone."""
