-- How often is a kontra said: which levels did the parts of each contract played end at?
-- The levels are as stored: 4 bits a part, against the first defender, and the bits by which those against the second differ.
-- Hands are counted by numbers, the contract by its hash: to compare texts takes longer.
WITH kinds AS (
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
        hash(contract) AS kind,
        kontra_max,
        kontra_levels,
        kontra_levels_differ AS differ,
        any_value(contract) AS contract,
        count(*) AS hands
    FROM hands
    WHERE termination = 'played' /* and where */
    GROUP BY ALL
)
SELECT
    /* lone */
    * EXCLUDE (kind, kontra_max, kontra_levels),
    CASE WHEN kontra_max IS DISTINCT FROM 0 THEN kontra_levels END AS levels
FROM kinds
WHERE contract IS NOT NULL
