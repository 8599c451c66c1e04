-- Copies to the device in chunks: how much of the bandwidth of one call is left.
WITH rate AS (
    SELECT variant, chunks, 1e-9 * bytes / time_s AS mid, 1e-9 * bytes / time_high_s AS low, 1e-9 * bytes / time_low_s AS high
    FROM blp_bandwidth_chunks_median WHERE direction = 'in' AND variant IN ('memcpy', 'memcpy2d')),
kept AS (
    SELECT variant, r.chunks, r.mid / o.mid AS mid, r.low / o.high AS low, r.high / o.low AS high, o.mid AS one
    FROM rate AS r JOIN rate AS o USING (variant) WHERE o.chunks = 1 AND r.chunks > 1),
bounds(id, variant, chunks, bound) AS (
    VALUES ('cui-c-129', 'memcpy', 1024, '>= 0.5 (thesis: 0.99, 0.95..1)'), ('cui-c-130', 'memcpy2d', 64, '>= 0.5 (thesis: 0.90, 0.85..0.95)'))
SELECT 'cui-c-128' AS id, printf('%.2f GB/s in one call, at most %.2f in more', one, max(mid) * one) AS measured,
       'most in one call, 2 % (thesis: 60 GB/s, 54..66)' AS bound,
       CASE WHEN max(high) <= 1.02 THEN 1 WHEN max(low) > 1.02 THEN 0 END AS ok, '' AS reason
FROM kept WHERE variant = 'memcpy' HAVING count(*) > 0
UNION ALL
SELECT id, printf('%.2f lost with %d chunks', 1 - mid, chunks), bound, CASE WHEN 1 - high >= 0.5 THEN 1 WHEN 1 - low < 0.5 THEN 0 END, ''
FROM bounds JOIN kept USING (variant, chunks)
UNION ALL
SELECT 'cui-c-131', group_concat(printf('%.2f and %.2f with %d', t.mid, o.mid, chunks), ', '),
       'left of 2D copies at most what is left of 1D copies, 2 to 64 chunks',
       CASE WHEN max(t.high / o.low) <= 1 THEN 1 WHEN max(t.low / o.high) > 1 THEN 0 END, ''
FROM (SELECT * FROM kept ORDER BY chunks) AS t JOIN kept AS o USING (chunks)
WHERE t.variant = 'memcpy2d' AND o.variant = 'memcpy' AND chunks <= 64 HAVING count(*) > 0;
