-- Bands: the fastest block whose x is no multiple of 16 (2mm) or 8 (gemm) against the fastest one of all.
WITH kernels(variant, modulus) AS (VALUES ('2mm', 16), ('gemm', 8)),
run AS (
    SELECT variant, modulus, block_x % modulus > 0 AS off, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low,
           time_s + coalesce(spread_s, 0) AS high
    FROM tuner_sweep_median JOIN kernels USING (variant) WHERE time_s > 0),
side AS (SELECT variant, modulus, off, min(mid) AS mid, low, high FROM run GROUP BY variant, off),
ratio AS (
    SELECT variant, modulus, b.mid / o.mid AS mid, b.low / o.high AS low, b.high / o.low AS high
    FROM side AS o JOIN side AS b USING (variant, modulus) WHERE o.off AND NOT b.off ORDER BY variant),
verdict(id, measured, bound, ok, n) AS (
    SELECT 'cui-c-229', printf('%.2f off the multiples of 16', mid), '< 0.6 of the best on them', CASE WHEN max(high) < 0.6 THEN 1 WHEN low >= 0.6 THEN 0 END, 2 * count(*)
    FROM ratio WHERE variant = '2mm'
    UNION ALL
    SELECT 'cui-c-231', group_concat(printf('%s %.2f off the multiples of %d', variant, mid, modulus), ', '), '< 0.6 of the best on them, with both',
           CASE WHEN max(high) < 0.6 THEN 1 WHEN max(low) >= 0.6 THEN 0 END, count(*)
    FROM ratio)
SELECT id, iif(n = 2, measured, 'not measured') AS measured, bound, iif(n = 2, ok, 'waived') AS ok,
       iif(n = 2, '', 'no blocks on and off the multiples were measured') AS reason
FROM verdict WHERE EXISTS (SELECT 1 FROM run);
