-- How often is a component made by those who bid it, where the split or the condition is on the component itself?
SELECT
    /* by */
    /* alike */
    ruleset,
    ruleset_digest,
    is_simulated,
    policies,
    source,
    session,
    /* end of alike */
    /* lone */
    termination,
    component,
    part,
    made,
    count(*) AS hands
FROM components
WHERE part <> 'silent' AND termination IN ('played', 'conceded') /* and where */
GROUP BY ALL
