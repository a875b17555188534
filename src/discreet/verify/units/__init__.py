"""The whole file: roles of columns, published means, and households or persons with several rows as units.

A unit is a household, or a person with several rows. An original unit fits a published one of its size if its members
fit the rows of that one to one; what holds for persons and rows elsewhere must hold for units here.
"""
