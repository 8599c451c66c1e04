-- Times over the number of streams, of the largest data set of each benchmark and the smallest chunks.
WITH run AS (
    SELECT benchmark, variant, streams, time_s AS mid, time_low_s AS low, time_high_s AS high, coalesce(used_bytes, device_bytes) AS used,
           device_bytes AS own
    FROM pipeline_streams_median AS s
    WHERE size = (SELECT max(size) FROM pipeline_streams_median AS o WHERE o.benchmark = s.benchmark)
      AND (variant = 'naive' OR chunk_size = (SELECT min(chunk_size) FROM pipeline_streams_median AS o WHERE o.benchmark = s.benchmark))),
span AS ( -- from two streams on: one stream overlaps nothing
    SELECT benchmark, variant, min(mid) AS mid, min(low) AS low, min(high) AS high, max(mid) AS most, max(low) AS most_low,
           max(high) AS most_high, avg(mid) AS mean, min(streams) AS fewest, max(streams) AS many
    FROM run WHERE variant <> 'naive' AND streams >= 2 GROUP BY benchmark, variant),
least AS (SELECT benchmark, variant, min(mid) AS mid, min(low) AS low, min(high) AS high FROM run GROUP BY benchmark, variant),
few AS ( -- the fewest streams that are within 2 %, and whether some number up to two surely is, or surely none
    SELECT benchmark, variant, min(CASE WHEN run.mid <= 1.02 * least.mid THEN streams END) AS first,
           max(streams <= 2 AND run.high <= 1.02 * least.low) AS up_to_two, min(streams > 2 OR run.low > 1.02 * least.high) AS more
    FROM run JOIN least USING (benchmark, variant) GROUP BY benchmark, variant)
SELECT 'cui-c-050' AS id, printf('fewest within 2 %% of the best: %d', first) AS measured, '> 2 (thesis: 8)' AS bound,
       CASE WHEN more THEN 1 WHEN up_to_two THEN 0 END AS ok, '' AS reason
FROM few WHERE benchmark = 'conv3d' AND variant = 'pipeline'
UNION ALL
SELECT 'cui-c-051', printf('%.3f times the best', run.mid / least.mid), '> 1.02',
       CASE WHEN run.low > 1.02 * least.high THEN 1 WHEN run.high <= 1.02 * least.low OR run.mid <= least.mid THEN 0 END, ''
FROM run JOIN least USING (benchmark, variant) WHERE benchmark = 'conv3d' AND variant = 'pipeline' AND streams = 2
UNION ALL
SELECT 'cui-c-053',
       printf('%.4g MB with %d streams, %.4g MB with %d', 1e-6 * a.used, a.streams, 1e-6 * b.used, b.streams),
       'not falling, at most 1.5 times (8 streams / 2)',
       b.used <= 1.5 * a.used AND NOT EXISTS (
           SELECT 1 FROM run AS c JOIN run AS d USING (benchmark, variant)
           WHERE benchmark = 'conv3d' AND variant = 'framework' AND c.streams < d.streams AND d.used < c.used),
       'of all that the program uses'
FROM run AS a JOIN run AS b USING (benchmark, variant)
WHERE benchmark = 'conv3d' AND variant = 'framework' AND a.streams = 2
  AND b.streams = (SELECT max(streams) FROM run WHERE benchmark = 'conv3d' AND variant = 'framework' AND streams <= 8)
UNION ALL
SELECT 'cui-c-066', printf('pipeline with %d / 2 streams %.2f; framework at most / least %.2f', s.many, b.mid / a.mid, f.most / f.mid),
       'pipeline > 1.1, framework <= 1.05',
       CASE WHEN b.low / a.high > 1.1 AND f.most_high / f.low <= 1.05 THEN 1
            WHEN b.high / a.low <= 1.1 OR f.most_low / f.high > 1.05 THEN 0 END, ''
FROM run AS a JOIN run AS b USING (benchmark, variant) JOIN span AS s USING (benchmark, variant)
JOIN span AS f ON f.benchmark = 'stencil' AND f.variant = 'framework'
WHERE a.benchmark = 'stencil' AND a.variant = 'pipeline' AND a.streams = 2 AND b.streams = s.many
UNION ALL
SELECT 'cui-c-068', group_concat(printf('%.3f with %d', f.mid / p.mid, streams), ', ') || ' (framework / pipeline)',
       '>= 1 up to 4 streams, < 1 above 6',
       CASE WHEN min(CASE WHEN streams <= 4 THEN f.low >= p.high WHEN streams > 6 THEN f.high < p.low ELSE 1 END) THEN 1
            WHEN max(CASE WHEN streams <= 4 THEN f.high < p.low WHEN streams > 6 THEN f.low >= p.high ELSE 0 END) THEN 0 END, ''
FROM run AS f JOIN run AS p USING (benchmark, streams)
WHERE benchmark = 'stencil' AND f.variant = 'framework' AND p.variant = 'pipeline' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-069', printf('at least %.2f', min(n.mid / v.mid)), '>= 1.2 with every number of streams (thesis: 1.5)',
       CASE WHEN min(n.low / v.high) >= 1.2 THEN 1 WHEN min(n.high / v.low) < 1.2 THEN 0 END, 'from 2 streams on'
FROM run AS n JOIN run AS v USING (benchmark) WHERE benchmark = 'stencil' AND n.variant = 'naive' AND v.variant <> 'naive' AND v.streams > 1
HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-072', printf('%.4g MB with %d streams, %.4g MB with %d', 1e-6 * a.used, a.streams, 1e-6 * b.used, b.streams),
       'not falling with more streams',
       NOT EXISTS (
           SELECT 1 FROM run AS c JOIN run AS d USING (benchmark, variant)
           WHERE benchmark = 'stencil' AND variant = 'pipeline' AND c.streams < d.streams AND d.used < c.used), ''
FROM run AS a JOIN run AS b USING (benchmark, variant) JOIN span AS s USING (benchmark, variant)
WHERE benchmark = 'stencil' AND variant = 'pipeline' AND a.streams = s.fewest AND b.streams = s.many
UNION ALL
SELECT 'cui-c-079',
       group_concat(printf('%s: framework %.3f, pipeline %.3f', f.benchmark, (f.most - f.mid) / f.mean, (p.most - p.mid) / p.mean), '; '),
       'range / mean: framework below pipeline',
       CASE WHEN min((f.most_high - f.low) / f.mean < (p.most_low - p.high) / p.mean) THEN 1
            WHEN max((f.most_low - f.high) / f.mean >= (p.most_high - p.low) / p.mean) THEN 0 END, 'from 2 streams on'
FROM span AS f JOIN span AS p USING (benchmark)
WHERE benchmark IN ('conv3d', 'stencil') AND f.variant = 'framework' AND p.variant = 'pipeline' HAVING count(*) > 0;

-- Does each benchmark have its own best number of streams? A number is plausible if it may be within 2 % of the best.
WITH rows AS (
    SELECT * FROM pipeline_streams_median WHERE variant = 'pipeline' AND benchmark <> 'qcd'
    UNION ALL
    SELECT * FROM pipeline_chunk_size_median WHERE variant = 'pipeline' AND benchmark = 'qcd'),
run AS (
    SELECT benchmark, streams, time_s AS mid, time_low_s AS low, time_high_s AS high FROM rows AS r
    WHERE chunk_size = (SELECT min(chunk_size) FROM rows AS o WHERE o.benchmark = r.benchmark)),
best AS (SELECT benchmark, min(mid) AS mid, min(high) AS high FROM run GROUP BY benchmark),
plausible AS (SELECT streams, count(*) AS benchmarks FROM run JOIN best USING (benchmark) WHERE run.low <= 1.02 * best.high GROUP BY streams),
few AS (SELECT benchmark, min(streams) AS first FROM run JOIN best USING (benchmark) WHERE run.mid <= 1.02 * best.mid GROUP BY benchmark)
SELECT 'cui-c-052' AS id, group_concat(printf('%s %d', benchmark, first), ', ') AS measured, 'not the same for all' AS bound,
       CASE WHEN (SELECT max(benchmarks) FROM plausible) < count(*) THEN 1 WHEN count(DISTINCT first) = 1 THEN 0 END AS ok, '' AS reason
FROM few HAVING count(*) > 1;

-- Absolute numbers of the Tesla K40m.
WITH run AS (
    SELECT * FROM pipeline_streams_median AS s WHERE benchmark = 'stencil'
      AND size = (SELECT max(size) FROM pipeline_streams_median WHERE benchmark = 'stencil')
      AND chunk_size = (SELECT min(chunk_size) FROM pipeline_streams_median WHERE benchmark = 'stencil')),
eight AS (SELECT * FROM run WHERE variant = 'pipeline' AND streams <= 8 ORDER BY streams DESC LIMIT 1),
best AS (SELECT * FROM run WHERE variant = 'pipeline' ORDER BY time_s LIMIT 1),
two AS (SELECT p.time_s / f.time_s AS ratio FROM run AS p JOIN run AS f USING (streams) WHERE streams = 2 AND p.variant = 'pipeline' AND f.variant = 'framework'),
device AS (SELECT count(*) > 0 AS is_k40 FROM machine WHERE name = 'device0_name' AND value LIKE '%K40%')
SELECT 'cui-c-065' AS id, printf('%.3g s with %d streams', time_s, streams) AS measured, '6.28..6.68 s' AS bound,
       CASE WHEN is_k40 THEN time_s BETWEEN 6.28 AND 6.68 ELSE 'waived' END AS ok,
       iif(is_k40, '', 'a time of the Tesla K40m with the data set of the thesis') AS reason
FROM eight, device
UNION ALL
SELECT 'cui-c-067', printf('best with %d streams; with 2 %.3f of the framework''s time', best.streams, ratio), '2 streams, and <= 1',
       CASE WHEN is_k40 THEN best.streams = 2 AND ratio <= 1 ELSE 'waived' END, iif(is_k40, '', 'a number of the Tesla K40m')
FROM best, two, device;
