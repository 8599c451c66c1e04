-- syr2k: mean speed by the block's size in x, and how far it ever rises from one size to the next one away from the best.
WITH side AS (SELECT block_x AS x, avg(1 / time_s) AS speed FROM tuner_sweep_median WHERE variant = 'syr2k' AND time_s > 0 GROUP BY block_x),
best AS (SELECT x, max(speed) AS speed FROM side HAVING count(*) > 1),
neighbour AS (SELECT x, speed, lag(speed) OVER (ORDER BY x) AS before, lead(speed) OVER (ORDER BY x) AS after FROM side),
rise AS (
    SELECT n.x, max(CASE WHEN n.x > best.x THEN n.speed / before WHEN n.x < best.x THEN n.speed / after END) AS most FROM neighbour AS n, best)
SELECT 'cui-c-227' AS id, printf('best with %d threads in x; one more away from it: the mean speed changes by at most %+.0f %% (at %d)', best.x, 100 * (most - 1), rise.x)
           AS measured,
       '4..32, and no rise by more than 10 % (thesis, V100: 8)' AS bound, best.x BETWEEN 4 AND 32 AND most <= 1.1 AS ok, '' AS reason
FROM best, rise;
