-- One block for all kernels. What the thesis says of its other GPU is judged on this machine; the second machine is shown.
WITH run AS (
    SELECT 1 AS node, variant, block_x AS x, block_y AS y, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low,
           time_s + coalesce(spread_s, 0) AS high
    FROM tuner_sweep_median WHERE time_s > 0
    UNION ALL
    SELECT 2, variant, block_x, block_y, time_s, max(time_s - coalesce(spread_s, 0), 0.001 * time_s), time_s + coalesce(spread_s, 0)
    FROM partner_tuner_sweep_median WHERE time_s > 0),
best AS (SELECT node, variant, min(mid) AS mid, low, high FROM run GROUP BY node, variant),
least AS (
    SELECT node, r.variant, x, y, min(b.mid / r.mid) AS mid, b.low / r.high AS low, b.high / r.low AS high
    FROM run AS r JOIN best AS b USING (node, variant) WHERE x * y <= 512 AND max(x, y) <= 128
    GROUP BY node, x, y HAVING count(*) = (SELECT count(*) FROM best WHERE best.node = r.node)),
most AS (SELECT node, max(mid) AS mid, low, high, printf('%.2f, with %d x %d (%s)', max(mid), x, y, variant) AS text FROM least GROUP BY node)
SELECT 'cui-c-239' AS id, 'at most ' || here.text || '; second machine: ' || coalesce(there.text, 'not measured') AS measured,
       '< 0.6 up to 128 in x and y and 512 threads (thesis, P100: < 0.3)' AS bound,
       CASE WHEN here.high < 0.6 THEN 1 WHEN here.low >= 0.6 THEN 0 END AS ok, 'measured here, not on a Tesla P100' AS reason
FROM most AS here LEFT JOIN most AS there ON there.node = 2 WHERE here.node = 1;
