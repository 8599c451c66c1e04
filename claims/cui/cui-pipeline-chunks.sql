-- Figure 3.8: numbers of chunks.
WITH g AS (SELECT * FROM pipeline_by_chunks),
best AS (SELECT benchmark, chunks AS best_chunks, low AS best_low, mid_s AS best_s, low_s AS best_low_s,
                high_s AS best_high_s, api_calls AS best_calls FROM g WHERE best),
conv3d AS (SELECT *, lag(value) OVER w AS before, lag(low) OVER w AS low_before, lag(high) OVER w AS high_before,
                  lag(chunks) OVER w >= 2 * best_chunks AS beyond
           FROM g JOIN best USING (benchmark) WHERE benchmark = 'conv3d' WINDOW w AS (ORDER BY chunks))
SELECT iif(benchmark = 'conv3d', 'cui-c-055', 'cui-c-074'), 1 / value, 1 / high, 1 / low,
       printf('pipeline with %d chunks / naive', chunks)
FROM g WHERE chunks = finest
UNION ALL
SELECT 'cui-c-056', rate_lost, rate_lost * low_s / mid_s, rate_lost * high_s / mid_s,
       printf('rate of copies, naive / pipeline with %d chunks', chunks)
FROM conv3d WHERE chunks = finest
UNION ALL
SELECT 'cui-c-057', iif(way = 'in', moved_in, moved_out), NULL, NULL,
       printf('bytes %s, pipeline / naive, %s', way, benchmark)
FROM g, (SELECT 'in' AS way UNION ALL SELECT 'out') WHERE chunks = finest
UNION ALL
SELECT iif(benchmark = 'conv3d', 'cui-c-060', 'cui-c-075'), value, low, high, 'naive / pipeline with 2 chunks' FROM g
WHERE chunks = 2
UNION ALL -- which numbers of chunks may be the best
SELECT 'cui-c-061/best', best_chunks, min(chunks), max(chunks), 'chunks are the best' FROM conv3d
WHERE high >= best_low GROUP BY benchmark
UNION ALL
SELECT 'cui-c-061/rises', total(beyond AND value >= before), total(beyond AND low >= high_before),
       total(beyond AND high >= low_before), 'steps beyond twice the best number rise'
FROM conv3d GROUP BY benchmark
UNION ALL
SELECT 'cui-c-076', b.value / a.value, a.low_s / b.high_s, a.high_s / b.low_s, printf('%d / 2 chunks', b.chunks)
FROM g AS a JOIN (SELECT *, min(chunks) FROM g WHERE benchmark = 'stencil' AND chunks >= 4 GROUP BY benchmark) AS b
    USING (benchmark) WHERE a.chunks = 2
UNION ALL -- exactly 1 where the most chunks are the best
SELECT 'cui-c-078/time', mid_s / best_s, iif(best, 1, low_s / best_high_s), iif(best, 1, high_s / best_low_s),
       printf('%d / %d chunks', chunks, best_chunks)
FROM conv3d WHERE chunks = finest
UNION ALL
SELECT 'cui-c-078/calls', 1.0 * api_calls / best_calls, NULL, NULL, 'as many calls' FROM conv3d WHERE chunks = finest
UNION ALL
SELECT 'cui-c-099', max(mid_s) / min(mid_s) - 1, max(low_s) / min(high_s) - 1, max(high_s) / min(low_s) - 1,
       'range / least time over chunks, ' || benchmark
FROM g GROUP BY benchmark;

SELECT 'cui-c-058', calls_s / time_s, calls_s / time_high_s, calls_s / time_low_s,
       printf('of the time is %d calls', api_calls)
FROM (SELECT *, api_calls * (SELECT avg(call_s) FROM pipeline_calls_median WHERE variant = 'call') AS calls_s
      FROM pipeline_chunk_count_median WHERE benchmark = 'conv3d' AND variant = 'pipeline'
      ORDER BY chunks DESC, time_s LIMIT 1)
WHERE calls_s IS NOT NULL;

-- Bandwidth by bytes per copy. It is saturated from 0.9 of the highest one on.
WITH copy AS (
    SELECT bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low,
           bandwidth_gbs * time_s / time_low_s AS high
    FROM pipeline_calls_median WHERE variant = 'copy-1d'),
ends AS (SELECT min(bytes) AS smallest, max(bytes) AS largest FROM copy)
SELECT 'cui-c-059/ends', a.mid / b.mid, a.low / b.high, a.high / b.low,
       printf('rate of %d / %d bytes per copy', smallest, largest)
FROM ends JOIN copy AS a ON a.bytes = smallest JOIN copy AS b ON b.bytes = largest
UNION ALL
SELECT 'cui-c-059/falls', total(mid < 0.9 * most AND high < before), NULL, NULL, 'steps surely fall'
FROM (SELECT *, lag(low) OVER (ORDER BY bytes) AS before, max(mid) OVER () AS most FROM copy) HAVING count(*) > 1;
