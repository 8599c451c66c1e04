-- Matrix multiplication by size: naive, block (tiles in shared memory) and pipeline-buffer (block with ring buffers).
WITH run AS (SELECT size, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM pipeline_matmul_median),
pair AS (
    SELECT size, b.variant || ' / ' || a.variant AS name, b.mid / a.mid AS mid, b.low / a.high AS low, b.high / a.low AS high
    FROM run AS a JOIN run AS b USING (size) ORDER BY size),
most AS (SELECT * FROM pair WHERE name = 'naive / block' ORDER BY mid DESC LIMIT 1),
parts AS (
    SELECT size, b.to_device_s + b.from_device_s AS copies_s, b.kernel_s, f.time_low_s, f.time_high_s, f.time_s,
           1.05 * b.kernel_s + b.to_device_s / f.chunks + b.from_device_s AS most_s
    FROM pipeline_matmul_median AS b JOIN pipeline_matmul_median AS f USING (size)
    WHERE b.variant = 'block' AND f.variant = 'pipeline-buffer' ORDER BY size DESC LIMIT 1)
SELECT 'cui-c-086' AS id, printf('%.2f at size %d', mid, size) AS measured, '>= 1.5 (thesis: 3)' AS bound,
       CASE WHEN low >= 1.5 THEN 1 WHEN high < 1.5 THEN 0 END AS ok, '' AS reason
FROM most
UNION ALL
SELECT 'cui-c-087', group_concat(printf('%.3f at size %d', mid, size), ', '), '0.95..1.08 at every size',
       CASE WHEN min(low) >= 0.95 AND max(high) <= 1.08 THEN 1 WHEN min(high) < 0.95 OR max(low) > 1.08 THEN 0 END,
       iif(min(high) < 0.95 AND max(low) <= 1.08, 'faster, where the copies that it hides take long', '')
FROM pair WHERE name = 'pipeline-buffer / block' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-088',
       printf('copies / kernels %.3f at size %d; %.3g s against %.3g s of kernels, first and last copies', copies_s / kernel_s, size, time_s, most_s),
       '<= 0.3, and no longer than 1.05 * kernels with the first and last copies',
       CASE WHEN copies_s > 0.3 * kernel_s THEN 0 WHEN time_high_s <= most_s THEN 1 WHEN time_low_s > most_s THEN 0 END, ''
FROM parts WHERE kernel_s IS NOT NULL;

WITH copy AS (
    SELECT variant, bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM pipeline_calls_median WHERE variant LIKE 'copy-%'),
ratio AS (
    SELECT count(*) AS sizes, median(b.mid / a.mid) AS mid, median(b.low / a.high) AS low, median(b.high / a.low) AS high, min(b.mid / a.mid) AS least
    FROM copy AS a JOIN copy AS b USING (bytes) WHERE a.variant = 'copy-1d' AND b.variant = 'copy-2d')
SELECT 'cui-c-089' AS id, printf('panels / contiguous %.3f, median of %d lengths; least %.3f', mid, sizes, least) AS measured, '< 1' AS bound,
       CASE WHEN high < 1 THEN 1 WHEN low >= 1 THEN 0 END AS ok, '' AS reason
FROM ratio WHERE sizes > 0;

-- Sizes that do not fit as a whole; a row that says so has no time. What fits is what the program was told, so it is shown; judged is that
-- the rings take no more memory there than the whole arrays of the largest size that fits, give right results, and lose no rate.
WITH run AS (
    SELECT size, variant, outcome, max(coalesce(used_bytes, device_bytes)) AS used, sum(errors) AS errors, median(2.0 * size * size * size / time_s) AS mid, interval_low(2.0 * size * size * size / time_s) AS low,
           interval_high(2.0 * size * size * size / time_s) AS high
    FROM pipeline_matmul GROUP BY size, variant, outcome),
large AS (SELECT DISTINCT size FROM run ORDER BY size DESC LIMIT 2),
told AS (
    SELECT sum(variant <> 'pipeline-buffer' AND outcome = 'does not fit') AS refused, sum(variant = 'pipeline-buffer' AND outcome = 'ok') AS ran,
           min(CASE WHEN variant = 'pipeline-buffer' THEN mid END) AS mid, min(CASE WHEN variant = 'pipeline-buffer' THEN low END) AS low,
           min(CASE WHEN variant = 'pipeline-buffer' THEN high END) AS high, max(CASE WHEN variant = 'pipeline-buffer' THEN used END) AS used,
           total(errors) AS errors
    FROM run JOIN large USING (size)),
fitting AS (
    SELECT r.size, r.mid, r.low, r.high, b.used FROM run AS r JOIN run AS b USING (size)
    WHERE r.variant = 'pipeline-buffer' AND b.variant = 'block' AND size = (SELECT max(size) FROM run WHERE variant = 'block' AND outcome = 'ok'))
SELECT 'cui-c-092' AS id,
       printf('two largest sizes: %d of 2 run with %d errors', ran, errors)
           || iif(ran, printf(', %.2f of the memory of whole arrays and %.3f of the rate at size %d', told.used / fitting.used,
                              told.mid / fitting.mid, size), '')
           || printf('; %d of 4 others refused', refused) AS measured,
       '2, no error, memory <= 1 and rate >= 0.95' AS bound,
       CASE WHEN ran < 2 OR errors > 0 OR told.used > fitting.used THEN 0 WHEN told.low / fitting.high >= 0.95 THEN 1 WHEN told.high / fitting.low < 0.95 THEN 0 END AS ok,
       'what is refused follows from the size of the device memory, which is given to the program' AS reason
FROM told, fitting;
