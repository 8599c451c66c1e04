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

-- More copy blocks than the loop needs, with the same blocks and threads: the knee is the fewest that take at most 1 / 0.95 of the least
-- time. Of the settings measured with four times as many, those of the fastest run.
WITH run AS (
    SELECT copy_in_blocks AS copy_blocks, threads, blocks_per_sm, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_blocks_median
    WHERE benchmark = 'atax' AND variant = 'blp' AND time_s > 0),
best AS (SELECT threads, blocks_per_sm, min(mid) AS mid FROM run GROUP BY threads, blocks_per_sm),
knee AS (
    SELECT threads, blocks_per_sm, min(copy_blocks) AS copy_blocks, best.mid AS best
    FROM run JOIN best USING (threads, blocks_per_sm) WHERE run.mid <= best.mid / 0.95 GROUP BY threads, blocks_per_sm),
pair AS (
    SELECT f.copy_blocks AS few, m.copy_blocks AS many, m.mid / f.mid AS mid, m.low / f.high AS low, m.high / f.low AS high
    FROM knee AS k JOIN run AS f USING (threads, blocks_per_sm, copy_blocks) JOIN run AS m USING (threads, blocks_per_sm)
    WHERE m.copy_blocks >= 4 * k.copy_blocks ORDER BY k.best, m.copy_blocks LIMIT 1),
fastest AS (SELECT copy_blocks, min(best) FROM knee HAVING count(*) > 0)
SELECT 'cui-c-209' AS id,
       iif(mid, printf('%.3f times the time with %d copy blocks, against %d', mid, many, few), printf('knee at %d blocks', copy_blocks)) AS measured,
       '> 1 with four times as many as at the knee' AS bound,
       CASE WHEN mid IS NULL THEN 'waived' WHEN low > 1 THEN 1 WHEN high <= 1 THEN 0 END AS ok,
       iif(mid IS NULL, 'four times as many copy blocks as at the knee were not measured', '') AS reason
FROM fastest LEFT JOIN pair;
