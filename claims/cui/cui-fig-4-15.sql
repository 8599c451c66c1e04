-- FDTD-2D: speedups over sync of blp and of the fastest async, and their ratio.
-- A claim of one node that its twin makes of the other, with the same bound, is judged once: for the link of this machine, NVLink or any other.
WITH run AS (
    SELECT variant, streams, chunks, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_fdtd2d_median WHERE time_s > 0),
sync AS (SELECT * FROM run WHERE variant = 'sync'),
blp AS (SELECT * FROM run WHERE variant = 'blp'),
best AS (SELECT * FROM run WHERE variant = 'async' ORDER BY mid LIMIT 1),
gain(what, mid, low, high) AS (
    SELECT 'blp', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, blp AS v
    UNION ALL SELECT 'async', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, best AS v
    UNION ALL SELECT 'blp/async', a.mid / v.mid, a.low / v.high, a.high / v.low FROM best AS a, blp AS v),
bounds(id, what, least, bound, twin) AS (
    VALUES ('cui-c-173', 'async', 1.05, '>= 1.05 (thesis, PCI-E: 1.24, 1.16..1.32)', 'cui-c-170'),
           ('cui-c-174', 'blp', 1.05, '>= 1.05 (thesis, PCI-E: 1.31, 1.22..1.40)', 'cui-c-171'),
           ('cui-c-175', 'blp/async', 1, '>= 1 (thesis, PCI-E: 1.056, 1.03..1.10)', 'cui-c-172')),
link AS (SELECT total(link LIKE 'NVLink%') > 0 AS is_nvlink FROM blp_fdtd2d_median),
device AS (SELECT count(*) > 0 AS is_v100 FROM machine WHERE name = 'device0_name' AND value LIKE '%V100%'),
many AS (SELECT * FROM run WHERE variant = 'async' AND streams = 1 ORDER BY chunks DESC LIMIT 1)
SELECT id, printf('%.2f', mid) AS measured, bound,
       CASE WHEN twin <> '' AND is_nvlink THEN 'waived' WHEN low >= least THEN 1 WHEN high < least THEN 0 END AS ok,
       iif(twin <> '' AND is_nvlink, 'the same rows and bound as ' || twin || ', which is judged, as this GPU is behind NVLink', '') AS reason
FROM bounds JOIN gain USING (what), link
UNION ALL
SELECT 'cui-c-176', printf('%.2f lost with 1 stream and %d chunks', 1 - s.mid / m.mid, m.chunks), '0.45..0.95',
       CASE WHEN NOT is_v100 THEN 'waived' WHEN 1 - s.high / m.low BETWEEN 0.45 AND 0.95 AND 1 - s.low / m.high BETWEEN 0.45 AND 0.95 THEN 1
            WHEN 1 - s.low / m.high < 0.45 OR 1 - s.high / m.low > 0.95 THEN 0 END,
       iif(is_v100, '', 'a number of the Tesla V100 with PCI-E 3.0')
FROM sync AS s, many AS m, device;
