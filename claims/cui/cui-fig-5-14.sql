-- One block for all kernels, on the thesis's second GPU: judged on a second machine (cui-c-238: on this one).
WITH run AS (
    SELECT variant, block_x AS x, block_y AS y, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low, time_s + coalesce(spread_s, 0) AS high
    FROM partner_tuner_sweep_median WHERE time_s > 0),
best AS (SELECT variant, min(mid) AS mid, low, high FROM run GROUP BY variant),
least AS (
    SELECT r.variant, x, y, min(b.mid / r.mid) AS mid, b.low / r.high AS low, b.high / r.low AS high
    FROM run AS r JOIN best AS b USING (variant) WHERE x * y <= 512 AND max(x, y) <= 128 GROUP BY x, y HAVING count(*) = (SELECT count(*) FROM best)),
most AS (SELECT variant, x, y, max(mid) AS mid, low, high FROM least)
SELECT 'cui-c-239' AS id, iif(mid, printf('at most %.2f, with %d x %d (%s)', mid, x, y, variant), 'second machine: not measured') AS measured,
       '< 0.6 up to 128 in x and y and 512 threads (thesis, P100: < 0.3)' AS bound,
       CASE WHEN mid IS NULL THEN 'waived' WHEN high < 0.6 THEN 1 WHEN low >= 0.6 THEN 0 END AS ok,
       iif(mid, 'measured on the second machine', 'it is about a second GPU, and no second machine' || iif(cuda, ' with a CUDA GPU', '') || ' is recorded') AS reason
FROM most, (SELECT count(*) > 0 AS cuda FROM machine WHERE name = 'device0_kind' AND value = 'cuda') WHERE EXISTS (SELECT 1 FROM tuner_sweep_median);
