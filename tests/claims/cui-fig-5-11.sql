-- Blocks of 64, 128 and 256 threads, as 32 x 2, 32 x 4 and 32 x 8: the kernel that each suits least. What the thesis says of its two
-- GPUs one by one is judged on this machine.
WITH run AS (
    SELECT 1 AS node, variant, block_x, block_y, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low,
           time_s + coalesce(spread_s, 0) AS high
    FROM tuner_sweep_median WHERE time_s > 0
    UNION ALL
    SELECT 2, variant, block_x, block_y, time_s, max(time_s - coalesce(spread_s, 0), 0.001 * time_s), time_s + coalesce(spread_s, 0)
    FROM partner_tuner_sweep_median WHERE time_s > 0),
best AS (SELECT node, variant, min(mid) AS mid, low, high FROM run GROUP BY node, variant),
share AS (
    SELECT node, variant, 32 * block_y AS threads, b.mid / r.mid AS mid, b.low / r.high AS low, b.high / r.low AS high
    FROM run AS r JOIN best AS b USING (node, variant) WHERE block_x = 32 AND block_y IN (2, 4, 8)),
least AS (SELECT node, variant, threads, min(mid) AS mid, low, high FROM share GROUP BY node, threads ORDER BY node, threads),
told AS (
    SELECT node, group_concat(printf('%.2f with %d (%s)', mid, threads, variant), ', ') AS text, count(*) AS choices, min(mid) AS mid, min(low) AS low,
           min(high) AS high, max(low) AS most_low, max(high) AS most_high
    FROM least GROUP BY node HAVING count(*) = 3),
verdict(id, measured, bound, ok) AS (
    SELECT 'cui-c-235', here.text || '; second machine: ' || coalesce(there.text, 'not measured'), '<= 0.8 with each number of threads (thesis, P100)',
           CASE WHEN here.most_high <= 0.8 THEN 1 WHEN here.most_low > 0.8 THEN 0 END
    FROM (SELECT 1) LEFT JOIN told AS here ON here.node = 1 LEFT JOIN told AS there ON there.node = 2
    UNION ALL
    SELECT 'cui-c-237', iif(here.mid, printf('%.2f; second machine: ', here.mid) || iif(there.mid, printf('%.2f', there.mid), 'not measured'), NULL),
           '<= 0.6 with one of them (thesis: 0.2, 0.1..0.3)', CASE WHEN here.high <= 0.6 THEN 1 WHEN here.low > 0.6 THEN 0 END
    FROM (SELECT 1) LEFT JOIN told AS here ON here.node = 1 LEFT JOIN told AS there ON there.node = 2)
SELECT id, coalesce(measured, 'not measured') AS measured, bound, iif(measured IS NULL, 'waived', ok) AS ok,
       iif(measured IS NULL, 'not all of 32 x 2, 32 x 4 and 32 x 8 were measured', 'measured here, not on a Tesla P100') AS reason
FROM verdict WHERE EXISTS (SELECT 1 FROM tuner_sweep_median);
