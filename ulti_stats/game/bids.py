"""Components and bids: the grammar of what can be bid, and the printed ladders as data.

A bid is named parts, a trump class and, for betli and durchmars, perhaps open cards. What a bid pays and which bids a
table knows is decided by the ruleset (`rulesets.Ruleset.ladder`); here stands only what every table shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import product


class Component(IntEnum):
    """A part that is won, paid and kontra'd by itself; those from `SILENT_HUNDRED` on are never bid."""

    SIMPLE = 0
    FORTY_HUNDRED = 1
    TWENTY_HUNDRED = 2
    ULTI = 3
    FOUR_ACES = 4
    DURCHMARS = 5
    BETLI = 6
    SILENT_HUNDRED = 7
    SILENT_ULTI = 8
    SILENT_FOUR_ACES = 9
    SILENT_DURCHMARS = 10
    SILENT_FORTY_HUNDRED = 11
    SILENT_TWENTY_HUNDRED = 12
    SILENT_ULTI_DEFENDER = 13

    @property
    def text(self) -> str:
        """Return the id used in records, as in `forty_hundred` or `silent_ulti`."""
        return self.name.lower()


N_PARTS = 7  # components that can be bid (or implied)
N_COMPONENTS = 14  # and the silent ones behind them
COMPONENT_TEXTS = tuple(component.text for component in Component)
PART_TEXTS = COMPONENT_TEXTS[:N_PARTS]
SILENT_TEXTS = COMPONENT_TEXTS[N_PARTS:]


class TrumpClass(StrEnum):
    """Whether a bid is played in a plain suit, in hearts, or without trumps."""

    PLAIN = "plain"
    HEARTS = "hearts"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class BidForm:
    """A bid as it is spoken: named parts, trump class, whether it is a hearts form, whether cards are shown.

    `is_hearts` is true for `betli@hearts` as well, which has no trump suit but pays double.
    """

    name: str
    parts: tuple[Component, ...]
    trump_class: TrumpClass
    is_hearts: bool = False
    is_open: bool = False


def _trump_form(hundred: Component | None, ulti: bool, extra: str, hearts: bool) -> BidForm:
    parts = [] if hundred is None else [hundred]
    parts += [Component.ULTI] if ulti else []
    words = [part.text for part in parts] + ([extra] if extra else [])
    if extra:
        parts.append(Component.FOUR_ACES if extra == "four_aces" else Component.DURCHMARS)
    if not parts:
        parts, words = [Component.SIMPLE], ["simple"]
    name = "+".join(words) + ("@hearts" if hearts else "")
    return BidForm(name, tuple(parts), TrumpClass.HEARTS if hearts else TrumpClass.PLAIN, hearts, extra == "open_durchmars")


def _all_forms() -> tuple[BidForm, ...]:
    c, none, plain, hearts = Component, TrumpClass.NONE, TrumpClass.PLAIN, TrumpClass.HEARTS
    hundreds = (None, c.FORTY_HUNDRED, c.TWENTY_HUNDRED)
    extras = ("", "four_aces", "durchmars", "open_durchmars")
    forms = [_trump_form(*choice) for choice in product(hundreds, (False, True), extras, (False, True))]
    forms += [
        BidForm("betli", (c.BETLI,), none),
        BidForm("betli@hearts", (c.BETLI,), none, is_hearts=True),
        BidForm("open_betli", (c.BETLI,), none, is_open=True),
        BidForm("durchmars_nt", (c.DURCHMARS,), none),
        BidForm("durchmars_nt@hearts", (c.DURCHMARS,), none, is_hearts=True),
        BidForm("open_durchmars_nt", (c.DURCHMARS,), none, is_open=True),
        BidForm("open_ulti", (c.ULTI,), plain, is_open=True),
        BidForm("open_ulti@hearts", (c.ULTI,), hearts, is_hearts=True, is_open=True),
        BidForm("simple+ulti", (c.SIMPLE, c.ULTI), plain),
        BidForm("simple+ulti@hearts", (c.SIMPLE, c.ULTI), hearts, is_hearts=True),
    ]
    return tuple(forms)


# Every bid that any table knows. Its place here is the bid's number in kernels: new forms go to the end.
BID_FORMS: tuple[BidForm, ...] = _all_forms()
BID_NAMES: tuple[str, ...] = tuple(form.name for form in BID_FORMS)
BID_IDS: dict[str, int] = {name: number for number, name in enumerate(BID_NAMES)}
N_BIDS = len(BID_FORMS)


def varied(names: tuple[str, ...], *, hearts: bool, four_aces: bool, durchmars: bool, open_durchmars: bool) -> tuple[str, ...]:
    """Return bids and, behind them, those that options add: each is one of these bids with a part or a form more.

    The flags say what is added: hearts forms, Four Aces, durchmars with trumps, open durchmars with trumps.

    >>> varied(("simple", "ulti"), hearts=False, four_aces=True, durchmars=False, open_durchmars=False)
    ('simple', 'ulti', 'four_aces', 'ulti+four_aces')
    """
    known = [_features(BID_FORMS[BID_IDS[name]]) for name in names]
    added = []
    for form in BID_FORMS:
        parts, is_hearts, is_open, has_trumps = _features(form)
        in_trumps = has_trumps and Component.DURCHMARS in parts
        is_open = is_open and not (in_trumps and (durchmars or open_durchmars))
        parts -= {Component.FOUR_ACES} if four_aces else set()
        parts -= {Component.DURCHMARS} if durchmars and in_trumps else set()
        plainer = (parts or {Component.SIMPLE}, is_hearts and not hearts, is_open, has_trumps)
        if form.name not in names and plainer in known:
            added.append(form.name)
    return (*names, *added)


def _features(form: BidForm) -> tuple[set[Component], bool, bool, bool]:
    return set(form.parts), form.is_hearts, form.is_open, form.trump_class is not TrumpClass.NONE


# fmt: off
# The 54 bids of A (RULES.md, section 2.1): rank, value, name. A new bid needs a higher rank.
RABLO_TABLE: tuple[tuple[int, int, str], ...] = (
    (1,   1, "simple"),
    (2,   2, "simple@hearts"),
    (3,   4, "forty_hundred"),
    (4,   5, "four_aces"),
    (5,   5, "ulti"),
    (6,   5, "betli"),
    (7,   6, "durchmars"),
    (7,   6, "durchmars_nt"),
    (8,   8, "forty_hundred+four_aces"),
    (9,   8, "forty_hundred+ulti"),
    (10,  8, "forty_hundred@hearts"),
    (10,  8, "twenty_hundred"),
    (11,  9, "ulti+four_aces"),
    (12, 10, "four_aces@hearts"),
    (13, 10, "ulti@hearts"),
    (14, 10, "forty_hundred+durchmars"),
    (14, 10, "ulti+durchmars"),
    (15, 10, "betli@hearts"),
    (16, 12, "forty_hundred+ulti+four_aces"),
    (17, 12, "twenty_hundred+four_aces"),
    (18, 12, "twenty_hundred+ulti"),
    (19, 12, "durchmars_nt@hearts"),
    (19, 12, "durchmars@hearts"),
    (19, 12, "open_durchmars"),
    (20, 14, "forty_hundred+ulti+durchmars"),
    (21, 14, "twenty_hundred+durchmars"),
    (22, 16, "twenty_hundred+ulti+four_aces"),
    (23, 16, "forty_hundred+four_aces@hearts"),
    (23, 16, "forty_hundred+ulti@hearts"),
    (23, 16, "forty_hundred+open_durchmars"),
    (23, 16, "ulti+open_durchmars"),
    (24, 16, "twenty_hundred@hearts"),
    (25, 18, "ulti+four_aces@hearts"),
    (26, 18, "twenty_hundred+ulti+durchmars"),
    (27, 20, "forty_hundred+ulti+open_durchmars"),
    (28, 20, "forty_hundred+durchmars@hearts"),
    (28, 20, "ulti+durchmars@hearts"),
    (28, 20, "twenty_hundred+open_durchmars"),
    (29, 20, "open_betli"),
    (30, 24, "forty_hundred+ulti+four_aces@hearts"),
    (31, 24, "twenty_hundred+ulti+open_durchmars"),
    (32, 24, "twenty_hundred+four_aces@hearts"),
    (33, 24, "twenty_hundred+ulti@hearts"),
    (34, 24, "open_durchmars@hearts"),
    (34, 24, "open_durchmars_nt"),
    (35, 28, "forty_hundred+ulti+durchmars@hearts"),
    (36, 28, "twenty_hundred+durchmars@hearts"),
    (37, 32, "twenty_hundred+ulti+four_aces@hearts"),
    (38, 32, "forty_hundred+open_durchmars@hearts"),
    (38, 32, "ulti+open_durchmars@hearts"),
    (39, 36, "twenty_hundred+ulti+durchmars@hearts"),
    (40, 40, "forty_hundred+ulti+open_durchmars@hearts"),
    (41, 40, "twenty_hundred+open_durchmars@hearts"),
    (42, 48, "twenty_hundred+ulti+open_durchmars@hearts"),
)

# The single bids of B in their own order, which does not follow value (RULES.md, section 3.1). Rungs x10, so that
# the printed ten stay 10, 20, ... and the hearts forms stand between. Bids of two parts stand above all of these.
LADDER_RUNGS: tuple[tuple[int, str], ...] = (
    (10,  "simple"),
    (15,  "simple@hearts"),
    (20,  "betli"),
    (30,  "forty_hundred"),
    (35,  "forty_hundred@hearts"),
    (40,  "twenty_hundred"),
    (45,  "twenty_hundred@hearts"),
    (50,  "betli@hearts"),
    (60,  "open_betli"),
    (70,  "durchmars_nt"),
    (80,  "ulti"),
    (85,  "ulti@hearts"),
    (86,  "open_ulti"),
    (87,  "open_ulti@hearts"),
    (90,  "durchmars_nt@hearts"),
    (100, "open_durchmars_nt"),
)

# The seven bids of C (RULES.md, section 3.2).
ULTIMATO_BIDS: tuple[str, ...] = (
    "simple", "ulti", "betli", "durchmars_nt", "forty_hundred+ulti", "open_betli", "open_durchmars_nt",
)

# The 36 contracts of the live site (data/samples, section 3), and the simple game that stands for its opening pass.
ULTIARENA_RUNGS: tuple[tuple[str, ...], ...] = (
    ("simple",),
    ("simple@hearts",),
    ("forty_hundred",),
    ("ulti",),
    ("betli",),
    ("durchmars_nt",),
    ("forty_hundred+ulti",),
    ("forty_hundred@hearts",),
    ("twenty_hundred",),
    ("forty_hundred+durchmars", "ulti+durchmars"),
    ("ulti@hearts",),
    ("betli@hearts",),
    ("twenty_hundred+ulti",),
    ("forty_hundred+ulti+durchmars",),
    ("twenty_hundred+durchmars",),
    ("forty_hundred+ulti@hearts",),
    ("forty_hundred+open_durchmars", "ulti+open_durchmars"),
    ("twenty_hundred@hearts",),
    ("twenty_hundred+ulti+durchmars",),
    ("forty_hundred+ulti+open_durchmars",),
    ("forty_hundred+durchmars@hearts", "ulti+durchmars@hearts"),
    ("twenty_hundred+open_durchmars",),
    ("open_betli",),
    ("twenty_hundred+ulti+open_durchmars",),
    ("twenty_hundred+ulti@hearts",),
    ("open_durchmars_nt",),
    ("forty_hundred+ulti+durchmars@hearts",),
    ("twenty_hundred+durchmars@hearts",),
    ("forty_hundred+open_durchmars@hearts", "ulti+open_durchmars@hearts"),
    ("twenty_hundred+ulti+durchmars@hearts",),
    ("forty_hundred+ulti+open_durchmars@hearts",),
    ("twenty_hundred+open_durchmars@hearts",),
    ("twenty_hundred+ulti+open_durchmars@hearts",),
)
# fmt: on

RABLO_BIDS: tuple[str, ...] = tuple(name for _, _, name in RABLO_TABLE)
RABLO_RANKS: dict[str, int] = {name: rank for rank, _, name in RABLO_TABLE}
# B combines 40-100 or 20-100, ulti and durchmars; an explicit simple may be added to an ulti.
LADDER_BIDS: tuple[str, ...] = tuple(
    form.name
    for form in BID_FORMS
    if form.name in {name: rung for rung, name in LADDER_RUNGS} or (len(form.parts) > 1 and not form.is_open)
)
LADDER_RANKS: dict[str, int] = {name: rung for rung, name in LADDER_RUNGS}
ULTIARENA_BIDS: tuple[str, ...] = tuple(name for rung in ULTIARENA_RUNGS for name in rung)
