-- Which hands does the report speak of: under which rules, from where, how complete, and how did they end?
SELECT
    /* alike */
    ruleset,
    ruleset_digest,
    is_simulated,
    policies,
    'full' AS level,
    NULL::VARCHAR AS options,
    /* end of alike */
    termination,
    count(*) AS hands,
    count(claim_differs) AS differing,
    min(seed) AS first_seed,
    max(seed) AS last_seed
FROM hands
WHERE true 
GROUP BY ALL;

-- What did a kontra change on the same play: the step alone, and the step with every answer that it made possible?
-- Sums by component and level, and over all components. Hands with the same kontras and outcome are counted first, so that a
-- few kinds stand for millions of hands and the text of their kontras is split once a kind; conditions and splits that speak
-- of single steps put `kontra_steps.sql` between the marks. `hand` holds together the steps of one hand, which are not
-- independent (null: each step is a hand); `weight` is how many hands have them.
WITH said AS (
    /* said */
    WITH kinds AS (
        SELECT
            
            /* alike */
            ruleset,
            ruleset_digest,
            is_simulated,
            policies,
            source,
            NULL::VARCHAR AS session,
            /* end of alike */
            trump_class,
            outcomes,
            kontras,
            count(*) AS weight
        FROM raw.hands
        WHERE termination = 'played' AND kontra_max > 0 
        GROUP BY ALL
    ),
    split AS (
        SELECT
            *,
            row_number() OVER () AS hand,
            unnest([string_split(step, ':') FOR step IN string_split(nullif(kontras, ''), ' ')]) AS step
        FROM kinds
    ),
    known AS (
        SELECT
            *,
            step[2] AS component,
            CAST(step[5] AS TINYINT) AS step_level,
            CASE
                WHEN list_contains([]::VARCHAR[], ruleset_digest) THEN 1
                WHEN trump_class = 'none' AND list_contains(['6ec276939793eda8']::VARCHAR[], ruleset_digest) THEN 1
                ELSE 2
            END AS binds,
            was_made(outcomes, component) AS made,
            CAST(nullif(step[7], '') AS DOUBLE) AS decision
        FROM split
    )
    SELECT
        * EXCLUDE (trump_class, outcomes, kontras, step, decision),
        CASE WHEN made IS NOT NULL AND decision IS NOT NULL THEN CAST(nullif(step[6], '') AS DOUBLE) END AS step_gain,
        CASE WHEN made IS NOT NULL THEN decision END AS decision_gain
    FROM known
    /* end of said */
),
steps AS (
    SELECT
        * EXCLUDE (made, step_gain, decision_gain),
        count(*) AS said,
        count(decision_gain) AS n,
        count(decision_gain) FILTER (NOT made) AS failed,
        sum(decision_gain) FILTER (NOT made) AS when_failed,
        sum(step_gain) AS step,
        sum(step_gain * step_gain) AS step_squared,
        sum(decision_gain) AS decision,
        sum(decision_gain * decision_gain) AS decision_squared,
        sum(abs(decision_gain)) AS moved,
        max(abs(decision_gain)) AS largest
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
    * EXCLUDE (
        hand, weight, said, n, failed, when_failed, step, step_squared, decision, decision_squared, moved, largest
    ),
    sum(weight * said) AS said,
    sum(weight * n) AS n,
    sum(weight * failed) AS failed,
    sum(weight * when_failed) AS when_failed,
    sum(weight * step) AS step,
    sum(weight * decision) AS decision,
    sum(weight * moved) AS moved,
    max(largest) AS largest,
    -- Moments over hands: how many, and the squares and products of their sums.
    sum(weight * CASE WHEN hand IS NULL THEN n ELSE (n > 0)::TINYINT END) AS hands,
    sum(weight * CASE WHEN hand IS NULL THEN step_squared ELSE step * step END) AS step_squared,
    sum(weight * CASE WHEN hand IS NULL THEN decision_squared ELSE decision * decision END) AS decision_squared,
    sum(weight * CASE WHEN hand IS NULL THEN failed ELSE failed * failed END) AS failed_squared,
    sum(weight * CASE WHEN hand IS NULL THEN n ELSE n * n END) AS n_squared,
    sum(weight * CASE WHEN hand IS NULL THEN step ELSE n * step END) AS n_step,
    sum(weight * CASE WHEN hand IS NULL THEN decision ELSE n * decision END) AS n_decision,
    sum(weight * CASE WHEN hand IS NULL THEN failed ELSE n * failed END) AS n_failed
FROM every_row
GROUP BY ALL;

-- How often is a kontra said: which levels did the parts of each contract played end at?
-- The levels are as stored: 4 bits a part, against the first defender, and the bits by which those against the second differ.
SELECT
    
    /* alike */
    ruleset,
    ruleset_digest,
    is_simulated,
    policies,
    source,
    NULL::VARCHAR AS session,
    false AS is_sheet,
    /* end of alike */
    contract,
    CASE WHEN kontra_max IS DISTINCT FROM 0 THEN kontra_levels END AS levels,
    kontra_levels_differ AS differ,
    count(*) AS hands
FROM hands
WHERE contract IS NOT NULL AND termination = 'played' 
GROUP BY ALL;
