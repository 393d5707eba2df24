-- Which hands does the report speak of: under which rules, from where, how complete, and how did they end?
SELECT
    /* alike */
    ruleset,
    ruleset_digest,
    is_simulated,
    policies,
    /* end of alike */
    'full' AS level, NULL::VARCHAR AS options, 
    termination,
    count(*) AS hands,
    count(claim_differs) AS differing,
    min(seed) AS first_seed,
    max(seed) AS last_seed
FROM hands
WHERE true 
GROUP BY ALL;

-- How do outcomes differ by what the two cards of the declarer's last pickup brought, and by how many of them he kept?
-- One row per pickup, contract and outcome, by session. Hands that are alike are counted first, then multiplied; texts are
-- compared as hashes, which takes less time.
WITH kinds AS (
    SELECT
        
        /* alike */
        ruleset,
        ruleset_digest,
        is_simulated,
        policies,
        source,
        /* end of alike */
        hash(contract, termination) AS kind,
        any_value(contract) AS contract,
        any_value(termination) AS termination,
        had_pickup,
        kept,
        pickup_aces,
        pickup_tens,
        pickup_trumps,
        pickup_trump_seven,
        outcomes,
        units_per_defender AS v,
        declarer_units AS d,
        count(*) AS n
    FROM talons
    WHERE termination IN ('played', 'conceded') 
    GROUP BY ALL
)
SELECT
    * EXCLUDE (kind, v, d, n),
    NULL::VARCHAR AS session, 
    sum(n) AS hands,
    coalesce(sum(n) FILTER (v IS NOT NULL), 0) AS paid,
    coalesce(sum(n) FILTER (v > 0), 0) AS won,
    sum(n * v) AS units,
    sum(n * v * v) AS units_squared,
    sum(n * abs(v)) AS units_moved,
    max(abs(v)) AS units_largest,
    sum(n * d::DOUBLE) AS declarer_units,
    sum(n * d::DOUBLE * d) AS declarer_units_squared
FROM kinds
GROUP BY ALL;
