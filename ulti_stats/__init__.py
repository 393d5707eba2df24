"""Hand-history database and statistics for Ulti, Hungary's three-player card game."""

__version__ = "0.1.0"
