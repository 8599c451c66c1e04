-- 2D convolution: speedups over sync of blp and of async over streams and chunks.
-- A claim of one node that its twin makes of the other, with the same bound, is judged once: for the link of this machine, NVLink or any other.
WITH run AS (
    SELECT variant, streams, chunks, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_conv2d_median WHERE time_s > 0),
sync AS (SELECT * FROM run WHERE variant = 'sync'),
blp AS (SELECT * FROM run WHERE variant = 'blp'),
best AS (SELECT * FROM run WHERE variant = 'async' ORDER BY mid LIMIT 1),
gain(what, mid, low, high) AS (
    SELECT 'blp', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, blp AS v
    UNION ALL SELECT 'async', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, best AS v
    UNION ALL SELECT 'blp/async', a.mid / v.mid, a.low / v.high, a.high / v.low FROM best AS a, blp AS v),
bounds(id, what, least, bound, twin) AS (
    VALUES ('cui-c-147', 'blp', 1.2, '>= 1.2 (thesis, NVLink2: 1.67, 1.55..1.78)', 'cui-c-156'),
           ('cui-c-148', 'async', 1.2, '>= 1.2 (thesis, NVLink2: 1.77, 1.65..1.88)', ''),
           ('cui-c-149', 'blp/async', 0.85, '>= 0.85 (thesis, NVLink2: 0.95, 0.92..0.98)', '')),
link AS (SELECT total(link LIKE 'NVLink%') > 0 AS is_nvlink FROM blp_conv2d_median),
cell AS (
    SELECT a.streams, a.chunks, s.mid / a.mid AS mid, s.low / a.high AS low, s.high / a.low AS high, a.high < b.low AS faster, a.low < b.high AS maybe
    FROM run AS a, sync AS s, blp AS b WHERE a.variant = 'async'),
least AS (SELECT min(mid) AS mid, low, high, streams, chunks FROM cell),
one AS (
    SELECT *, lag(mid) OVER (ORDER BY chunks) AS before, lag(low) OVER (ORDER BY chunks) AS before_low, lag(high) OVER (ORDER BY chunks) AS before_high
    FROM cell WHERE streams = 1),
many AS (SELECT * FROM one ORDER BY chunks DESC LIMIT 1),
rising AS (SELECT max(low > 1.02 * before_high) AS surely, max(high > 1.02 * before_low) AS maybe, max(mid > 1.02 * before) AS seen FROM one),
top AS (SELECT streams, max(mid) AS mid, low, high, chunks FROM cell WHERE streams > 1 GROUP BY streams),
last AS (
    SELECT c.streams, c.mid / t.mid AS mid, c.high / t.low AS high, c.low / t.high AS low, c.chunks = t.chunks AS is_top, c.chunks
    FROM cell AS c JOIN top AS t USING (streams) WHERE c.chunks = (SELECT max(chunks) FROM cell))
SELECT id, printf('%.2f', mid) AS measured, bound,
       CASE WHEN twin <> '' AND NOT is_nvlink THEN 'waived' WHEN low >= least THEN 1 WHEN high < least THEN 0 END AS ok,
       iif(twin <> '' AND NOT is_nvlink, 'the same rows and bound as ' || twin || ', which is judged, as this GPU is not behind NVLink', '') AS reason
FROM bounds JOIN gain USING (what), link
UNION ALL
SELECT 'cui-c-150', printf('%.2f with %d streams and %d chunks', mid, streams, chunks), '<= 0.5 (thesis, NVLink2: 0.17, 0.13..0.35)',
       CASE WHEN high <= 0.5 THEN 1 WHEN low > 0.5 THEN 0 END, ''
FROM least WHERE mid > 0
UNION ALL
SELECT 'cui-c-151', printf('%d of %d cells faster than blp, %d more may be', sum(faster), count(*), sum(maybe) - sum(faster)), '<= 0.2 of the cells',
       CASE WHEN sum(maybe) <= 0.2 * count(*) THEN 1 WHEN sum(faster) > 0.2 * count(*) THEN 0 END, ''
FROM cell HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-152', printf('%.2f lost with %d chunks; %s with their number', 1 - m.mid, m.chunks, iif(r.seen, 'not always slower', 'slower')),
       '>= 0.3, and no step up by 2 % (thesis: 0.5..0.9, 0.45..0.95)',
       CASE WHEN 1 - m.high >= 0.3 AND NOT r.maybe THEN 1 WHEN 1 - m.low < 0.3 OR r.surely THEN 0 END, ''
FROM many AS m, rising AS r
UNION ALL
SELECT 'cui-c-154', group_concat(printf('%.2f with %d streams', mid, streams), ', ') || printf(' (%d chunks / best)', max(chunks)),
       '< 1 with every number of streams',
       CASE WHEN max(is_top) THEN 0 WHEN max(high) < 1 THEN 1 WHEN max(low) >= 1 THEN 0 END, ''
FROM last HAVING count(*) > 0;

-- One stream and few chunks, of 2D convolution and FDTD-2D.
WITH run AS (
    SELECT '2D convolution' AS name, variant, streams, chunks, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_conv2d_median
    UNION ALL SELECT 'FDTD-2D', variant, streams, chunks, time_s, time_low_s, time_high_s FROM blp_fdtd2d_median),
lost AS (
    SELECT name, a.chunks, 1 - s.mid / a.mid AS mid, 1 - s.high / a.low AS low, 1 - s.low / a.high AS high
    FROM run AS a JOIN run AS s USING (name)
    WHERE a.variant = 'async' AND a.streams = 1 AND s.variant = 'sync' AND a.chunks BETWEEN 30 AND 130 ORDER BY name, a.chunks)
SELECT 'cui-c-153' AS id, coalesce(group_concat(printf('%s %.2f with %d chunks', name, mid, chunks), ', '), 'not measured') AS measured,
       'each 0.02..0.5 (thesis: 0.1..0.2, 0.08..0.25)' AS bound,
       CASE WHEN count(DISTINCT name) < 2 THEN 'waived' WHEN min(low) >= 0.02 AND max(high) <= 0.5 THEN 1
            WHEN min(high) < 0.02 OR max(low) > 0.5 THEN 0 END AS ok,
       iif(count(DISTINCT name) < 2, 'no 30 to 130 chunks were measured', '') AS reason
FROM lost WHERE EXISTS (SELECT 1 FROM run);
