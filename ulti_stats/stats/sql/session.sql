-- Which deals does a sitting have, in the order in which they were played, and what did each bring to every seat?
WITH deals AS (
    SELECT *, row_number() OVER () AS place
    FROM hands
    WHERE NOT is_simulated /* and where */
)
SELECT
    hand_id,
    deal_no,
    played_at,
    termination,
    contract,
    trump,
    declarer,
    player_0,
    player_1,
    player_2,
    sitting_out,
    payoff_0,
    payoff_1,
    payoff_2
FROM deals
ORDER BY deal_no NULLS LAST, played_at_utc NULLS LAST, place
