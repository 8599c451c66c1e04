-- Figures 3.4, 3.7 and 3.11: numbers of streams.
WITH t AS (SELECT * FROM pipeline_by_streams),
step AS (SELECT *, 1.0 * used / lag(used) OVER (PARTITION BY benchmark, variant ORDER BY streams) AS growth FROM t),
eight AS (SELECT benchmark, variant AS fast, max(streams) AS streams FROM t WHERE streams <= 8 GROUP BY benchmark, variant),
span AS ( -- from two streams on: one overlaps nothing
    SELECT benchmark, variant, min(mid) AS mid, min(low) AS low, min(high) AS high, max(mid) AS most, max(low) AS most_low,
           max(high) AS most_high, avg(mid) AS mean, max(streams) AS many
    FROM t WHERE streams >= 2 GROUP BY benchmark, variant),
pair AS (
    SELECT benchmark, s.variant AS slow, f.variant AS fast, s.streams AS slow_streams, f.streams AS streams, s.mid / f.mid AS value,
           s.low / f.high AS low, s.high / f.low AS high, 1.0 * f.used / s.used AS memory, f.used - f.own AS context
    FROM t AS s JOIN t AS f USING (benchmark))
SELECT 'cui-c-050' AS id, value, low, high, 'streams are the fewest within 2 % of the best' AS words
FROM pipeline_knees WHERE benchmark = 'conv3d' AND variant = 'pipeline'
UNION ALL
SELECT 'cui-c-095', value, low, high, 'streams are the fewest within 2 % of the best'
FROM pipeline_knees WHERE benchmark = 'conv3d' AND variant = 'pipeline'
UNION ALL -- exactly 1 where two streams are the best
SELECT 'cui-c-051', t.mid / b.mid, iif(t.mid > b.mid, t.low / b.high, 1), iif(t.mid > b.mid, t.high / b.low, 1),
       'two streams / the best number'
FROM t JOIN pipeline_best_streams AS b USING (benchmark, variant)
WHERE benchmark = 'conv3d' AND variant = 'pipeline' AND streams = 2
UNION ALL
SELECT 'cui-c-053' || '/growth', memory, NULL, NULL, printf('memory used with %d / 2 streams', streams)
FROM pair JOIN eight USING (benchmark, fast, streams)
WHERE benchmark = 'conv3d' AND slow = 'framework' AND fast = slow AND slow_streams = 2
UNION ALL
SELECT iif(benchmark = 'stencil', 'cui-c-072', 'cui-c-053' || '/step'), growth, NULL, NULL,
       printf('memory used with %d streams / with fewer', streams)
FROM step WHERE growth IS NOT NULL AND (benchmark, variant) IN (VALUES ('conv3d', 'framework'), ('stencil', 'pipeline'))
UNION ALL
SELECT 'cui-c-054', 1 - memory, NULL, NULL,
       printf('of the memory used saved with %d streams, %.3g MB for CUDA''s context', streams, 1e-6 * context)
FROM pair JOIN eight USING (benchmark, fast, streams) WHERE benchmark = 'conv3d' AND slow = 'naive' AND fast = 'framework'
UNION ALL
SELECT 'cui-c-064', value, low, high, printf('framework with 2 streams / pipeline with %d', streams)
FROM pair JOIN eight USING (benchmark, fast, streams)
WHERE benchmark = 'stencil' AND slow = 'framework' AND slow_streams = 2 AND fast = 'pipeline'
UNION ALL
SELECT 'cui-c-065', mid, low, high, printf('s with %d streams', streams)
FROM t JOIN eight USING (benchmark, streams) WHERE benchmark = 'stencil' AND variant = 'pipeline' AND fast = variant
UNION ALL
SELECT 'cui-c-066' || '/pipeline', value, low, high, printf('%d / 2 streams', slow_streams)
FROM pair WHERE benchmark = 'stencil' AND slow = 'pipeline' AND fast = slow AND streams = 2
  AND slow_streams = (SELECT many FROM span WHERE benchmark = 'stencil' AND variant = 'pipeline')
UNION ALL
SELECT 'cui-c-066' || '/framework', most / mid, most_low / high, most_high / low, 'most / least time'
FROM span WHERE benchmark = 'stencil' AND variant = 'framework'
UNION ALL
SELECT 'cui-c-067' || '/best', streams, NULL, NULL, 'streams are the best'
FROM (SELECT *, min(mid) FROM t WHERE benchmark = 'stencil' AND variant = 'pipeline' GROUP BY benchmark)
UNION ALL
SELECT 'cui-c-067' || '/two', value, low, high, 'pipeline / framework, 2 streams'
FROM pair WHERE benchmark = 'stencil' AND slow = 'pipeline' AND fast = 'framework' AND slow_streams = 2 AND streams = 2
UNION ALL
SELECT 'cui-c-068' || iif(streams <= 4, '/few', '/many'), value, low, high, printf('framework / pipeline, %d streams', streams)
FROM pair WHERE benchmark = 'stencil' AND slow = 'framework' AND fast = 'pipeline' AND slow_streams = streams AND streams NOT IN (5, 6)
UNION ALL
SELECT 'cui-c-069', value, low, high, printf('naive / %s with %d streams', fast, streams)
FROM pair WHERE benchmark = 'stencil' AND slow = 'naive' AND fast <> 'naive' AND streams > 1
UNION ALL
SELECT 'cui-c-073', 1 - memory, NULL, NULL, printf('of the memory used saved with %d streams', streams)
FROM pair WHERE benchmark = 'stencil' AND slow = 'pipeline' AND fast = 'framework' AND slow_streams = streams
UNION ALL
SELECT 'cui-c-079', (p.most - p.mid) / p.mean - (f.most - f.mid) / f.mean,
       (p.most_low - p.high) / p.mean - (f.most_high - f.low) / f.mean,
       (p.most_high - p.low) / p.mean - (f.most_low - f.high) / f.mean, 'range / mean of pipeline less that of framework, ' || benchmark
FROM span AS f JOIN span AS p USING (benchmark)
WHERE benchmark IN ('conv3d', 'stencil') AND f.variant = 'framework' AND p.variant = 'pipeline'
UNION ALL
SELECT 'cui-c-094', avg(value), avg(low), avg(high), 'naive / pipeline, mean over streams'
FROM pair WHERE benchmark = 'conv3d' AND slow = 'naive' AND fast = 'pipeline' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-096', value, low, high, 'two / three streams'
FROM pair WHERE benchmark = 'conv3d' AND slow = 'pipeline' AND fast = 'pipeline' AND slow_streams = 2 AND streams = 3
UNION ALL
SELECT 'cui-c-097', value, low, high, printf('%d / three streams', slow_streams)
FROM pair WHERE benchmark = 'conv3d' AND slow = 'pipeline' AND fast = 'pipeline' AND slow_streams > 3 AND streams = 3;

-- Does each benchmark have its own best number of streams? It may be one that is within 2 % of the best in all of them.
WITH t AS (
    SELECT benchmark, streams, mid, low, high FROM pipeline_by_streams WHERE variant = 'pipeline'
    UNION ALL
    SELECT benchmark, streams, time_s, time_low_s, time_high_s FROM pipeline_chunk_size_median
    WHERE variant = 'pipeline' AND benchmark = 'qcd' AND chunk_size = (SELECT min(chunk_size) FROM pipeline_chunk_size_median)),
best AS (SELECT benchmark, min(mid) AS mid, min(high) AS high FROM t GROUP BY benchmark),
few AS (SELECT benchmark, min(streams) AS streams FROM t JOIN best USING (benchmark) WHERE t.mid <= 1.02 * best.mid GROUP BY benchmark),
common AS (SELECT streams FROM t JOIN best USING (benchmark) WHERE t.low <= 1.02 * best.high
           GROUP BY streams HAVING count(*) = (SELECT count(*) FROM best))
SELECT 'cui-c-052' AS id, count(DISTINCT streams) AS value,
       iif(EXISTS (SELECT 1 FROM common), 1, count(DISTINCT streams)) AS low, NULL AS high,
       'numbers of streams are the best of ' || count(*) || ' benchmarks' AS words
FROM few HAVING count(*) > 1;

-- Lattice QCD by number of streams and chunk size.
WITH t AS (SELECT streams, chunk_size, chunks, api_calls, time_s AS mid, time_low_s AS low, time_high_s AS high
           FROM pipeline_chunk_size_median WHERE benchmark = 'qcd' AND variant = 'pipeline'),
best AS (SELECT *, min(mid) FROM t GROUP BY streams),
four AS (SELECT * FROM best WHERE streams <= 4 ORDER BY streams DESC LIMIT 1)
SELECT 'cui-c-037' AS id, median(a.mid / b.mid) AS value, median(a.low / b.high) AS low, median(a.high / b.low) AS high,
       'one / two streams, median over chunk sizes' AS words
FROM t AS a JOIN t AS b USING (chunk_size) WHERE a.streams = 1 AND b.streams = 2 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-038', b.mid / four.mid, b.low / four.high, b.high / four.low, printf('%d / %d streams', b.streams, four.streams)
FROM best AS b, four WHERE b.streams > 4
UNION ALL
SELECT 'cui-c-039', avg(t.mid <= 1.1 * b.mid), avg(t.high <= 1.1 * b.low), 1 - avg(t.low > 1.1 * b.high),
       printf('of %d settings are within 10 %% of the best chunk size', count(*))
FROM t JOIN best AS b USING (streams) WHERE streams >= 2 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-040', few.mid / more.mid, few.low / more.high, few.high / more.low,
       iif(more.mid IS NULL, 'no more than 4 streams were measured', 'up to 4 streams / more')
FROM (SELECT min(mid) AS mid, min(low) AS low, min(high) AS high FROM best WHERE streams <= 4) AS few,
     (SELECT min(mid) AS mid, min(low) AS low, min(high) AS high FROM best WHERE streams > 4) AS more
WHERE few.mid IS NOT NULL
UNION ALL
SELECT 'cui-c-042', calls - before, NULL, NULL, printf('more calls with %d chunks, %d streams', chunks, streams)
FROM (SELECT *, lag(calls) OVER (PARTITION BY streams ORDER BY chunks) AS before
      FROM (SELECT streams, chunks, min(api_calls) AS calls FROM t GROUP BY streams, chunks))
WHERE before IS NOT NULL;

-- Few chunks, at the best number of streams; exactly 1 where they are the best. The share of transfers is that of naive.
WITH t AS (SELECT * FROM pipeline_chunk_size_median WHERE benchmark = 'qcd' AND variant = 'pipeline' AND streams >= 2 AND chunks >= 2),
few AS (SELECT * FROM t ORDER BY chunks, time_s LIMIT 1),
least AS (SELECT * FROM t ORDER BY time_s LIMIT 1),
naive AS (
    SELECT 0 AS elsewhere, size, to_device_s, from_device_s, time_s FROM pipeline_chunk_size_median
    WHERE benchmark = 'qcd' AND variant = 'naive'
    UNION ALL
    SELECT 1, size, to_device_s, from_device_s, time_s FROM pipeline_versions_median WHERE benchmark = 'qcd' AND variant = 'naive'),
share AS (SELECT (to_device_s + from_device_s) / time_s AS share FROM naive ORDER BY elsewhere, size DESC LIMIT 1)
SELECT 'cui-c-041' AS id, iif(share < 0.3, NULL, few.time_s / least.time_s) AS value,
       iif(few.chunks = least.chunks, 1, few.time_low_s / least.time_high_s) AS low,
       iif(few.chunks = least.chunks, 1, few.time_high_s / least.time_low_s) AS high,
       iif(share < 0.3, 'transfers are too small a share of the time here', printf('%d / %d chunks', few.chunks, least.chunks)) AS words
FROM few, least, share;
