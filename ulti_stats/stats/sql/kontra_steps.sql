-- Which kontras were said, step by step, for conditions and splits that speak of single steps?
-- Where a hand may have two steps in one row of the report they are held together; elsewhere a step is a hand, which spares
-- the database millions of groups.
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
    component,
    step_level,
    trump_class = 'none' AS is_notrump,
    CASE WHEN list_contains($individual, ruleset_digest)
        OR (trump_class = 'none' AND list_contains($individual_notrump, ruleset_digest))
        OR 1 < coalesce((simple_kontra_1 > 0 OR simple_kontra_2 > 0)::TINYINT, 0)
        + coalesce((forty_hundred_kontra_1 > 0 OR forty_hundred_kontra_2 > 0)::TINYINT, 0)
        + coalesce((twenty_hundred_kontra_1 > 0 OR twenty_hundred_kontra_2 > 0)::TINYINT, 0)
        + coalesce((ulti_kontra_1 > 0 OR ulti_kontra_2 > 0)::TINYINT, 0)
        + coalesce((four_aces_kontra_1 > 0 OR four_aces_kontra_2 > 0)::TINYINT, 0)
        + coalesce((durchmars_kontra_1 > 0 OR durchmars_kontra_2 > 0)::TINYINT, 0)
        + coalesce((betli_kontra_1 > 0 OR betli_kontra_2 > 0)::TINYINT, 0)
        THEN hand_id END AS hand,
    1 AS weight,
    made,
    CASE WHEN made IS NOT NULL AND decision_gain IS NOT NULL THEN step_gain::DOUBLE END AS step_gain,
    CASE WHEN made IS NOT NULL THEN decision_gain::DOUBLE END AS decision_gain
FROM kontras
WHERE termination = 'played' AND kontra_max > 0 /* and where */
