-- What would the bids have paid on the same play without any kontra: by how much does that move Σv and Σv²?
-- Score sheets keep levels but no steps, so they are left out. Only where a hand has several steps are its rows brought
-- together; elsewhere a step is a hand, which spares the database millions of groups.
WITH steps AS (
    SELECT
        *,
        CASE WHEN kontra_role = 'declarer' THEN -1 ELSE 1 END * step_gain::DOUBLE
            * CASE WHEN list_contains($individual, ruleset_digest)
                     OR (list_contains($individual_notrump, ruleset_digest) AND trump_class = 'none') THEN 0.5 ELSE 1.0 END
            AS less,
        kontra_max > 1 OR 1 < greatest(simple_kontra_1, simple_kontra_2, 0)
            + greatest(forty_hundred_kontra_1, forty_hundred_kontra_2, 0)
            + greatest(twenty_hundred_kontra_1, twenty_hundred_kontra_2, 0)
            + greatest(ulti_kontra_1, ulti_kontra_2, 0)
            + greatest(four_aces_kontra_1, four_aces_kontra_2, 0)
            + greatest(durchmars_kontra_1, durchmars_kontra_2, 0)
            + greatest(betli_kontra_1, betli_kontra_2, 0)
            OR trump_class = 'none' AS several
    FROM kontras
),
hands_with_steps AS (
    SELECT
        /* by */
        ruleset,
        ruleset_digest,
        is_simulated,
        CASE WHEN is_simulated THEN {'a': player_0, 'b': player_1, 'c': player_2} END AS policies,
        source,
        session,
        contract,
        CASE WHEN several THEN hand_id END AS hand,
        any_value(units_per_defender) AS paid,
        sum(less) AS less,
        sum(2.0 * units_per_defender * less + less * less) AS squares
    FROM steps
    WHERE termination = 'played' AND units_per_defender IS NOT NULL /* and where */
    GROUP BY ALL
)
SELECT
    * EXCLUDE (hand, paid, less, squares),
    sum(less) AS units,
    sum(CASE WHEN hand IS NULL THEN squares ELSE 2.0 * paid * less + less * less END) AS units_squared
FROM hands_with_steps
GROUP BY ALL
