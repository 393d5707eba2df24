-- How often is a kontra said: which levels did the parts of each contract played end at?
SELECT
    /* by */
    ruleset,
    ruleset_digest,
    is_simulated,
    CASE WHEN is_simulated THEN {'a': player_0, 'b': player_1, 'c': player_2} END AS policies,
    source,
    session,
    level = 'sheet' AS is_sheet,
    contract,
    CASE WHEN kontra_max IS DISTINCT FROM 0 THEN {
        'simple': greatest(simple_kontra_1, simple_kontra_2),
        'forty_hundred': greatest(forty_hundred_kontra_1, forty_hundred_kontra_2),
        'twenty_hundred': greatest(twenty_hundred_kontra_1, twenty_hundred_kontra_2),
        'ulti': greatest(ulti_kontra_1, ulti_kontra_2),
        'four_aces': greatest(four_aces_kontra_1, four_aces_kontra_2),
        'durchmars': greatest(durchmars_kontra_1, durchmars_kontra_2),
        'betli': greatest(betli_kontra_1, betli_kontra_2)
    } END AS levels,
    count(*) AS hands
FROM hands
WHERE contract IS NOT NULL AND termination = 'played' /* and where */
GROUP BY ALL
