-- ATAX: speedups over sync of blp and of the fastest async, and their ratio.
-- A claim of one node that its twin makes of the other, with the same bound, is judged once: for the link of this machine, NVLink or any other.
WITH run AS (
    SELECT variant, streams, chunks, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_atax_median WHERE time_s > 0),
sync AS (SELECT * FROM run WHERE variant = 'sync'),
blp AS (SELECT * FROM run WHERE variant = 'blp'),
best AS (SELECT * FROM run WHERE variant = 'async' ORDER BY mid LIMIT 1),
gain(what, mid, low, high) AS (
    SELECT 'blp', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, blp AS v
    UNION ALL SELECT 'async', s.mid / v.mid, s.low / v.high, s.high / v.low FROM sync AS s, best AS v
    UNION ALL SELECT 'blp/async', a.mid / v.mid, a.low / v.high, a.high / v.low FROM best AS a, blp AS v),
bounds(id, what, least, bound, twin) AS (
    VALUES ('cui-c-177', 'async', 1.02, '>= 1.02 (thesis, NVLink2: 1.14, 1.08..1.20)', ''),
           ('cui-c-178', 'blp', 1.02, '>= 1.02 (thesis, NVLink2: 1.21, 1.14..1.28)', ''),
           ('cui-c-179', 'blp/async', 1, '>= 1 (thesis, NVLink2: 1.061, 1.03..1.10)', 'cui-c-181')),
link AS (SELECT total(link LIKE 'NVLink%') > 0 AS is_nvlink FROM blp_atax_median)
SELECT id, printf('%.2f', mid) AS measured, bound,
       CASE WHEN twin <> '' AND NOT is_nvlink THEN 'waived' WHEN low >= least THEN 1 WHEN high < least THEN 0 END AS ok,
       iif(twin <> '' AND NOT is_nvlink, 'the same rows and bound as ' || twin || ', which is judged, as this GPU is not behind NVLink', '') AS reason
FROM bounds JOIN gain USING (what), link;
