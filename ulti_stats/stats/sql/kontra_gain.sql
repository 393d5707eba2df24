-- What did a kontra change on the same play: the step alone, and the step with every answer that it made possible?
-- Sums by component and level, and over all components. Where a hand may have two steps in one row they are added up
-- first, since they are not independent; elsewhere a step is a hand, which spares the database millions of groups.
WITH said AS (
    SELECT
        *,
        CASE
            WHEN list_contains($individual, ruleset_digest) THEN 1
            WHEN trump_class = 'none' AND list_contains($individual_notrump, ruleset_digest) THEN 1
            ELSE 2
        END AS binds,
        1 < coalesce((simple_kontra_1 > 0 OR simple_kontra_2 > 0)::TINYINT, 0)
            + coalesce((forty_hundred_kontra_1 > 0 OR forty_hundred_kontra_2 > 0)::TINYINT, 0)
            + coalesce((twenty_hundred_kontra_1 > 0 OR twenty_hundred_kontra_2 > 0)::TINYINT, 0)
            + coalesce((ulti_kontra_1 > 0 OR ulti_kontra_2 > 0)::TINYINT, 0)
            + coalesce((four_aces_kontra_1 > 0 OR four_aces_kontra_2 > 0)::TINYINT, 0)
            + coalesce((durchmars_kontra_1 > 0 OR durchmars_kontra_2 > 0)::TINYINT, 0)
            + coalesce((betli_kontra_1 > 0 OR betli_kontra_2 > 0)::TINYINT, 0) AS on_several,
        CASE WHEN made IS NOT NULL AND decision_gain IS NOT NULL THEN step_gain::DOUBLE END AS step_known,
        CASE WHEN made IS NOT NULL THEN decision_gain::DOUBLE END AS decision_known
    FROM kontras
    WHERE termination = 'played' AND kontra_max > 0 /* and where */
),
steps AS (
    SELECT
        /* by */
        ruleset,
        ruleset_digest,
        is_simulated,
        CASE WHEN is_simulated THEN {'a': player_0, 'b': player_1, 'c': player_2} END AS policies,
        source,
        session,
        component,
        step_level,
        binds,
        CASE WHEN binds = 1 OR on_several THEN hand_hash END AS hand,
        count(*) AS said,
        count(decision_known) AS n,
        count(decision_known) FILTER (NOT made) AS failed,
        sum(decision_known) FILTER (NOT made) AS when_failed,
        sum(step_known) AS step,
        sum(step_known * step_known) AS step_squared,
        sum(decision_known) AS decision,
        sum(decision_known * decision_known) AS decision_squared,
        sum(abs(decision_known)) AS moved,
        max(abs(decision_known)) AS largest
    FROM said
    GROUP BY ALL
),
every_row AS (
    SELECT * FROM steps
    UNION ALL BY NAME
    SELECT
        * EXCLUDE (component, said, n, failed, when_failed, step, step_squared, decision, decision_squared, moved, largest),
        'all' AS component,
        sum(said) AS said,
        sum(n) AS n,
        sum(failed) AS failed,
        sum(when_failed) AS when_failed,
        sum(step) AS step,
        sum(step_squared) AS step_squared,
        sum(decision) AS decision,
        sum(decision_squared) AS decision_squared,
        sum(moved) AS moved,
        max(largest) AS largest
    FROM steps
    GROUP BY ALL
)
SELECT
    * EXCLUDE (hand, said, n, failed, when_failed, step, step_squared, decision, decision_squared, moved, largest),
    sum(said) AS said,
    sum(n) AS n,
    sum(failed) AS failed,
    sum(when_failed) AS when_failed,
    sum(step) AS step,
    sum(decision) AS decision,
    sum(moved) AS moved,
    max(largest) AS largest,
    -- Moments over hands: how many, and the squares and products of their sums.
    sum(CASE WHEN hand IS NULL THEN n ELSE (n > 0)::TINYINT END) AS hands,
    sum(CASE WHEN hand IS NULL THEN step_squared ELSE step * step END) AS step_squared,
    sum(CASE WHEN hand IS NULL THEN decision_squared ELSE decision * decision END) AS decision_squared,
    sum(CASE WHEN hand IS NULL THEN failed ELSE failed * failed END) AS failed_squared,
    sum(CASE WHEN hand IS NULL THEN n ELSE n * n END) AS n_squared,
    sum(CASE WHEN hand IS NULL THEN step ELSE n * step END) AS n_step,
    sum(CASE WHEN hand IS NULL THEN decision ELSE n * decision END) AS n_decision,
    sum(CASE WHEN hand IS NULL THEN failed ELSE n * failed END) AS n_failed
FROM every_row
GROUP BY ALL
