-- Blocks of 64, 128 and 256 threads, as 32 x 2, 32 x 4 and 32 x 8: the kernel that each suits least. Here the least of all of them.
WITH run AS (
    SELECT variant, block_x, block_y, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low, time_s + coalesce(spread_s, 0) AS high
    FROM tuner_sweep_median WHERE time_s > 0),
best AS (SELECT variant, min(mid) AS mid, low, high FROM run GROUP BY variant),
share AS (
    SELECT variant, 32 * block_y AS threads, b.mid / r.mid AS mid, b.low / r.high AS low, b.high / r.low AS high
    FROM run AS r JOIN best AS b USING (variant) WHERE block_x = 32 AND block_y IN (2, 4, 8)),
told AS (SELECT variant, threads, min(mid) AS mid, low, high, count(DISTINCT threads) AS choices FROM share)
SELECT 'cui-c-237' AS id, iif(choices = 3, printf('%.2f with %d (%s)', mid, threads, variant), 'not measured') AS measured,
       '<= 0.6 with one of them (thesis, P100 and V100: 0.2, 0.1..0.3)' AS bound,
       CASE WHEN choices < 3 THEN 'waived' WHEN high <= 0.6 THEN 1 WHEN low > 0.6 THEN 0 END AS ok,
       iif(choices < 3, 'not all of 32 x 2, 32 x 4 and 32 x 8 were measured', '') AS reason
FROM told WHERE EXISTS (SELECT 1 FROM run);

-- The thesis says the same of a second GPU: judged on a second machine (cui-c-236: on this one).
WITH run AS (
    SELECT variant, block_x, block_y, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low, time_s + coalesce(spread_s, 0) AS high
    FROM partner_tuner_sweep_median WHERE time_s > 0),
best AS (SELECT variant, min(mid) AS mid, low, high FROM run GROUP BY variant),
share AS (
    SELECT variant, 32 * block_y AS threads, b.mid / r.mid AS mid, b.low / r.high AS low, b.high / r.low AS high
    FROM run AS r JOIN best AS b USING (variant) WHERE block_x = 32 AND block_y IN (2, 4, 8)),
least AS (SELECT variant, threads, min(mid) AS mid, low, high FROM share GROUP BY threads ORDER BY threads)
SELECT 'cui-c-235' AS id, coalesce(group_concat(iif(threads, printf('%.2f with %d (%s)', mid, threads, variant), NULL), ', '), 'second machine: not measured') AS measured,
       '<= 0.8 with each number of threads (thesis, P100)' AS bound,
       CASE WHEN count(threads) < 3 THEN 'waived' WHEN max(high) <= 0.8 THEN 1 WHEN max(low) > 0.8 THEN 0 END AS ok,
       CASE count(threads) WHEN 3 THEN 'measured on the second machine'
                     WHEN 0 THEN 'it is about a second GPU, and no second machine' || iif(cuda, ' with a CUDA GPU', '') || ' is recorded'
                     ELSE 'not all of 32 x 2, 32 x 4 and 32 x 8 were measured' END AS reason
FROM (SELECT count(*) > 0 AS cuda FROM machine WHERE name = 'device0_kind' AND value = 'cuda') LEFT JOIN least ON true
WHERE EXISTS (SELECT 1 FROM tuner_sweep_median);
