"""What follows from which margins are released: the paper's theory, and the coordinates that everything else uses.

The independence graph and its atoms, Theorems 1 and 2 and the tables that attain them, the log-linear model, the
equations and free coordinates of the tables with given margins, the moves that leave margins alone or bring one about.
Imports nothing from the other folders.
"""
