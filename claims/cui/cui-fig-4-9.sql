-- 2D convolution: speedups over sync of blp and of the fastest async, and their ratio.
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
    VALUES ('cui-c-155', 'blp/async', 1, '>= 1', ''),
           ('cui-c-156', 'blp', 1.2, '>= 1.2 (thesis, PCI-E: 1.62, 1.50..1.75)', 'cui-c-147')),
link AS (SELECT total(link LIKE 'NVLink%') > 0 AS is_nvlink FROM blp_conv2d_median)
SELECT id, printf('%.2f', mid) AS measured, bound,
       CASE WHEN twin <> '' AND is_nvlink THEN 'waived' WHEN low >= least THEN 1 WHEN high < least THEN 0 END AS ok,
       iif(twin <> '' AND is_nvlink, 'the same rows and bound as ' || twin || ', which is judged, as this GPU is behind NVLink', '') AS reason
FROM bounds JOIN gain USING (what), link;
