-- What would the bids have paid on the same play without any kontra: by how much does that move n, Σv and Σv²?
-- A defender's gain was the declarer's loss, so it comes back; a declarer's goes. Where a kontra binds one defender, half
-- of it moves the mean of the two. A hand whose gain is unknown is taken out. Score sheets, which keep no steps, are not in.
-- The steps are read as the list that they are stored as, since a row for each would cost ten times as much.
WITH gains AS (
    SELECT
        *,
        [CASE WHEN k.seat = declarer THEN -k.step_gain ELSE k.step_gain END FOR k IN kontras] AS gained,
        CASE
            WHEN list_contains($individual, ruleset_digest) THEN 0.5::DOUBLE
            WHEN trump_class = 'none' AND list_contains($individual_notrump, ruleset_digest) THEN 0.5::DOUBLE
            ELSE 1.0::DOUBLE
        END AS share
    FROM raw.hands
    WHERE kontra_max > 0 AND termination = 'played' AND level <> 'sheet' AND units_per_defender IS NOT NULL
),
moved AS (
    SELECT *, CASE WHEN list_count(gained) = len(kontras) THEN list_sum(gained) * share END AS by_kontra
    FROM gains
)
SELECT
    /* by */
    ruleset,
    ruleset_digest,
    is_simulated,
    CASE WHEN is_simulated THEN {'a': player_0, 'b': player_1, 'c': player_2} END AS policies,
    source,
    session,
    contract,
    -count(*) FILTER (by_kontra IS NULL) AS hands,
    sum(coalesce(by_kontra, -units_per_defender)) AS units,
    sum(coalesce((2 * units_per_defender + by_kontra) * by_kontra, -units_per_defender * units_per_defender)) AS units_squared
FROM moved
WHERE true /* and where */
GROUP BY ALL
