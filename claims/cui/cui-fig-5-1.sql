-- The lid-driven cavity over the thread block. Intervals: of the mean time of a block's launches.
WITH device AS (SELECT count(*) > 0 AS is_v100 FROM machine WHERE name = 'device0_name' AND value LIKE '%V100%'),
run AS (
    SELECT block_x AS x, block_y AS y, rate_gflops, time_s AS mid, max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS low,
           time_s + coalesce(spread_s, 0) AS high, row_number() OVER (ORDER BY time_s, block_x, block_y) AS nth, count(*) OVER () AS blocks
    FROM tuner_sweep_median WHERE variant = 'ldc' AND time_s > 0),
best AS (SELECT * FROM run WHERE nth = 1),
worst AS (SELECT * FROM run WHERE nth = blocks),
-- All that may be the best one.
rival AS (SELECT run.x * run.y BETWEEN 64 AND 256 AS inside FROM run, best WHERE run.low <= best.high),
top AS (SELECT median(x * y) AS threads FROM run WHERE nth <= max(1, 0.05 * blocks))
SELECT 'cui-c-219' AS id, printf('%d x %d, %.4g GFLOP/s; %d of %d blocks that may be the best are so', x, y, rate_gflops, sum(inside), count(*)) AS measured,
       '64..256 threads (thesis, V100: 4 x 32, 893.3 GFLOP/s)' AS bound, CASE WHEN min(inside) THEN 1 WHEN NOT max(inside) THEN 0 END AS ok, '' AS reason
FROM best, rival HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-220', iif(d.mid, printf('%.2f', best.mid / d.mid), '64 x 4 was not measured'), '<= 0.9 (thesis, V100: 0.67, 0.62..0.72)',
       CASE WHEN d.mid IS NULL THEN 'waived' WHEN best.high / d.low <= 0.9 THEN 1 WHEN best.low / d.high > 0.9 THEN 0 END,
       iif(d.mid IS NULL, 'the compiler''s default block is not in the space', '')
FROM best LEFT JOIN run AS d ON d.x = 64 AND d.y = 4
UNION ALL
SELECT 'cui-c-221', printf('%g threads', threads), '96..192 (thesis, V100: about 128)', iif(is_v100, threads BETWEEN 96 AND 192, 'waived'),
       iif(is_v100, '', 'a number of the Tesla V100')
FROM top, device WHERE threads > 0
UNION ALL
SELECT 'cui-c-222', printf('%.3f (%d x %d / %d x %d)', best.mid / worst.mid, worst.x, worst.y, best.x, best.y), '<= 0.6',
       CASE WHEN best.high / worst.low <= 0.6 THEN 1 WHEN best.low / worst.high > 0.6 THEN 0 END, ''
FROM best, worst;
