"""What may be told of a margin that cannot be released whole: some of its counts, or all of them rounded."""
