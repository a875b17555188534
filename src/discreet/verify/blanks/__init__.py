"""Local suppression checked: keys that were left blank, from the files alone, and the prices that bound their number.

`cells` reads keys and blanks, `sharing` counts who shares a combination, `prices` and `cheapest` prove bounds,
`certificate` reads and judges them, `neighbors` asks what the order of rows tells, `judge` puts the verdict together.
"""
