"""One picture a file, from plain arrays and names. Each says in words what it shows, and whether it is confidential."""
