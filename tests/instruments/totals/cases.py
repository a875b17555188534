"""A table of three regions by three sectors in which one cell is sensitive, for the tests of suppression."""

from __future__ import annotations

TABLE = """region,sector,count,status
Total,Total,200,s
Total,A,70,s
Total,B,80,s
Total,C,50,s
N,Total,60,s
N,A,4,u
N,B,36,s
N,C,20,s
S,Total,90,s
S,A,46,s
S,B,24,s
S,C,20,s
W,Total,50,s
W,A,20,s
W,B,20,s
W,C,10,s
"""
