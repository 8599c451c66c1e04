-- Figures 3.9 and 3.10: matrix multiplication, as a whole (naive, block) and with ring buffers for A and B.
WITH t AS (SELECT * FROM pipeline_matmul_median),
pair AS (
    SELECT size, s.variant AS slow, f.variant AS fast, s.time_s / f.time_s AS value, s.time_low_s / f.time_high_s AS low,
           s.time_high_s / f.time_low_s AS high, 1 - 1.0 * s.device_bytes / f.device_bytes AS saved
    FROM t AS s JOIN t AS f USING (size)),
saving AS (
    SELECT size, saved, lag(saved) OVER (ORDER BY size) AS before, count(*) OVER () AS sizes, max(size) OVER () AS largest
    FROM pair WHERE slow = 'pipeline-buffer' AND fast = 'block'),
parts AS ( -- the copies that nothing can hide: of the first chunk, and of the result
    SELECT b.kernel_s, b.to_device_s + b.from_device_s AS copies_s, b.to_device_s / f.chunks + b.from_device_s AS open_s, f.time_s,
           f.time_low_s, f.time_high_s
    FROM t AS b JOIN t AS f USING (size) WHERE b.variant = 'block' AND f.variant = 'pipeline-buffer' ORDER BY size DESC LIMIT 1)
SELECT * FROM (
    SELECT 'cui-c-086' AS id, value, low, high, 'naive / block at size ' || size AS words
    FROM pair WHERE slow = 'naive' AND fast = 'block' ORDER BY value DESC LIMIT 1)
UNION ALL
SELECT 'cui-c-087', value, low, high, 'pipeline-buffer / block at size ' || size FROM pair WHERE slow = 'pipeline-buffer' AND fast = 'block'
UNION ALL
SELECT 'cui-c-088' || '/copies', copies_s / kernel_s, NULL, NULL, 'copies / kernels' FROM parts WHERE kernel_s IS NOT NULL
UNION ALL
SELECT 'cui-c-088' || '/time', (time_s - open_s) / kernel_s, (time_low_s - open_s) / kernel_s, (time_high_s - open_s) / kernel_s,
       'time without first and last copies / kernels'
FROM parts WHERE kernel_s IS NOT NULL
UNION ALL
SELECT 'cui-c-090', saved - before, NULL, NULL, iif(sizes = 1, 'only one size fits as a whole', 'more of the memory saved at size ' || size)
FROM saving WHERE sizes = 1 OR before IS NOT NULL
UNION ALL
SELECT 'cui-c-091', saved, NULL, NULL, 'of the memory saved at size ' || size FROM saving WHERE size = largest;

WITH copy AS (
    SELECT variant, bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM pipeline_calls_median)
SELECT 'cui-c-089' AS id, median(b.mid / a.mid) AS value, median(b.low / a.high) AS low, median(b.high / a.low) AS high,
       printf('panels / contiguous, median of %d lengths', count(*)) AS words
FROM copy AS a JOIN copy AS b USING (bytes) WHERE a.variant = 'copy-1d' AND b.variant = 'copy-2d' HAVING count(*) > 0;

-- The two largest sizes, which do not fit as a whole: what is refused follows from the memory that the program is told it has,
-- so only the ring buffers are judged, against the largest size that fits.
WITH run AS (
    SELECT size, variant, max(coalesce(used_bytes, device_bytes)) AS used, sum(errors) AS errors, median(1.0 * size * size * size / time_s) AS mid,
           interval_low(1.0 * size * size * size / time_s) AS low, interval_high(1.0 * size * size * size / time_s) AS high
    FROM pipeline_matmul WHERE outcome = 'ok' GROUP BY size, variant),
rings AS (SELECT * FROM run WHERE variant = 'pipeline-buffer'),
whole AS (SELECT size AS fitting, used AS whole FROM run WHERE variant = 'block' ORDER BY size DESC LIMIT 1),
large AS (
    SELECT l.size, l.mid / f.mid AS mid, l.low / f.high AS low, l.high / f.low AS high, 1.0 * l.used / whole AS memory, l.errors
    FROM (SELECT size FROM pipeline_matmul GROUP BY size ORDER BY size DESC LIMIT 2) AS s, whole JOIN rings AS f ON f.size = fitting
    LEFT JOIN rings AS l ON l.size = s.size)
SELECT 'cui-c-092' || '/right' AS id, total(errors = 0) AS value, NULL AS low, NULL AS high, 'sizes with right results' AS words
FROM large HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-092' || '/memory', coalesce(memory, 9e999), NULL, NULL, printf('of the memory of whole arrays, size %d', size) FROM large
UNION ALL
SELECT 'cui-c-092' || '/rate', coalesce(mid, 0), coalesce(low, 0), coalesce(high, 0), printf('of the rate of the largest whole size, size %d', size)
FROM large;
