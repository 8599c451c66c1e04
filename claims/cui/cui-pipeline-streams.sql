-- Figures 3.7 and 3.11: numbers of streams. Asked for are pairs of version and streams; N is the most streams.
WITH t AS (SELECT *, max(streams) OVER (PARTITION BY benchmark) AS most FROM pipeline_by_streams),
pair AS (
    SELECT *, slower_streams - streams AS apart, max(streams) OVER (PARTITION BY benchmark) AS most,
           printf('%s: %s%s / %s %d', benchmark, slower, iif(slower_streams = streams, '', ' ' || slower_streams),
                  variant, streams) AS pair
    FROM pipeline_stream_ratios),
asked(id, what, pattern) AS (
    VALUES ('cui-c-053/growth', 'memory', 'conv3d: framework N / framework 2'),
           ('cui-c-054', 'memory saved', 'conv3d: framework N / naive 1'),
           ('cui-c-064', 'time', 'stencil: framework 2 / pipeline N'),
           ('cui-c-066/pipeline', 'time', 'stencil: pipeline N / pipeline 2'),
           ('cui-c-067/two', 'time', 'stencil: pipeline / framework 2'),
           ('cui-c-068/few', 'time', 'stencil: framework / pipeline [1-4]'),
           ('cui-c-068/many', 'time', 'stencil: framework / pipeline [7-9]'),
           ('cui-c-069', 'time', 'stencil: naive 1 / * [2-9]'),
           ('cui-c-073', 'memory saved', 'stencil: framework / pipeline ?'),
           ('cui-c-096', 'time', 'conv3d: pipeline 2 / pipeline 3'),
           ('cui-c-097', 'time', 'conv3d: pipeline [4-9] / pipeline 3')),
span AS ( -- from two streams on: one overlaps nothing
    SELECT benchmark, variant, min(mid) AS mid, min(low) AS low, min(high) AS high, max(mid) AS most,
           max(low) AS most_low, max(high) AS most_high, avg(mid) AS mean
    FROM t WHERE streams >= 2 GROUP BY benchmark, variant)
SELECT id, CASE what WHEN 'time' THEN value WHEN 'memory' THEN memory ELSE 1 - memory END,
       iif(what = 'time', low, NULL), iif(what = 'time', high, NULL), printf('%s, %s streams', what, pair)
FROM asked JOIN pair ON pair GLOB replace(pattern, 'N', most)
UNION ALL
SELECT iif(benchmark = 'stencil', 'cui-c-072', 'cui-c-053/step'), memory, NULL, NULL, 'memory, ' || pair
FROM pair
WHERE apart = 1 AND (pair GLOB 'conv3d: framework * / framework *' OR pair GLOB 'stencil: pipeline * / pipeline *')
UNION ALL
SELECT column1, value, low, high, 'streams are the fewest within 2 % of the best'
FROM pipeline_knees, (VALUES ('cui-c-050'), ('cui-c-095')) WHERE benchmark = 'conv3d' AND variant = 'pipeline'
UNION ALL -- exactly 1 where two streams are the best
SELECT 'cui-c-051', t.mid / best_s, iif(t.mid > best_s, t.low / best_high_s, 1),
       iif(t.mid > best_s, t.high / best_low_s, 1), 'two streams / the best number'
FROM t JOIN pipeline_knees USING (benchmark, variant)
WHERE benchmark = 'conv3d' AND variant = 'pipeline' AND t.streams = 2
UNION ALL
SELECT 'cui-c-065', mid, low, high, printf('s with %d streams', streams)
FROM t WHERE benchmark = 'stencil' AND variant = 'pipeline' AND streams = most
UNION ALL
SELECT 'cui-c-066/framework', most / mid, most_low / high, most_high / low, 'most / least time'
FROM span WHERE benchmark = 'stencil' AND variant = 'framework'
UNION ALL
SELECT 'cui-c-067/best', streams, NULL, NULL, 'streams are the best'
FROM (SELECT *, min(mid) FROM t WHERE benchmark = 'stencil' AND variant = 'pipeline' GROUP BY benchmark)
UNION ALL
SELECT 'cui-c-079', (p.most - p.mid) / p.mean - (f.most - f.mid) / f.mean,
       (p.most_low - p.high) / p.mean - (f.most_high - f.low) / f.mean,
       (p.most_high - p.low) / p.mean - (f.most_low - f.high) / f.mean,
       'range / mean of pipeline less that of framework, ' || benchmark
FROM span AS f JOIN span AS p USING (benchmark) WHERE f.variant = 'framework' AND p.variant = 'pipeline'
UNION ALL
SELECT 'cui-c-094', avg(value), avg(low), avg(high), 'naive / pipeline, mean over streams'
FROM pair WHERE pair GLOB 'conv3d: naive* / pipeline *' HAVING count(*) > 0;

-- Does each benchmark have its own best number of streams? Not surely if one is within 2 % of the best for all.
WITH t AS (
    SELECT benchmark, streams, mid, low, high FROM pipeline_by_streams WHERE variant = 'pipeline'
    UNION ALL
    SELECT benchmark, streams, time_s, time_low_s, time_high_s FROM pipeline_chunk_size_median
    WHERE variant = 'pipeline' AND chunk_size = (SELECT min(chunk_size) FROM pipeline_chunk_size_median)),
near AS (
    SELECT benchmark, streams, mid / min(mid) OVER w - 1 <= 0.02 AS is_near,
           low / min(high) OVER w - 1 <= 0.02 AS may_be
    FROM t WINDOW w AS (PARTITION BY benchmark)),
few AS (SELECT benchmark, min(streams) AS streams FROM near WHERE is_near GROUP BY benchmark),
common AS (SELECT streams FROM near WHERE may_be GROUP BY streams HAVING count(*) = (SELECT count(*) FROM few))
SELECT 'cui-c-052', count(DISTINCT streams), iif(EXISTS (SELECT 1 FROM common), 1, count(DISTINCT streams)), NULL,
       'numbers of streams are the best of ' || count(*) || ' benchmarks'
FROM few HAVING count(*) > 1;

-- Figure 3.4: lattice QCD by number of streams and chunk size.
WITH t AS (SELECT streams, chunk_size, chunks, api_calls, time_s AS mid, time_low_s AS low, time_high_s AS high
           FROM pipeline_chunk_size_median WHERE benchmark = 'qcd' AND variant = 'pipeline'),
best AS (SELECT *, min(mid) FROM t GROUP BY streams),
part AS (SELECT streams <= 4 AS few, min(mid) AS mid, min(low) AS low, min(high) AS high FROM best GROUP BY few)
SELECT 'cui-c-037', median(a.mid / b.mid), median(a.low / b.high), median(a.high / b.low),
       'one / two streams, median over chunk sizes'
FROM t AS a JOIN t AS b USING (chunk_size) WHERE a.streams = 1 AND b.streams = 2 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-038', b.mid / f.mid, b.low / f.high, b.high / f.low, printf('%d / %d streams', b.streams, f.streams)
FROM best AS b, (SELECT * FROM best WHERE streams <= 4 ORDER BY streams DESC LIMIT 1) AS f WHERE b.streams > 4
UNION ALL
SELECT 'cui-c-039', avg(t.mid / b.mid - 1 <= 0.1), avg(t.high / b.low - 1 <= 0.1), avg(t.low / b.high - 1 <= 0.1),
       printf('of %d settings are within 10 %% of the best chunk size', count(*))
FROM t JOIN best AS b USING (streams) WHERE streams >= 2 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-040', f.mid / m.mid, f.low / m.high, f.high / m.low,
       iif(m.mid IS NULL, 'no more than 4 streams were measured', 'up to 4 streams / more')
FROM part AS f LEFT JOIN part AS m ON NOT m.few WHERE f.few
UNION ALL
SELECT 'cui-c-042', calls - before, NULL, NULL, printf('more calls with %d chunks, %d streams', chunks, streams)
FROM (SELECT streams, chunks, min(api_calls) AS calls,
             lag(min(api_calls)) OVER (PARTITION BY streams ORDER BY chunks) AS before
      FROM t GROUP BY streams, chunks)
WHERE before IS NOT NULL;

-- Few chunks, at the best number of streams; exactly 1 where they are the best. naive: share of its transfers.
WITH t AS (SELECT * FROM pipeline_chunk_size_median
           WHERE benchmark = 'qcd' AND variant = 'pipeline' AND streams >= 2 AND chunks >= 2),
few AS (SELECT * FROM t ORDER BY chunks, time_s LIMIT 1),
least AS (SELECT *, min(time_s) FROM t GROUP BY benchmark),
naive AS (SELECT (to_device_s + from_device_s) / time_s >= 0.3 AS enough FROM pipeline_chunk_size_median
          WHERE benchmark = 'qcd' AND variant = 'naive')
SELECT 'cui-c-041', iif(enough, few.time_s / least.time_s, NULL),
       iif(few.chunks = least.chunks, 1, few.time_low_s / least.time_high_s),
       iif(few.chunks = least.chunks, 1, few.time_high_s / least.time_low_s),
       iif(enough, printf('%d / %d chunks', few.chunks, least.chunks),
           'transfers are too small a share of the time here')
FROM few, least, naive;
