-- Figures 3.9 and 3.10: matrix multiplication, as a whole (naive, block) and with ring buffers for A and B.
WITH rings AS (SELECT *, lag(memory) OVER (ORDER BY size) - memory AS growth, count(*) OVER () AS sizes
               FROM pipeline_matmul_speedups WHERE pair = 'pipeline-buffer / block'),
parts AS ( -- nothing can hide the copies of the first chunk and of the result
    SELECT b.kernel_s, b.to_device_s + b.from_device_s AS copies_s,
           b.to_device_s / f.chunks + b.from_device_s AS open_s,
           f.time_s, f.time_low_s, f.time_high_s, max(size)
    FROM pipeline_matmul_median AS b JOIN pipeline_matmul_median AS f USING (size)
    WHERE b.variant = 'block' AND f.variant = 'pipeline-buffer' GROUP BY b.variant HAVING b.kernel_s IS NOT NULL)
SELECT 'cui-c-086', value, low, high, 'naive / block, size ' || size
FROM (SELECT *, max(value) FROM pipeline_matmul_speedups WHERE pair = 'naive / block' GROUP BY pair)
UNION ALL
SELECT 'cui-c-087', value, low, high, pair || ', size ' || size FROM rings
UNION ALL
SELECT 'cui-c-088/copies', copies_s / kernel_s, NULL, NULL, 'copies / kernels' FROM parts
UNION ALL
SELECT 'cui-c-088/time', (time_s - open_s) / kernel_s, (time_low_s - open_s) / kernel_s,
       (time_high_s - open_s) / kernel_s, 'time without first and last copies / kernels'
FROM parts
UNION ALL
SELECT 'cui-c-090', growth, NULL, NULL,
       iif(sizes = 1, 'only one size fits as a whole', 'more of the memory saved, size ' || size)
FROM rings WHERE sizes = 1 OR growth IS NOT NULL
UNION ALL
SELECT 'cui-c-091', 1 - memory, NULL, NULL, 'of the memory saved, size ' || size FROM rings WHERE largest;

WITH copy AS (
    SELECT variant, bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low,
           bandwidth_gbs * time_s / time_low_s AS high
    FROM pipeline_calls_median)
SELECT 'cui-c-089', median(b.mid / a.mid), median(b.low / a.high), median(b.high / a.low),
       printf('panels / contiguous, median of %d lengths', count(*))
FROM copy AS a JOIN copy AS b USING (bytes) WHERE a.variant = 'copy-1d' AND b.variant = 'copy-2d' HAVING count(*) > 0;

-- The two largest sizes, which do not fit as a whole: what is refused follows from the memory that the program is told
-- it has, so only the ring buffers are judged, against the largest size that fits.
WITH run AS (
    SELECT size, variant, max(coalesce(used_bytes, device_bytes)) AS used, sum(errors) = 0 AS is_right,
           median(pow(size, 3) / time_s) AS mid, interval_low(pow(size, 3) / time_s) AS low,
           interval_high(pow(size, 3) / time_s) AS high
    FROM pipeline_matmul WHERE outcome = 'ok' GROUP BY size, variant),
large AS (
    SELECT 'size ' || s.size AS at, l.is_right, 1.0 * l.used / whole.used AS memory, l.mid / f.mid AS mid,
           l.low / f.high AS low, l.high / f.low AS high
    FROM (SELECT DISTINCT size FROM pipeline_matmul ORDER BY size DESC LIMIT 2) AS s
    JOIN (SELECT *, max(size) FROM run WHERE variant = 'block' GROUP BY variant) AS whole
    JOIN run AS f ON f.size = whole.size AND f.variant = 'pipeline-buffer'
    LEFT JOIN run AS l ON l.size = s.size AND l.variant = 'pipeline-buffer')
SELECT 'cui-c-092/right', coalesce(is_right, 0), NULL, NULL, 'right result, ' || at FROM large
UNION ALL
SELECT 'cui-c-092/memory', coalesce(memory, 9e999), NULL, NULL, 'of the memory of whole arrays, ' || at FROM large
UNION ALL
SELECT 'cui-c-092/rate', coalesce(mid, 0), coalesce(low, 0), coalesce(high, 0),
       'of the rate of the largest whole size, ' || at
FROM large;
