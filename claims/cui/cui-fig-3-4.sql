-- Lattice QCD, largest data set: chunk sizes and streams. `best` is the fastest chunk size for a number of streams.
WITH run AS (SELECT * FROM pipeline_chunk_size_median WHERE benchmark = 'qcd' AND variant = 'pipeline'),
ranked AS (SELECT *, row_number() OVER (PARTITION BY streams ORDER BY time_s) AS nth FROM run),
best AS (SELECT streams, time_s AS mid, time_low_s AS low, time_high_s AS high FROM ranked WHERE nth = 1 ORDER BY streams),
least AS (SELECT mid, low, high FROM best ORDER BY mid LIMIT 1),
two AS (
    SELECT median(a.time_s / b.time_s) AS mid, median(a.time_low_s / b.time_high_s) AS low, median(a.time_high_s / b.time_low_s) AS high
    FROM run AS a JOIN run AS b USING (chunk_size) WHERE a.streams = 1 AND b.streams = 2),
four AS (SELECT * FROM best WHERE streams <= 4 ORDER BY streams DESC LIMIT 1),
setting AS (
    SELECT r.time_high_s <= 1.1 * m.low AS good, r.time_low_s > 1.1 * m.high AS bad
    FROM run AS r JOIN best AS m USING (streams) WHERE r.streams >= 2)
SELECT 'cui-c-037' AS id, printf('one / two streams %.2f, median over chunk sizes', mid) AS measured, '>= 1.15' AS bound,
       CASE WHEN low >= 1.15 THEN 1 WHEN high < 1.15 THEN 0 END AS ok, '' AS reason
FROM two WHERE mid IS NOT NULL
UNION ALL
SELECT 'cui-c-038', group_concat(printf('%.3f with %d streams', b.mid / four.mid, b.streams), ', ') || printf(' of the time with %d', four.streams),
       '>= 0.98 for more than 4', CASE WHEN min(b.low / four.high) >= 0.98 THEN 1 WHEN min(b.high / four.low) < 0.98 THEN 0 END, ''
FROM best AS b, four WHERE b.streams > 4 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-039', printf('%d of %d settings within 10 %% of the best chunk size', count(*) - sum(bad), count(*)), '>= 80 %',
       CASE WHEN sum(good) >= 0.8 * count(*) THEN 1 WHEN count(*) - sum(bad) < 0.8 * count(*) THEN 0 END, ''
FROM setting HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-040', printf('fewest within 2 %% of the best: %d', min(CASE WHEN b.mid <= 1.02 * least.mid THEN streams END)),
       '<= 4 (thesis: 2)',
       CASE WHEN max(streams) <= 4 THEN 'waived'
            WHEN min(CASE WHEN streams <= 4 THEN b.high END) <= 1.02 * min(CASE WHEN streams > 4 THEN b.low END) THEN 1
            WHEN min(CASE WHEN streams <= 4 THEN b.low END) > 1.02 * min(CASE WHEN streams > 4 THEN b.high END) THEN 0 END,
       iif(max(streams) <= 4, 'no more than 4 streams were measured', '')
FROM best AS b, least HAVING count(*) > 0;

-- Few chunks, at the number of streams that is best; the share of transfers is that of the naive version.
WITH run AS (SELECT * FROM pipeline_chunk_size_median WHERE benchmark = 'qcd' AND variant = 'pipeline' AND streams >= 2 AND chunks >= 2),
few AS (SELECT * FROM run WHERE chunks = (SELECT min(chunks) FROM run) ORDER BY time_s LIMIT 1),
least AS (SELECT * FROM run ORDER BY time_s LIMIT 1),
naive AS (
    SELECT 0 AS elsewhere, size, to_device_s, from_device_s, time_s FROM pipeline_chunk_size_median WHERE benchmark = 'qcd' AND variant = 'naive'
    UNION ALL
    SELECT 1, size, to_device_s, from_device_s, time_s FROM pipeline_versions_median WHERE benchmark = 'qcd' AND variant = 'naive'),
share AS (SELECT (to_device_s + from_device_s) / time_s AS share FROM naive ORDER BY elsewhere, size DESC LIMIT 1)
SELECT 'cui-c-041' AS id,
       printf('%d chunks %.3g s, %d chunks %.3g s; %.2f of naive is transfers', few.chunks, few.time_s, least.chunks, least.time_s, share) AS measured,
       'few chunks slower, if transfers are >= 0.3' AS bound,
       CASE WHEN share < 0.3 THEN 'waived' WHEN few.chunks = least.chunks THEN 0 WHEN few.time_low_s > least.time_high_s THEN 1
            WHEN few.time_high_s <= least.time_low_s THEN 0 END AS ok,
       iif(share < 0.3, 'transfers are too small a share of the time here', '') AS reason
FROM few, least, share;

WITH run AS (
    SELECT streams, chunks, min(api_calls) AS api_calls FROM pipeline_chunk_size_median WHERE benchmark = 'qcd' AND variant = 'pipeline'
    GROUP BY streams, chunks),
steps AS (SELECT *, lag(api_calls) OVER (PARTITION BY streams ORDER BY chunks) AS before FROM run)
SELECT 'cui-c-042' AS id,
       printf('%d calls with %d chunks to %d with %d; %d of %d steps rise', min(api_calls), min(chunks), max(api_calls), max(chunks),
              sum(api_calls > before), sum(before IS NOT NULL)) AS measured,
       'more calls with each number of chunks' AS bound, min(coalesce(api_calls > before, 1)) AS ok, '' AS reason
FROM steps HAVING sum(before IS NOT NULL) > 0;
