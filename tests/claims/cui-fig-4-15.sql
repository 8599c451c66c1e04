-- FDTD-2D: speedups over sync of blp and of the fastest async, and their ratio.
WITH run AS (
    SELECT variant, streams, chunks, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_fdtd2d_median WHERE time_s > 0),
sync AS (SELECT * FROM run WHERE variant = 'sync'),
blp AS (SELECT * FROM run WHERE variant = 'blp'),
best AS (SELECT * FROM run WHERE variant = 'async' ORDER BY mid LIMIT 1),
gain(what, mid, low, high) AS (
    SELECT 'blp', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, blp AS v
    UNION ALL SELECT 'async', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, best AS v
    UNION ALL SELECT 'blp/async', a.mid / v.mid, a.low / v.high, a.high / v.low FROM best AS a, blp AS v),
bounds(id, what, least, bound) AS (
    VALUES ('cui-c-173', 'async', 1.05, '>= 1.05 (thesis, PCI-E: 1.24, 1.16..1.32)'),
           ('cui-c-174', 'blp', 1.05, '>= 1.05 (thesis, PCI-E: 1.31, 1.22..1.40)'),
           ('cui-c-175', 'blp/async', 1, '>= 1 (thesis, PCI-E: 1.056, 1.03..1.10)')),
device AS (SELECT count(*) > 0 AS is_v100 FROM machine WHERE name = 'device0_name' AND value LIKE '%V100%'),
many AS (SELECT * FROM run WHERE variant = 'async' AND streams = 1 ORDER BY chunks DESC LIMIT 1)
SELECT id, printf('%.2f', mid) AS measured, bound, CASE WHEN low >= least THEN 1 WHEN high < least THEN 0 END AS ok, '' AS reason
FROM bounds JOIN gain USING (what)
UNION ALL
SELECT 'cui-c-176', printf('%.2f lost with 1 stream and %d chunks', 1 - s.mid / m.mid, m.chunks), '0.45..0.95',
       CASE WHEN NOT is_v100 THEN 'waived' WHEN 1 - s.high / m.low BETWEEN 0.45 AND 0.95 AND 1 - s.low / m.high BETWEEN 0.45 AND 0.95 THEN 1
            WHEN 1 - s.low / m.high < 0.45 OR 1 - s.high / m.low > 0.95 THEN 0 END,
       iif(is_v100, '', 'a number of the Tesla V100 with PCI-E 3.0')
FROM sync AS s, many AS m, device;
