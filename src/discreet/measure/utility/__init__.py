"""What a published file is still good for: pure functions of arrays, one measure a file.

A column is `Numbers` or `Categories` (`columns.py`), before and after protection, whatever was published in it: plain
values, means, ranges, sets, anything, blanks.
"""
