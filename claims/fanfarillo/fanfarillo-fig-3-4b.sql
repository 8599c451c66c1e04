-- Samples of a CPU that other threads disturb: time of iterative / linear, models of few samples.
WITH run AS (
    SELECT *, min(points) OVER () AS taken FROM spmv_hybrid_disturbed_median
    WHERE points > 0 AND threads = (SELECT max(threads) FROM spmv_hybrid_disturbed_median)),
ratio AS (
    SELECT points, i.time_s / l.time_s AS mid, i.time_low_s / l.time_high_s AS low, i.time_high_s / l.time_low_s AS high
    FROM run AS i JOIN run AS l USING (points, rows) WHERE points = i.taken AND i.variant = 'iterative' AND l.variant = 'linear')
SELECT 'fanfarillo-c-051' AS id,
       printf('median iterative / linear %.3f over %d sizes (%.3f to %.3f), %d samples', median(mid), count(*), min(mid), max(mid), points) AS measured,
       '>= 1' AS bound, CASE WHEN median(low) >= 1 THEN 1 WHEN median(high) < 1 THEN 0 END AS ok, 'disturbed on purpose, in place of the cloud of the thesis' AS reason
FROM ratio HAVING count(*) > 0;
