"""People and access: who somebody is, what they may see, how long, and who must agree."""
