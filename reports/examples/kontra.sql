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

-- What did a kontra change on the same play: the step alone, and the step with every answer that it made possible?
-- Sums by component and level, and over all components. Hands with the same kontras and outcome are counted first, so that a
-- few kinds stand for millions of hands; a few thousand steps make up all their kontras, and each text is split once.
-- Conditions and splits that speak of single steps put `kontra_steps.sql` between the marks. `hand` holds together the steps
-- of one hand, which are not independent (null: each step is a hand); `weight` is how many hands have them.
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
            /* end of alike */
            len([]::VARCHAR[] || ['6ec276939793eda8']::VARCHAR[]) > 0 AND trump_class = 'none' AS is_notrump,
            outcomes,
            kontras,
            count(*) AS weight
        FROM raw.hands
        WHERE termination = 'played' AND kontra_max > 0 
        GROUP BY ALL
    ),
    split AS (
        SELECT
            * EXCLUDE (kontras),
            row_number() OVER () AS hand,
            unnest(string_split(nullif(kontras, ''), ' ')) AS step
        FROM kinds
    ),
    texts AS (
        SELECT step, string_split(step, ':') AS text FROM split GROUP BY step
    ),
    parsed AS (
        SELECT
            step,
            -- A number to the database, so that no text is compared in what follows.
            CAST(text[2] AS ENUM (
                'simple', 'forty_hundred', 'twenty_hundred', 'ulti', 'four_aces', 'durchmars', 'betli'
            )) AS component,
            CAST(text[5] AS TINYINT) AS step_level,
            CAST(nullif(text[6], '') AS DOUBLE) AS step_gain,
            CAST(nullif(text[7], '') AS DOUBLE) AS decision_gain
        FROM texts
    ),
    known AS (
        SELECT * EXCLUDE (step, outcomes), was_made(outcomes, component) AS made
        FROM split JOIN parsed USING (step)
    )
    SELECT * REPLACE (
        CASE WHEN made IS NOT NULL AND decision_gain IS NOT NULL THEN step_gain END AS step_gain,
        CASE WHEN made IS NOT NULL THEN decision_gain END AS decision_gain
    )
    FROM known
    /* end of said */
),
every_step AS (
    -- A joint kontra is said once a level on a component: only the steps of several components need their hand.
    SELECT * REPLACE (CASE WHEN len([]::VARCHAR[] || ['6ec276939793eda8']::VARCHAR[]) > 0 THEN hand END AS hand)
    FROM said
    UNION ALL BY NAME
    SELECT * REPLACE (NULL AS component)
    FROM said
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
    FROM every_step
    GROUP BY ALL
)
SELECT
    * EXCLUDE (
        component, is_notrump, hand, weight,
        said, n, failed, when_failed, step, step_squared, decision, decision_squared, moved, largest
    ),
    NULL::VARCHAR AS session, 
    coalesce(CAST(component AS VARCHAR), 'all') AS component,
    CASE
        WHEN list_contains([]::VARCHAR[], ruleset_digest) THEN 1
        WHEN is_notrump AND list_contains(['6ec276939793eda8']::VARCHAR[], ruleset_digest) THEN 1
        ELSE 2
    END AS binds,
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
FROM steps
GROUP BY ALL;

-- How often is a kontra said: which levels did the parts of each contract played end at?
-- The levels are as stored: 4 bits a part, against the first defender, and the bits by which those against the second differ.
-- Hands are counted by numbers, the contract by its hash: to compare texts takes longer.
WITH kinds AS (
    SELECT
        
        /* alike */
        ruleset,
        ruleset_digest,
        is_simulated,
        policies,
        source,
        /* end of alike */
        hash(contract) AS kind,
        kontra_max,
        kontra_levels,
        kontra_levels_differ AS differ,
        any_value(contract) AS contract,
        count(*) AS hands
    FROM hands
    WHERE termination = 'played' 
    GROUP BY ALL
)
SELECT
    NULL::VARCHAR AS session, false AS is_sheet, 
    * EXCLUDE (kind, kontra_max, kontra_levels),
    CASE WHEN kontra_max IS DISTINCT FROM 0 THEN kontra_levels END AS levels
FROM kinds
WHERE contract IS NOT NULL;
