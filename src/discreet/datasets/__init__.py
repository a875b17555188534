"""Data to try discreet on: what ships with it, what it can draw, and where the literature's files are found."""

from discreet.datasets.reference import adult, autoworkers, census, eia, rochdale, tarragona
from discreet.datasets.survey import survey

__all__ = ["adult", "autoworkers", "census", "eia", "rochdale", "survey", "tarragona"]
