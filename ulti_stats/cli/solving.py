"""Commands over open cards: solving the hands of a store, and what a hand is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ulti_stats.cli.hands import TableFormat, compile_first, simulating
from ulti_stats.cli.options import DEFAULT_STORE, RuleOptions, RulesetId, RulesFile, StorePath, resolve_rules
from ulti_stats.errors import UltiError

_SEATS = {"0": 0, "1": 1, "2": 2, "forehand": 0, "middle": 1, "rear": 2}


def solve(
    store: StorePath = DEFAULT_STORE,
    parts: Annotated[bool, typer.Option("--parts", help="Each part by itself: could it be made? The default stage.")] = False,
    par: Annotated[bool, typer.Option("--par", help="The contract whole: what it pays with best play of all three.")] = False,
    best: Annotated[bool, typer.Option("--best", help="The best contract, trump and discard that the declarer had.")] = False,
    errors: Annotated[bool, typer.Option("--errors", help="Each card that gave units away.")] = False,
    where: Annotated[str | None, typer.Option(metavar="SQL", help="Condition on the hands, as in \"contract = 'ulti'\".")] = None,
    rules: Annotated[str | None, typer.Option("--rules", metavar="ID", help="Only this ruleset (id or digest).")] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="At most so many hands in each stage.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Threads; default one for each processor.")] = None,
) -> None:
    """Solve stored hands with open cards; a stopped run is taken up again by the same command."""
    from ulti_stats.compiling import PARTS, UNITS
    from ulti_stats.solving import count_unsolved
    from ulti_stats.solving import solve as run

    wanted = {"parts": parts, "par": par, "best": best, "errors": errors}
    for stage in [name for name, is_wanted in wanted.items() if is_wanted] or ["parts"]:
        asked = {"store": store, "where": where, "rules": rules, "limit": limit}
        if n_unsolved := count_unsolved(stage, **asked):
            compile_first({"parts": PARTS, "best": (*PARTS, *UNITS)}.get(stage, UNITS))
        with simulating(n_unsolved, f"solving {stage}") as advance:
            done = run(stage, **asked, workers=workers, progress=advance)
        rest = "" if done.n_left else "; none were left"
        print(f"{stage}: {done.n_solved} hands of {store} solved{rest}.")


def evaluate(
    cards: Annotated[str, typer.Argument(help='Ten cards, or twelve with the talon, as in "AA AT AK AO A7 HA HT LA B9 B8".')],
    talon: Annotated[str | None, typer.Option(metavar="CARDS", help="The two cards taken up with ten.")] = None,
    rules: RulesetId = None,
    rules_file: RulesFile = None,
    option: RuleOptions = None,
    bid: Annotated[list[str] | None, typer.Option(metavar="BID", help="Only this bid; may be given several times.")] = None,
    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="Seat of the declarer: forehand, middle or rear (0, 1, 2).")
    ] = "forehand",
    after_passes: Annotated[int, typer.Option(min=0, max=2, metavar="N", help="How many spoke before and passed.")] = 0,
    all_: Annotated[bool, typer.Option("--all", help="Show bids that the cards rule out too.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Solve contracts whole as well, on fewer layouts.")] = False,
    precision: Annotated[float, typer.Option(help="Half the width of a 95 % interval of a chance.")] = 0.02,
    seed: Annotated[int, typer.Option(help="Seed of the layouts.")] = 1,
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="Threads; default one for each processor.")] = None,
    format: Annotated[TableFormat, typer.Option(help="How to print it.")] = TableFormat.table,
    chart: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a chart (.svg or .png), its data beside it.")] = None,
) -> None:
    """Show what a hand is worth: the chance of each part of each bid with open cards, units, best trump and discard."""
    from ulti_stats.compiling import PARTS, UNITS
    from ulti_stats.game.rulesets import ruleset
    from ulti_stats.report.charts import check_chart
    from ulti_stats.report.evaluation import evaluation_text, save_evaluation_chart
    from ulti_stats.solving import evaluate as run

    preset, options = resolve_rules(rules, rules_file, option)
    if chart is not None:
        check_chart(chart)
    if seat not in _SEATS:
        raise UltiError(f"seat '{seat}' is not known; right is forehand, middle or rear (0, 1, 2)")
    found = run(
        cards,
        talon,
        rules=ruleset(preset, options),
        seat=_SEATS[seat],
        after_passes=after_passes,
        bids=bid or (),
        all_bids=all_,
        exact=exact,
        precision=precision,
        seed=seed,
        workers=workers,
        ready=lambda: compile_first((*PARTS, *UNITS) if exact else PARTS),
    )
    print(evaluation_text(found, format.value), end="")
    if chart is not None:
        written = save_evaluation_chart(found, chart)
        if format is TableFormat.table:
            print(f"Chart: {', '.join(str(path) for path in written)}")
