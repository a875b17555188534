"""Programs that try to break what discreet promises: `make attack`, for as long as one likes.

Each module has `run(seconds, seed)`: it makes instances, lets discreet work or judge, and compares with an oracle that
shares no code with it. A hole raises `AssertionError` with what it takes to see it again; else `run` says in a line
what was tried.
"""
