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

-- How often is each contract made, part by part, and what does it pay, as played and without any kontra?
-- One row per contract and outcome, by session: sums only, so that success rates and mean units follow from one scan. Hands
-- that are alike are counted first, then multiplied, since there are few kinds of them; texts are compared as hashes, which
-- takes less time.
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
        outcomes,
        units_per_defender,
        declarer_units,
        kontra_units,
        count(*) AS n
    FROM hands
    WHERE termination IN ('played', 'conceded') 
    GROUP BY ALL
),
paid AS (
    SELECT
        * EXCLUDE (kind, units_per_defender, declarer_units, kontra_units),
        units_per_defender AS v,
        declarer_units::DOUBLE AS d,
        units_per_defender - kontra_units AS w
    FROM kinds
    WHERE contract IS NOT NULL
)
SELECT
    * EXCLUDE (v, d, w, n),
    NULL::VARCHAR AS session, false AS is_sheet, 
    sum(n) AS hands,
    coalesce(sum(n) FILTER (v IS NOT NULL), 0) AS paid,
    coalesce(sum(n) FILTER (v > 0), 0) AS won,
    sum(n * v) AS units,
    sum(n * v * v) AS units_squared,
    sum(n * abs(v)) AS units_moved,
    max(abs(v)) AS units_largest,
    sum(n * d) AS declarer_units,
    sum(n * d * d) AS declarer_units_squared,
    coalesce(sum(n) FILTER (w IS NOT NULL), 0) AS known_without_kontra,
    sum(n * w) AS units_without_kontra,
    sum(n * w * w) AS units_without_kontra_squared
FROM paid
GROUP BY ALL;
