"""One hand as a log that reads like a score keeper's notes: deal, auction, kontras, play trick by trick, result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ulti_stats.game.cards import FULL_DECK, SUIT_NAMES, cards_of, format_card, format_cards
from ulti_stats.game.history import HandHistory
from ulti_stats.game.kontra import level_name
from ulti_stats.game.options import option_text
from ulti_stats.game.play import trick_winner
from ulti_stats.game.result import ComponentResult, Replay
from ulti_stats.game.rule_table import NO_TRUMP, POINTS, STRENGTH, rule_table

if TYPE_CHECKING:
    from ulti_stats.game.analysis import Analysis


def hand_log(history: HandHistory, replay: Replay, *, hand_id: str, analysis: Analysis | None = None) -> str:
    """Return a hand as text of several lines, with what open cards say of its play where given; ends with a newline."""
    parts = [_head(history, replay, hand_id)]
    if not history.is_sheet:
        parts += [_deal(history, replay), _auction(history, replay)]
    parts += [_contract(history, replay), _play(history, replay), _result(history, replay)]
    if analysis is not None:
        parts.append(_analysis(history, replay, analysis))
    return "\n".join("\n".join(lines) for lines in map(list, parts) if lines) + "\n"


def _name(history: HandHistory, seat: int) -> str:
    return f"{history.players[seat]} [{seat}]" if history.players else f"seat {seat}"


def _width(history: HandHistory) -> int:
    return max(len(_name(history, seat)) for seat in range(3)) + 2


def _column(history: HandHistory, seat: int) -> str:
    return f"{_name(history, seat):<{_width(history)}}"


def _head(history: HandHistory, replay: Replay, hand_id: str) -> Iterator[str]:
    facts = [f"rules {replay.rules.id}", f"level {replay.level}", replay.termination]
    if history.options:
        facts.insert(1, "options " + ", ".join(option_text(name, value) for name, value in history.options.items()))
    if history.session:
        facts.append(f"session {history.session}" + (f", deal {history.deal_no}" if history.deal_no else ""))
    if history.played_at:
        facts.append(history.played_at)
    named = f" ({history.id})" if history.id else ""
    yield f"Hand {hand_id}{named}: " + " · ".join(facts)
    if (simulated := history.simulated) is not None:
        yield f"Simulated: seed {simulated['seed']}, hand {simulated['index']}, engine {simulated['version']}"


def _deal(history: HandHistory, replay: Replay) -> Iterator[str]:
    assert history.hands is not None
    yield ""
    yield "Deal"
    for seat in range(3):
        roles = [word for word, place in (("dealer", replay.dealer), ("forehand", replay.forehand)) if place == seat]
        note = f"  ({', '.join(roles)})" if roles else ""
        yield f"  {_column(history, seat)} {_by_suit(history.hands[seat])}{note}"
    if history.sitting_out is not None:
        yield f"  {history.sitting_out} sits out" + ("" if replay.dealer is not None else " and deals")
    talon = format_cards(history.talon) if history.talon else "not known apart from forehand's twelve"
    yield f"  {'talon':<{_width(history)}} {talon}"


def _by_suit(mask: int) -> str:
    groups = [format_cards(mask & 0xFF << 8 * suit) for suit in range(4)]
    return "   ".join(group for group in groups if group)


def _auction(history: HandHistory, replay: Replay) -> Iterator[str]:
    yield ""
    yield "Auction"
    for call in history.auction or ():
        words = "pass" if call.is_pass else ("holds " if call.hold else "") + call.bid
        if call.trump is not None:
            words += f" in {SUIT_NAMES[call.trump]}"
        if call.discard is not None:
            words += f"   lays {format_cards(call.discard)}"
        yield f"  {_column(history, call.seat)} {words}"
    if replay.declarer is None:
        yield "  Nobody bid: passed out."
    elif history.discard is not None:
        yield f"  {_column(history, replay.declarer)} takes the talon, lays {format_cards(history.discard)}"


def _contract(history: HandHistory, replay: Replay) -> Iterator[str]:
    if replay.contract is None or replay.declarer is None:
        return
    trump = f" in {SUIT_NAMES[replay.trump]}" if replay.trump is not None else ""
    yield ""
    declarer, value = _name(history, replay.declarer), replay.contract.value
    yield f"Contract: {replay.contract.name}{trump} by {declarer}, worth {value} per defender"
    for kontra, level in zip(replay.kontras, replay.levels, strict=True):
        against = f" against {_name(history, kontra.against)}" if kontra.against is not None else ""
        moment = f" after card {kontra.after_play}" if kontra.after_play else " before the first lead"
        yield f"  {level_name(replay.rules, level)} on {kontra.component} by {_name(history, kontra.seat)}{against}{moment}"
    for component in replay.components if history.is_sheet else ():
        if any(component.kontra_levels):
            first, second = component.kontra_levels
            yield f"  {component.component} at kontra level {first if first == second else f'{first} and {second}'}"


def _play(history: HandHistory, replay: Replay) -> Iterator[str]:
    plays = history.plays or ()
    if not plays or replay.declarer is None or replay.contract is None:
        return
    table = rule_table(replay.rules)
    trump = NO_TRUMP if replay.trump is None else replay.trump
    declared = {marriage.play: marriage for marriage in replay.marriages}
    leader = replay.forehand if replay.rules.first_lead == "forehand" else replay.declarer
    assert leader is not None
    yield ""
    yield "Play"
    yield "  trick  lead " + " ".join(f"{_seat_title(replay, seat):>12}" for seat in range(3)) + "   won by  points"
    for start in range(0, len(plays), 3):
        trick = plays[start : start + 3]
        cells = ["", "", ""]
        for place, card in enumerate(trick):
            marriage = declared.get(start + place)
            value = 0 if marriage is None else 40 if marriage.suit == trump else 20
            cells[(leader + place) % 3] = format_card(card) + (f" ({value})" if value else "")
        line = f"  {start // 3 + 1:>5}  {leader:>4} " + " ".join(f"{cell:>12}" for cell in cells)
        if len(trick) == 3:
            leader = (leader + trick_winner(table, trump, trick)) % 3
            points = sum(int(table.cards[POINTS, trump, table.cards[STRENGTH, trump, card]]) for card in trick)
            points += replay.rules.last_trick_bonus if start == 27 else 0
            line += f"   {leader:>6}" + ("" if trump == NO_TRUMP else f"  {points:>6}")
        yield line
    if len(plays) < 30 and replay.level == "full":
        yield "  The result is clear; play stops."


def _seat_title(replay: Replay, seat: int) -> str:
    return f"{seat} declarer" if seat == replay.declarer else str(seat)


def _result(history: HandHistory, replay: Replay) -> Iterator[str]:
    if replay.declarer is None or replay.contract is None:
        return
    yield ""
    yield "Result"
    if replay.termination == "conceded":
        yield "  conceded before the first lead"
    if replay.declarer_points is not None and replay.trump is not None and replay.level == "full":
        yield (
            f"  points in tricks {replay.declarer_points} against {replay.defender_points}, "
            f"marriages {replay.declarer_marriage_points} against {replay.defender_marriage_points}, "
            f"talon {replay.talon_points}"
        )
    for component in replay.components:
        yield f"  {component.component:<22} {_made(component):<8} {_units(component)}"
    if replay.payoffs is not None:
        paid = "   ".join(f"{_name(history, seat)} {replay.payoffs[seat]:+d}" for seat in range(3))
        yield f"  Units: {paid}"
    if history.hands is not None and replay.laid is not None and replay.laid != FULL_DECK:
        yield f"  Laid in the talon: {' '.join(format_card(card) for card in reversed(list(cards_of(replay.laid))))}"
    for difference in replay.disagreements:
        yield f"  ! {difference}"


def _made(component: ComponentResult) -> str:
    return "unknown" if component.made is None else "made" if component.made else "failed"


def _units(component: ComponentResult) -> str:
    if component.units is None:
        return ""
    first, second = component.units
    return f"{first:+d} from each defender" if first == second else f"{first:+d} and {second:+d} from the two defenders"


def _analysis(history: HandHistory, replay: Replay, analysis: Analysis) -> Iterator[str]:
    """Yield every card with what it gave away, units per defender, and where the contract was decided."""
    plays = history.plays or ()
    leader = replay.forehand if replay.rules.first_lead == "forehand" else replay.declarer
    if replay.contract is None or replay.declarer is None or leader is None:
        return
    errors = {error.ply: error for error in analysis.errors}
    yield ""
    yield "With open cards (all three see every card; units per defender, a card with what it gave away and a best one)"
    yield f"  par {_signed(analysis.par)}, paid {_signed(analysis.paid)}"
    yield "  trick  lead " + " ".join(f"{_seat_title(replay, seat):>18}" for seat in range(3))
    for start in range(0, len(plays), 3):
        cells = ["", "", ""]
        for place, card in enumerate(plays[start : start + 3]):
            error = errors.get(start + place)
            gave = "" if error is None else f" -{error.cost:g} ({format_card(error.best_card)})"
            cells[(leader + place) % 3] = format_card(card) + gave
        yield f"  {start // 3 + 1:>5}  {leader:>4} " + " ".join(f"{cell:>18}" for cell in cells)
        if start // 3 < len(replay.winners):
            leader = replay.winners[start // 3]
    yield f"  {_decided(analysis, plays)}"


def _decided(analysis: Analysis, plays: tuple[int, ...]) -> str:
    ply = analysis.decided_ply
    if ply < 0:
        return "The contract was decided before the first lead: open cards say of each named part how it ended."
    card = f"{format_card(plays[ply])} in trick {ply // 3 + 1}"
    return f"The contract was decided by {card}: from then on open cards say of each named part how it ended."


def _signed(units: float) -> str:
    return f"{units:+g}" if units else "0"
