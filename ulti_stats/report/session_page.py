"""A sitting in print: every deal with units and running totals, then places and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator

from ulti_stats.stats.sessions import Deal, Phase, Session, counted


def session_text(session: Session) -> str:
    """Return a sitting as text, deal by deal, with its end and winner; ends with a newline."""
    lines = [f"Session {session.name}" + (f" · {session.source}" if session.source else ""), ""]
    if session.deals:
        lines += [*_deals(session), "", *_standings(session), ""]
    lines += [ending(session), "", session.caption()]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def ending(session: Session) -> str:
    """Return one sentence that says how the sitting ended and who won it."""
    names = " and ".join(session.winners)
    many = len(session.winners) > 1
    n_late = sum(deal.phase is Phase.after_end for deal in session.deals)
    n_counted = len(session.deals) - n_late
    if not session.deals:
        return "No deal of this session can be counted."
    if session.ended_by is not None:
        late = f" {counted(n_late, 'later deal')} {'does' if n_late == 1 else 'do'} not count." if n_late else ""
        return f"Over after {session.ended_by}: {names} {'share the win' if many else 'wins'}.{late}"
    lead = f"{names} {'lead' if many else 'leads'} after {counted(n_counted)}"
    return f"Not over: {lead}; {_length(session)}." if session.is_open else f"{lead}; the rules set no end."


def _length(session: Session) -> str:
    rules = session.rules
    if session.deals[-1].phase is Phase.tie_break or _is_tied_at_end(session):
        return f"a tie is played off, {counted(rules.session_tiebreak_deals or 0)} at a time"
    ends = [counted(rules.session_deals)] if rules.session_deals is not None else []
    ends += [f"{rules.session_target} units"] if rules.session_target is not None else []
    return "a session ends at " + " or ".join(ends)


def _is_tied_at_end(session: Session) -> bool:
    deals, target = session.rules.session_deals, session.rules.session_target
    return (deals is not None and len(session.deals) >= deals) or (target is not None and max(session.totals) >= target)


def _deals(session: Session) -> Iterator[str]:
    contracts = max(len("contract"), *(len(_contract(deal)) for deal in session.deals))
    declarers = max(len("declarer"), *(len(deal.declarer or "") for deal in session.deals))
    width = max(13, *(len(person) for person in session.people))
    left = 4 + 2 + contracts + 2 + declarers
    yield " " * left + "".join(f"  {person:>{width}}" for person in session.people)
    head = f"{'deal':>4}  {'contract':<{contracts}}  {'declarer':<{declarers}}"
    yield head + "".join(f"  {'units   total':>{width}}" for _ in session.people)
    phase = Phase.regular
    for deal in session.deals:
        if deal.phase is not phase:
            phase = deal.phase
            yield f"      {phase.value}"
        number = deal.number if deal.deal_no is None else deal.deal_no
        cells = (
            f"  {_units(deal, who, person)} {_total(deal, who)}".rjust(width + 2) for who, person in enumerate(session.people)
        )
        yield f"{number:>4}  {_contract(deal):<{contracts}}  {deal.declarer or '':<{declarers}}" + "".join(cells)


def _contract(deal: Deal) -> str:
    return (deal.contract or "passed out") + (f" {deal.trump}" if deal.trump else "")


def _units(deal: Deal, who: int, person: str) -> str:
    units = deal.units[who]
    text = "" if units is None else "out" if person == deal.sitting_out else f"{units:+}"
    return f"{text:>5}"


def _total(deal: Deal, who: int) -> str:
    return f"{deal.totals[who]:>7}" if deal.totals else f"{'':>7}"


def _standings(session: Session) -> Iterator[str]:
    names = max(len("player"), *(len(person) for person in session.people))
    yield f"place  {'player':<{names}}   units  worth"
    for standing in session.standings:
        yield f"{standing.place:>5}  {standing.person:<{names}}  {standing.units:>+6}  {standing.worth}"
