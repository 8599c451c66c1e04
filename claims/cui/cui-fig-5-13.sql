-- One block for all kernels: with each block the kernel that it suits least. Intervals: of the mean time of a block's launches.
WITH run AS (
    SELECT variant, block_x AS x, block_y AS y, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low,
           time_s + coalesce(spread_s, 0) AS high
    FROM tuner_sweep_median WHERE time_s > 0),
best AS (SELECT variant, min(mid) AS mid, low, high FROM run GROUP BY variant),
least AS MATERIALIZED (
    SELECT r.variant, x, y, min(b.mid / r.mid) AS mid, b.low / r.high AS low, b.high / r.low AS high
    FROM run AS r JOIN best AS b USING (variant) GROUP BY x, y HAVING count(*) = (SELECT count(*) FROM best)),
shown AS (SELECT variant, x, y, max(mid) AS mid, low, high, count(*) AS blocks FROM least WHERE x * y <= 512 AND max(x, y) <= 128),
universal AS (SELECT variant, x, y, max(mid) AS mid, count(*) AS blocks, sum(low >= 0.95) AS surely, sum(high >= 0.95) AS maybe FROM least)
SELECT 'cui-c-238' AS id, printf('at most %.2f, with %d x %d (%s), of %d blocks', mid, x, y, variant, blocks) AS measured,
       '< 0.6 up to 128 in x and y and 512 threads (thesis, V100: < 0.3)' AS bound, CASE WHEN high < 0.6 THEN 1 WHEN low >= 0.6 THEN 0 END AS ok, '' AS reason
FROM shown WHERE blocks > 0
UNION ALL
SELECT 'cui-c-240', printf('%d of %d blocks reach 0.95 with all kernels; the best, %d x %d, %.2f (%s)', surely, blocks, x, y, mid, variant), 'none',
       CASE WHEN maybe = 0 THEN 1 WHEN surely > 0 THEN 0 END, ''
FROM universal WHERE blocks > 0;
