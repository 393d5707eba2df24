-- Which hands does the report speak of: under which rules, from where, how complete, and how did they end?
SELECT
    /* alike */
    ruleset,
    ruleset_digest,
    is_simulated,
    policies,
    level,
    any_value(options) AS options,
    /* end of alike */
    /* lone */
    termination,
    count(*) AS hands,
    count(claim_differs) AS differing,
    min(seed) AS first_seed,
    max(seed) AS last_seed
FROM hands
WHERE true /* and where */
GROUP BY ALL
