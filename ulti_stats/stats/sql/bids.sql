-- How often is each contract made, part by part, and what does it pay?
-- One row per contract and outcome, by session: sums only, so that success rates and mean units follow from one scan.
SELECT
    /* by */
    ruleset,
    ruleset_digest,
    is_simulated,
    CASE WHEN is_simulated THEN {'a': player_0, 'b': player_1, 'c': player_2} END AS policies,
    source,
    session,
    termination,
    level = 'sheet' AS is_sheet,
    contract,
    simple_made,
    forty_hundred_made,
    twenty_hundred_made,
    ulti_made,
    four_aces_made,
    durchmars_made,
    betli_made,
    count(*) AS hands,
    count(units_per_defender) AS paid,
    count(*) FILTER (units_per_defender > 0) AS won,
    sum(units_per_defender) AS units,
    sum(units_per_defender * units_per_defender) AS units_squared,
    sum(abs(units_per_defender)) AS units_moved,
    max(abs(units_per_defender)) AS units_largest,
    sum(declarer_units::DOUBLE) AS declarer_units,
    sum(declarer_units::DOUBLE * declarer_units) AS declarer_units_squared
FROM hands
WHERE contract IS NOT NULL AND termination IN ('played', 'conceded') /* and where */
GROUP BY ALL
