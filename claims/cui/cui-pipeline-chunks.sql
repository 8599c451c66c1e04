-- Figure 3.8: numbers of chunks. The thesis has an AMD Radeon HD 7970.
WITH g AS (SELECT * FROM pipeline_by_chunks),
best AS (SELECT benchmark, chunks AS best_chunks, value AS best_value, low AS best_low, mid_s AS best_s, low_s AS best_low_s,
                high_s AS best_high_s, api_calls AS best_calls FROM g WHERE best),
step AS (SELECT *, lag(chunks) OVER w AS before, lag(low) OVER w AS low_before, lag(high) OVER w AS high_before, lag(value) OVER w AS value_before
         FROM g WHERE benchmark = 'conv3d' WINDOW w AS (ORDER BY chunks))
SELECT iif(benchmark = 'conv3d', 'cui-c-055', 'cui-c-074') AS id, 1 / value AS value, 1 / high AS low, 1 / low AS high,
       printf('pipeline with %d chunks / naive', chunks) AS words
FROM g WHERE chunks = finest
UNION ALL
SELECT 'cui-c-056', rate_lost, rate_lost * low_s / mid_s, rate_lost * high_s / mid_s, printf('rate of copies, naive / pipeline with %d chunks', chunks)
FROM g WHERE benchmark = 'conv3d' AND chunks = finest
UNION ALL
SELECT 'cui-c-057', moved_in, NULL, NULL, 'bytes moved in, pipeline / naive, ' || benchmark FROM g WHERE chunks = finest
UNION ALL
SELECT 'cui-c-057', moved_out, NULL, NULL, 'bytes moved out, pipeline / naive, ' || benchmark FROM g WHERE chunks = finest
UNION ALL
SELECT iif(benchmark = 'conv3d', 'cui-c-060', 'cui-c-075'), value, low, high, 'naive / pipeline with 2 chunks' FROM g WHERE chunks = 2
UNION ALL -- which numbers of chunks may be the best
SELECT 'cui-c-061' || '/best', best_chunks, min(chunks), max(chunks), 'chunks are the best'
FROM g JOIN best USING (benchmark) WHERE benchmark = 'conv3d' AND high >= best_low HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-061' || '/rises', total(value >= value_before), total(low >= high_before), total(high >= low_before),
       printf('of %d steps beyond twice the best number rise', count(*))
FROM step JOIN best USING (benchmark) WHERE before >= 2 * best_chunks
UNION ALL
SELECT iif(benchmark = 'conv3d', 'cui-c-062', 'cui-c-077'), min(chunks) FILTER (WHERE value < 1), NULL, NULL,
       iif(min(value) < 1, 'chunks are the fewest that are slower than naive', 'never slower than naive')
FROM g GROUP BY benchmark
UNION ALL
SELECT 'cui-c-076', b.value / a.value, a.low_s / b.high_s, a.high_s / b.low_s, printf('%d / 2 chunks', b.chunks)
FROM g AS a JOIN (SELECT *, min(chunks) FROM g WHERE benchmark = 'stencil' AND chunks >= 4 GROUP BY benchmark) AS b USING (benchmark)
WHERE a.chunks = 2
UNION ALL -- exactly 1 where the most chunks are the best
SELECT 'cui-c-078' || '/time', mid_s / best_s, iif(best, 1, low_s / best_high_s), iif(best, 1, high_s / best_low_s),
       printf('%d / %d chunks', chunks, best_chunks)
FROM g JOIN best USING (benchmark) WHERE benchmark = 'conv3d' AND chunks = finest
UNION ALL
SELECT 'cui-c-078' || '/calls', 1.0 * api_calls / best_calls, NULL, NULL, 'as many calls'
FROM g JOIN best USING (benchmark) WHERE benchmark = 'conv3d' AND chunks = finest
UNION ALL
SELECT 'cui-c-099', max(mid_s) / min(mid_s) - 1, max(low_s) / min(high_s) - 1, max(high_s) / min(low_s) - 1,
       'range / least time over chunks, ' || benchmark
FROM g GROUP BY benchmark;

SELECT 'cui-c-058' AS id, api_calls * call_s / time_s AS value, api_calls * call_s / time_high_s AS low,
       api_calls * call_s / time_low_s AS high, printf('of the time is %d calls of %.2g us', api_calls, 1e6 * call_s) AS words
FROM (SELECT * FROM pipeline_chunk_count_median WHERE benchmark = 'conv3d' AND variant = 'pipeline' ORDER BY chunks DESC, time_s LIMIT 1),
     (SELECT avg(call_s) AS call_s FROM pipeline_calls_median WHERE variant = 'call')
WHERE call_s IS NOT NULL;

-- Bandwidth by bytes per copy, up to 0.9 of the highest.
WITH copy AS (
    SELECT bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM pipeline_calls_median WHERE variant = 'copy-1d'),
ends AS (SELECT min(bytes) AS smallest, max(bytes) AS largest, max(mid) AS most FROM copy)
SELECT 'cui-c-059' || '/ends' AS id, a.mid / b.mid AS value, a.low / b.high AS low, a.high / b.low AS high,
       printf('rate of %d / %d bytes per copy', smallest, largest) AS words
FROM ends JOIN copy AS a ON a.bytes = smallest JOIN copy AS b ON b.bytes = largest
UNION ALL
SELECT 'cui-c-059' || '/falls', total(mid < 0.9 * most AND high < before), NULL, NULL, 'steps surely fall'
FROM (SELECT *, lag(low) OVER (ORDER BY bytes) AS before FROM copy), ends HAVING count(*) > 1;
