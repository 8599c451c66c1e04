-- ATAX with tasks from a queue against static groups of blocks.
WITH run AS (SELECT dataset, size, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_dynamic_median WHERE benchmark = 'atax'),
ratio AS (
    SELECT dataset, d.mid / b.mid AS mid, d.low / b.high AS low, d.high / b.low AS high, s.mid / d.mid AS over_sync
    FROM run AS d JOIN run AS b USING (dataset, size) JOIN run AS s USING (dataset, size)
    WHERE d.variant = 'blp-dynamic' AND b.variant = 'blp' AND s.variant = 'sync' ORDER BY size)
SELECT 'cui-c-208' AS id, group_concat(printf('%s: %.2f of sync, %.2f of blp', dataset, over_sync, 1 / mid), '; ') AS measured,
       'slower than blp (thesis: 0.75..0.93, 0.70..0.96)' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok, '' AS reason
FROM ratio HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-210', group_concat(printf('%s: %.2f times the time of blp', dataset, mid), '; '), '> 1 with both data sets',
       CASE WHEN count(*) < 2 THEN 'waived' WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END, iif(count(*) < 2, 'one data set was measured', '')
FROM ratio HAVING count(*) > 0;

-- More copy blocks than the links need: the knee is the fewest with which direct access reaches 95 % of its peak, both directions busy.
WITH rate AS (
    SELECT blocks, bytes / time_s AS mid FROM blp_bandwidth_threads_median WHERE variant = 'direct' AND direction = 'both' AND vector_bits = 128),
knee AS (SELECT min(blocks) AS blocks FROM rate WHERE mid >= 0.95 * (SELECT max(mid) FROM rate)),
run AS (
    SELECT copy_in_blocks AS copy_blocks, threads, blocks_per_sm, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_blocks_median
    WHERE benchmark = 'atax' AND variant = 'blp'),
pair AS ( -- the fewest that were measured from the knee on and four times as many, at the fastest other settings that have both
    SELECT f.copy_blocks AS few, m.copy_blocks AS many, m.mid / f.mid AS mid, m.low / f.high AS low, m.high / f.low AS high
    FROM run AS f JOIN run AS m USING (threads, blocks_per_sm), knee
    WHERE f.copy_blocks = (SELECT min(copy_blocks) FROM run WHERE copy_blocks >= knee.blocks) AND m.copy_blocks >= 4 * f.copy_blocks
    ORDER BY m.copy_blocks, f.mid LIMIT 1),
judged AS (SELECT pair.*, knee.blocks AS knee FROM knee LEFT JOIN pair WHERE knee.blocks > 0)
SELECT 'cui-c-209' AS id,
       iif(mid, printf('%.2f times the time with %d copy blocks, against %d', mid, many, few), printf('knee at %d blocks per direction', knee)) AS measured,
       '> 1 with four times as many as at the knee' AS bound,
       CASE WHEN mid IS NULL THEN 'waived' WHEN low > 1 THEN 1 WHEN high <= 1 THEN 0 END AS ok,
       iif(mid IS NULL, 'four times as many copy blocks as at the knee were not measured', '') AS reason
FROM judged;
