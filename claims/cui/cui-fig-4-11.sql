-- 3D convolution: speedups over sync of blp and of the fastest async, and their ratio.
WITH run AS (
    SELECT variant, streams, chunks, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_conv3d_median WHERE time_s > 0),
sync AS (SELECT * FROM run WHERE variant = 'sync'),
blp AS (SELECT * FROM run WHERE variant = 'blp'),
best AS (SELECT * FROM run WHERE variant = 'async' ORDER BY mid LIMIT 1),
gain(what, mid, low, high) AS (
    SELECT 'blp', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, blp AS v
    UNION ALL SELECT 'async', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, best AS v
    UNION ALL SELECT 'blp/async', a.mid / v.mid, a.low / v.high, a.high / v.low FROM best AS a, blp AS v),
bounds(id, what, least, bound) AS (
    VALUES ('cui-c-160', 'blp/async', 1, '>= 1'),
           ('cui-c-161', 'blp/async', 0.95, '>= 0.95 (thesis, PCI-E: 1.07, 1.02..1.12)'))
SELECT id, printf('%.2f', mid) AS measured, bound, CASE WHEN low >= least THEN 1 WHEN high < least THEN 0 END AS ok, '' AS reason
FROM bounds JOIN gain USING (what);
