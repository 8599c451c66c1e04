-- Numbers of chunks on this machine; the thesis has an AMD Radeon HD 7970. `run` is the fastest number of streams for a
-- number of chunks; `finest` has a chunk per iteration.
WITH ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY benchmark, variant, chunks ORDER BY time_s) AS nth FROM pipeline_chunk_count_median AS c
    WHERE variant IN ('naive', 'pipeline') AND size = (SELECT max(size) FROM pipeline_chunk_count_median AS o WHERE o.benchmark = c.benchmark)),
gain AS (
    SELECT benchmark, p.chunks, n.time_s / p.time_s AS mid, n.time_low_s / p.time_high_s AS low, n.time_high_s / p.time_low_s AS high,
           p.time_s, p.time_low_s, p.time_high_s, p.api_calls, n.bandwidth_to_device_gbs AS naive_gbs, p.bandwidth_to_device_gbs AS gbs,
           1.0 * p.bytes_to_device / n.bytes_to_device AS to_ratio, 1.0 * p.bytes_from_device / n.bytes_from_device AS from_ratio,
           max(p.chunks) OVER (PARTITION BY benchmark) AS finest, row_number() OVER (PARTITION BY benchmark ORDER BY p.time_s) AS place
    FROM ranked AS n JOIN ranked AS p USING (benchmark)
    WHERE n.variant = 'naive' AND n.nth = 1 AND p.variant = 'pipeline' AND p.nth = 1 ORDER BY benchmark, p.chunks),
best AS (SELECT * FROM gain WHERE place = 1),
slower(id, benchmark) AS (VALUES ('cui-c-055', 'conv3d'), ('cui-c-074', 'stencil')),
two(id, benchmark, least, text) AS (VALUES ('cui-c-060', 'conv3d', 1.05, '> 1.05 (thesis: 1.2)'), ('cui-c-075', 'stencil', 1.1, '> 1.1 (thesis: 1.35)')),
step AS (SELECT *, lag(low) OVER w AS low_before, lag(high) OVER w AS high_before, lag(chunks) OVER w AS chunks_before
         FROM gain WHERE benchmark = 'conv3d' WINDOW w AS (ORDER BY chunks)),
note AS (SELECT 'measured here, not on an AMD Radeon HD 7970' AS text)
SELECT id, printf('%.3f with %d chunks', 1 / mid, chunks) AS measured, '> 1 (pipeline / naive; thesis: 1.57 and 1.56)' AS bound,
       CASE WHEN 1 / high > 1 THEN 1 WHEN 1 / low <= 1 THEN 0 END AS ok, text AS reason
FROM slower JOIN gain USING (benchmark), note WHERE chunks = finest
UNION ALL
SELECT 'cui-c-056', printf('%.3g GB/s naive, %.3g GB/s pipeline with %d chunks: ratio %.2f', naive_gbs, gbs, chunks, naive_gbs / gbs),
       '>= 1.5 (thesis: 6 and 2 GB/s)',
       CASE WHEN naive_gbs / gbs * time_low_s / time_s >= 1.5 THEN 1 WHEN naive_gbs / gbs * time_high_s / time_s < 1.5 THEN 0 END, note.text
FROM gain, note WHERE benchmark = 'conv3d' AND chunks = finest
UNION ALL
SELECT 'cui-c-057', group_concat(printf('%s %.4f in, %.4f out', benchmark, to_ratio, from_ratio), '; '), '0.99..1.01 (pipeline / naive)',
       min(to_ratio) >= 0.99 AND max(to_ratio) <= 1.01 AND min(from_ratio) >= 0.99 AND max(from_ratio) <= 1.01, note.text
FROM gain, note WHERE chunks = finest HAVING count(*) > 0
UNION ALL
SELECT id, printf('%.3f', mid), two.text, CASE WHEN low > least THEN 1 WHEN high <= least THEN 0 END, note.text
FROM two JOIN gain USING (benchmark), note WHERE chunks = 2
UNION ALL
SELECT 'cui-c-061',
       printf('most with %d chunks; %d of %d steps beyond twice that fall', best.chunks, sum(step.chunks_before >= 2 * best.chunks AND step.high < low_before),
              sum(step.chunks_before >= 2 * best.chunks)),
       'most with 5..16 (thesis: 9), falling beyond twice that',
       CASE WHEN best.chunks BETWEEN 5 AND 16 AND max(step.chunks NOT BETWEEN 5 AND 16 AND step.high >= best.low) = 0
                 AND max(coalesce(step.chunks_before >= 2 * best.chunks AND step.high >= low_before, 0)) = 0 THEN 1
            WHEN (best.chunks NOT BETWEEN 5 AND 16 AND max(step.chunks BETWEEN 5 AND 16 AND step.high >= best.low) = 0)
                 OR max(coalesce(step.chunks_before >= 2 * best.chunks AND step.low >= high_before, 0)) = 1 THEN 0 END, note.text
FROM step, best, note WHERE best.benchmark = 'conv3d' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-076', printf('4 / 2 chunks %.3f', b.mid / a.mid), '>= 1',
       CASE WHEN a.time_low_s >= b.time_high_s THEN 1 WHEN a.time_high_s < b.time_low_s THEN 0 END, note.text
FROM gain AS a JOIN gain AS b USING (benchmark), note WHERE benchmark = 'stencil' AND a.chunks = 2
  AND b.chunks = (SELECT min(chunks) FROM gain WHERE benchmark = 'stencil' AND chunks >= 4)
UNION ALL
SELECT 'cui-c-078',
       printf('from %d to %d chunks: time %.3g to %.3g s, %.3g to %.3g GB/s, %d to %d calls', best.chunks, f.chunks, best.time_s, f.time_s, best.gbs, f.gbs,
              best.api_calls, f.api_calls),
       'longer, slower copies, more calls',
       CASE WHEN f.chunks = best.chunks THEN 0
            WHEN f.time_low_s > best.time_high_s AND f.api_calls > best.api_calls THEN 1
            WHEN f.time_high_s <= best.time_low_s OR f.api_calls <= best.api_calls THEN 0 END, note.text
FROM best JOIN gain AS f USING (benchmark), note WHERE benchmark = 'conv3d' AND f.chunks = f.finest
UNION ALL
SELECT 'cui-c-062', iif(min(mid) < 1, printf('slower than naive from %d chunks on', min(CASE WHEN mid < 1 THEN chunks END)), 'never slower than naive'),
       'from 20..50 chunks on', 'waived', 'a number of chunks on an AMD Radeon HD 7970'
FROM gain WHERE benchmark = 'conv3d' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-077', iif(min(mid) < 1, printf('slower than naive from %d chunks on', min(CASE WHEN mid < 1 THEN chunks END)), 'never slower than naive'),
       'from 10..20 chunks on', 'waived', 'a number of chunks on an AMD Radeon HD 7970'
FROM gain WHERE benchmark = 'stencil' HAVING count(*) > 0;

WITH calls AS (SELECT avg(call_s) AS call_s FROM pipeline_calls_median WHERE variant = 'call'),
run AS (SELECT * FROM pipeline_chunk_count_median WHERE benchmark = 'conv3d' AND variant = 'pipeline' ORDER BY chunks DESC, time_s LIMIT 1),
device AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'cui-c-058' AS id,
       printf('%d calls of %.2g us: %.3f of the time', api_calls, 1e6 * call_s, api_calls * call_s / time_s) AS measured,
       '< 0.1 on Nvidia, with a chunk per iteration' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN api_calls * call_s / time_low_s < 0.1 THEN 1 WHEN api_calls * call_s / time_high_s >= 0.1 THEN 0 END AS ok,
       iif(real, 'no AMD GPU to compare with', 'a claim about calls of the CUDA driver; this is the software GPU') AS reason
FROM run, calls, device WHERE call_s IS NOT NULL;

WITH copy AS (
    SELECT bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM pipeline_calls_median WHERE variant = 'copy-1d'),
step AS (SELECT *, lag(low) OVER (ORDER BY bytes) AS low_before, lag(high) OVER (ORDER BY bytes) AS high_before, max(mid) OVER () AS most FROM copy),
ends AS (SELECT a.mid / b.mid AS mid, a.low / b.high AS low, a.high / b.low AS high, a.bytes AS smallest, b.bytes AS largest FROM copy AS a, copy AS b
         WHERE a.bytes = (SELECT min(bytes) FROM copy) AND b.bytes = (SELECT max(bytes) FROM copy))
SELECT 'cui-c-059' AS id,
       printf('%.2g of the rate at %d bytes per copy / %d; %d of %d steps below 90 %% of the highest rate fall', ends.mid, smallest, largest,
              sum(coalesce(step.mid < 0.9 * most AND step.high < low_before, 0)), count(*) - 1) AS measured,
       '< 0.5, rising until saturation' AS bound,
       CASE WHEN ends.low >= 0.5 OR max(coalesce(step.mid < 0.9 * most AND step.high < low_before, 0)) THEN 0 WHEN ends.high < 0.5 THEN 1 END AS ok,
       '' AS reason
FROM step, ends HAVING count(*) > 1;
