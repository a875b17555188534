"""The server's two faces, HTTP for programs (`api.py`) and pages for people (`pages.py`), and what surrounds them."""
