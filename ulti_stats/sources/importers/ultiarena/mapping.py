"""What a recorded game of UltiArena means as a hand history (`docs/importing.md` describes the mapping)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec

from ulti_stats.errors import NotationError
from ulti_stats.game.bids import BID_FORMS, ULTIARENA_BIDS, BidForm, Component
from ulti_stats.game.cards import FULL_DECK, parse_suit
from ulti_stats.game.fields import MAX_WHOLE, FieldError, below
from ulti_stats.game.history import PASS, Call, HandHistory, Kontra, Marriage
from ulti_stats.game.notation import with_closing_pass
from ulti_stats.game.rulesets import ULTIARENA, nearest
from ulti_stats.sources.importers.ultiarena.talon import card_of, dealt_from, mask_of, recover_discards

SOURCE = "ultiarena"
DEALER = 2  # forehand is always seat 0
NOBODY_BID = "passz"

# --- the site's record ------------------------------------------------------------------------------------------------

Seat = Annotated[int, msgspec.Meta(ge=0, le=2)]
Card = Annotated[int, msgspec.Meta(ge=0, le=31)]
Cards = Annotated[list[Card], msgspec.Meta(min_length=10, max_length=10)]


class _Player(msgspec.Struct):
    seat: Seat
    kind: str
    user_id: str | None = None
    agent: str | None = None


class _Deal(msgspec.Struct):
    hands: tuple[Cards, Cards, Cards]
    talon: tuple[Card, Card]


class _Call(msgspec.Struct):
    pid: Seat
    kind: str
    contract: str | None = None


class _Sayers(msgspec.Struct):
    defenders: list[Annotated[int, msgspec.Meta(ge=1, le=2)]] = msgspec.field(name="def", default_factory=list)


class _Transcript(msgspec.Struct):
    deal: _Deal
    auction: Annotated[list[_Call], msgspec.Meta(min_length=1)]
    plays: list[tuple[Seat, Card, int]]
    kontra: dict[str, int | tuple[int, int]] = {}
    kontra_by: dict[str, _Sayers] = {}
    marriages: list[tuple[Seat, str, int]] = []


class _Game(msgspec.Struct):
    id: str
    contract: str
    soloist_seat: Seat
    seat_gp: tuple[float, float, float]
    players: Annotated[list[_Player], msgspec.Meta(min_length=3, max_length=3)]
    transcript: _Transcript
    trump: str | None = None
    seed: int | None = None
    created_at: float | None = None

    def seat_of(self, play_index: int) -> int:
        """Return the seat of a play index, which counts from the declarer."""
        return (play_index + self.soloist_seat) % 3


def contract_name(form: BidForm) -> str:
    """Return what the site calls a bid.

    >>> [contract_name(form) for form in BID_FORMS if form.name in ("ulti+open_durchmars@hearts", "betli@hearts")]
    ['piros teritett ulti-duri', 'rebetli']
    """
    if form.name == "betli@hearts":
        return "rebetli"
    words = {
        Component.ULTI: "ulti",
        Component.FORTY_HUNDRED: "40-100",
        Component.TWENTY_HUNDRED: "20-100",
        Component.DURCHMARS: "duri",
        Component.SIMPLE: "parti",
        Component.BETLI: "betli",
    }
    parts = "-".join(word for part, word in words.items() if part in form.parts)
    return f"{'piros ' if form.is_hearts else ''}{'teritett ' if form.is_open else ''}{parts}"


CONTRACTS = {contract_name(form): form.name for form in BID_FORMS if form.name in ULTIARENA_BIDS}
_PARTS = {
    "parti": "simple",
    "ulti": "ulti",
    "40_100": "forty_hundred",
    "20_100": "twenty_hundred",
    "durchmars": "durchmars",
    "betli": "betli",
}

# --- from a game to a history -----------------------------------------------------------------------------------------


def history_of(game: dict[str, Any]) -> HandHistory:
    """Return the history of one decoded game; raises `FieldError` with the path to what is wrong."""
    return _history(_typed(game))


def _typed(game: Any) -> _Game:
    if isinstance(game, dict) and "transcript" not in game and "soloist_seat" in game:
        raise FieldError("is missing, as in the rows of a list; take the whole game from /api/v1/games/{id}", "transcript")
    try:
        return msgspec.convert(game, _Game)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        raise FieldError(reason[:1].lower() + reason[1:], *filter(None, [path.rstrip("`").removeprefix(".")])) from None


def _history(game: _Game) -> HandHistory:
    bidders = _bidders(game)
    hands, talon, discards, notes = _deal(game, bidders)
    conceded = game.contract == NOBODY_BID
    return HandHistory(
        ruleset=ULTIARENA.id,
        id=game.id,
        played_at=None if game.created_at is None else below("created_at", _moment, game.created_at),
        source=SOURCE,
        players=_names(game),
        dealer=DEALER,
        hands=hands,
        talon=talon,
        auction=with_closing_pass(_calls(game, discards), ULTIARENA),
        trump=None if game.trump is None else _suit(game.trump, "trump"),
        trump_given=not conceded,
        conceded=True if conceded else None,
        kontras=None if conceded else _kontras(game, is_joint=game.trump is not None),
        marriages=None if conceded else _marriages(game),
        plays=None if conceded else tuple(card_of(card) for _, card, _ in game.transcript.plays),
        payoffs=_payoffs(game),
        extra={SOURCE: _extra(game) | notes},
    )


def _bidders(game: _Game) -> tuple[int, ...]:
    """Return the seats that laid cards, in order: every bidder, and forehand with his opening pass."""
    calls = game.transcript.auction
    bidders = [call.pid for number, call in enumerate(calls) if call.kind == "bid" or number == 0]
    bids = [call for call in calls if call.kind == "bid"]
    last = bids[-1].contract if bids else NOBODY_BID
    if last != game.contract:
        raise FieldError(f"is '{game.contract}', but the auction ends with '{last}'", "contract")
    if bidders[-1] != game.soloist_seat:
        raise FieldError(f"is {game.soloist_seat}, but seat {bidders[-1]} made the last bid", "soloist_seat")
    return tuple(bidders)


def _deal(game: _Game, bidders: tuple[int, ...]) -> tuple[tuple[int, int, int], int, tuple[int, ...], dict[str, Any]]:
    """Return hands and talon as dealt, each bidder's discard, and notes on what had to be inferred."""
    deal = game.transcript.deal
    after = [0, 0, 0]
    for play_index, hand in enumerate(deal.hands):
        after[game.seat_of(play_index)] = mask_of(hand)
    final, laid = (after[0], after[1], after[2]), mask_of(list(deal.talon))
    if final[0] | final[1] | final[2] | laid != FULL_DECK:
        raise FieldError("must be the 32 cards, each in one place", "transcript.deal")
    if game.seed is not None:
        hands, talon = dealt_from(game.seed)
        found = recover_discards(hands=hands, talon=talon, bidders=bidders, final=final, laid=laid)
        if found is not None:
            return hands, talon, found.masks, {} if found.is_unique else {"inferred_discards": True}
    # The seed deals other cards, so only the hands after the auction are known. Forehand's twelve are certain where he
    # alone took the talon; where others did, each is taken to lay what he picked up.
    alone = (final[0] | laid, final[1], final[2])
    notes = {"inferred_deal": True, "inferred_discards": True} if len(bidders) > 1 else {}
    return alone, 0, tuple(laid for _ in bidders), notes


def _calls(game: _Game, discards: tuple[int, ...]) -> tuple[Call, ...]:
    """Return the calls with what each bidder laid; forehand's opening pass is our forced lowest bid."""
    calls, laid = [], iter(discards)
    for number, call in enumerate(game.transcript.auction):
        if call.kind == "bid":
            calls.append(Call(call.pid, _bid(call.contract or "", number), next(laid)))
        elif call.kind != "pass":
            raise FieldError(f"must be bid or pass, not '{call.kind}'", "transcript.auction", number, "kind")
        elif number == 0:
            calls.append(Call(call.pid, "simple", next(laid)))
        else:
            calls.append(Call(call.pid, PASS))
    return tuple(calls)


def _bid(contract: str, number: int) -> str:
    if contract not in CONTRACTS:
        hint = nearest(contract, CONTRACTS)
        raise FieldError(f"unknown contract '{contract}'{hint}", "transcript.auction", number, "contract")
    return CONTRACTS[contract]


def _kontras(game: _Game, *, is_joint: bool) -> tuple[Kontra, ...]:
    """Return the steps in the order of their moments: the first defender, the second, the declarer's answers."""
    by_moment: tuple[list[Kontra], list[Kontra], list[Kontra]] = ([], [], [])
    declarer = game.soloist_seat
    for site_part, level in game.transcript.kontra.items():
        part = _PARTS.get(site_part)
        if part is None:
            raise FieldError(f"unknown part '{site_part}'{nearest(site_part, _PARTS)}", "transcript.kontra", site_part)
        if isinstance(level, int) != is_joint:
            right = "one level, since kontra is joint with trumps" if is_joint else "a level against each defender"
            raise FieldError(f"must be {right}", "transcript.kontra", site_part)
        if isinstance(level, int):
            said_by = game.transcript.kontra_by.get(site_part, _Sayers()).defenders or [1]
            levels = {min(said_by): level}
        else:
            levels = {1: level[0], 2: level[1]}
        for index, reached in levels.items():
            if not 0 <= reached <= ULTIARENA.kontra_max_level:
                raise FieldError(f"must be a level from 0 to {ULTIARENA.kontra_max_level}", "transcript.kontra", site_part)
            defender = game.seat_of(index)
            if reached >= 1:
                by_moment[index - 1].append(Kontra(defender, part, after_play=index + 1))
            if reached == 2:
                by_moment[2].append(Kontra(declarer, part, against=None if is_joint else defender, after_play=3))
    return (*by_moment[0], *by_moment[1], *by_moment[2])


def _marriages(game: _Game) -> tuple[Marriage, ...]:
    found = []
    for number, (play_index, suit, _) in enumerate(game.transcript.marriages):
        found.append(Marriage(game.seat_of(play_index), _suit(suit.lower(), "transcript.marriages", number), play_index))
    return tuple(found)


def _suit(name: str, *steps: str | int) -> int:
    try:
        return int(parse_suit(name))
    except NotationError as error:
        raise FieldError(str(error), *steps) from None


def _payoffs(game: _Game) -> tuple[int, int, int]:
    if any(abs(units) > MAX_WHOLE or units != int(units) for units in game.seat_gp):
        raise FieldError("must be whole units", "seat_gp")
    return (int(game.seat_gp[0]), int(game.seat_gp[1]), int(game.seat_gp[2]))


def _names(game: _Game) -> tuple[str, str, str]:
    """Return a name for each seat: the account, else the program or kind with seat (and game for an unnamed human).

    A program plays at several seats of a table, and nobody knows whether two unnamed humans are one: none of them may
    count as one person.
    """
    names = ["", "", ""]
    for player in game.players:
        where = f"{game.id}, seat {player.seat}" if player.agent is None and player.kind == "human" else f"seat {player.seat}"
        names[player.seat] = player.user_id or f"{player.agent or player.kind} ({where})"
    if not all(names):
        raise FieldError("must be the seats 0, 1 and 2, once each", "players")
    return (names[0], names[1], names[2])


def _extra(game: _Game) -> dict[str, Any]:
    players = sorted(game.players, key=lambda player: player.seat)
    both = {part: sayers.defenders for part, sayers in game.transcript.kontra_by.items() if len(sayers.defenders) == 2}
    return {
        "seed": game.seed,
        "kinds": [player.kind for player in players],
        "agents": [player.agent for player in players],
        # A joint kontra that both defenders said is one step; who said it is kept here.
        **({"kontra_by_both": sorted(both)} if both and game.trump is not None else {}),
    }


def _moment(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        raise FieldError("must be seconds since 1970 (UTC)") from None
