"""What the columns that go out unchanged tell: one test a file, put together by `examine.py`."""
