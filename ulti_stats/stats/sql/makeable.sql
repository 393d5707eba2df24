-- How often is each part made in play, and how often could it be made with open cards, on the same hands?
-- One row per contract, outcome and open-card result, by session; hands that are not solved have no open-card result.
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
    contract,
    outcomes,
    solver IS NOT NULL AS is_solved,
    makeable_simple,
    makeable_forty_hundred,
    makeable_twenty_hundred,
    makeable_ulti,
    makeable_four_aces,
    makeable_durchmars,
    makeable_betli,
    makeable_all,
    count(*) AS hands
FROM hands LEFT JOIN raw.solved_parts USING (hand_hash)
WHERE contract IS NOT NULL
    AND termination IN ('played', 'conceded')
    AND play_declarer IS NOT NULL
    AND (trump IS NOT NULL OR trump_class = 'none') /* and where */
GROUP BY ALL
