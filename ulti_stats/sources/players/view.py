"""What a player knows when he decides: one array of integers, filled by the table and read by every policy.

A policy sees its own cards, the calls so far, what lies open and what has been played; never another hand.
Card sets before play are card masks; from trump naming on, fields that end in `_S` are *strength* masks under the trump
in force (`RuleTable.cards`).
"""

from __future__ import annotations

SEAT = 0
FOREHAND = 1
OWN = 2  # own cards, card mask; twelve while the talon is in hand
HAS_TALON = 3  # 1 while the talon is in hand
STANDING = 4  # bid number, -1
HOLDER = 5  # seat, -1
N_CALLS = 6
DECLARER = 7  # seat
BID = 8  # the contract
TRUMP = 9  # suit, 4 without trumps
ROLE = 10  # own role: 0 declarer, 1 first defender after him, 2 second
LAID = 11  # cards that this seat knows in the talon, card mask
PLY = 12  # cards on the table so far, 0 to 29
LED = 13  # strength number of the card led, -1 on lead
BEST = 14  # strength number of the best card of the trick
BEST_ROLE = 15  # role of the seat that played it
OWN_S = 16  # own cards, strength mask
SEEN_S = 17  # cards played before, strength mask (the current trick included)
LAID_S = 18  # cards that this seat knows in the talon, strength mask
TABLE_POINTS = 19  # card points in the current trick
TRICKS = 20  # +0 declarer, +1, +2: tricks won
POINTS = 23  # +0 declarer, +1 defenders: card points in tricks
VOIDS = 25  # +0, +1, +2 by role: bit set of suits that the seat has shown to be out of
MARRIAGES = 28  # +0, +1, +2 by role: bit set of suits declared
PART = 31  # the component in question, for kontra
LEVEL = 32  # its level
AGAINST = 33  # the defender answered (1 or 2), 0 where kontra is joint
KEPT = 34  # 1 while the standing bid is kept from the five-card round with its factor
CONFIRMING = 35  # 1 for the winner of the five-card round, who confirms his bid or raises it in the same trump class
MAY_HOLD = 36  # 1 where this seat may match the standing bid
FIVE = 37  # 1 in the five-card round: `OWN` holds five cards
OPEN_FROM = 38  # cards on the table from which the cards of an open game are shown, 30 in other games
SHOWN_S = 39  # +0 declarer, +1, +2 by role: cards that lie open, strength mask
ROOM = 42  # where a player may scribble while he decides
N_VIEW = ROOM + 40
