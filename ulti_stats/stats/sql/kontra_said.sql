-- How often is a kontra said: which levels did the parts of each contract played end at?
-- The levels are as stored: 4 bits a part, against the first defender, and the bits by which those against the second differ.
SELECT
    /* by */
    /* alike */
    ruleset,
    ruleset_digest,
    is_simulated,
    policies,
    source,
    session,
    level = 'sheet' AS is_sheet,
    /* end of alike */
    contract,
    CASE WHEN kontra_max IS DISTINCT FROM 0 THEN kontra_levels END AS levels,
    kontra_levels_differ AS differ,
    count(*) AS hands
FROM hands
WHERE contract IS NOT NULL AND termination = 'played' /* and where */
GROUP BY ALL
