-- How do outcomes differ by what the two cards of the declarer's last pickup brought, and by how many of them he kept?
SELECT
    /* by */
    ruleset,
    ruleset_digest,
    is_simulated,
    CASE WHEN is_simulated THEN {'a': player_0, 'b': player_1, 'c': player_2} END AS policies,
    source,
    session,
    termination,
    had_pickup,
    kept,
    pickup_aces,
    pickup_tens,
    pickup_trumps,
    pickup_trump_seven,
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
FROM talons
WHERE termination IN ('played', 'conceded') /* and where */
GROUP BY ALL
