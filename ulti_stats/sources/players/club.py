"""The `club` player."""

from ulti_stats.sources.players.random_player import bids, concedes, kontras, lays, names_trump, plays, takes

__all__ = ["bids", "concedes", "kontras", "lays", "names_trump", "plays", "takes"]
