-- Partitioned programs on the most devices, largest problem: beside the stencil by hand, and beside the original on one device. Overhead on one device.
WITH run AS (SELECT * FROM partition_matmul_median UNION ALL SELECT * FROM partition_stencil_median UNION ALL SELECT * FROM partition_nbody_median),
largest AS (SELECT app, max(size) AS size, max(devices) AS devices FROM run WHERE variant = 'partitioned' AND app IN ('matmul', 'stencil', 'nbody') GROUP BY app),
last AS (SELECT app, size, l.devices AS devices, max(iterations) AS iterations FROM largest AS l JOIN run USING (app, size) WHERE variant = 'partitioned' GROUP BY app),
here AS (SELECT run.* FROM run JOIN last USING (app, size, iterations)),
many AS (SELECT app, size, devices, min(time_s) AS mid, time_low_s AS low, time_high_s AS high, htod FROM here JOIN last USING (app, size, devices)
    WHERE variant = 'partitioned' GROUP BY app),
one AS (SELECT app, size, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM here WHERE variant = 'partitioned' AND devices = 1 GROUP BY app),
original AS (SELECT app, size, time_s AS mid, time_low_s AS low, time_high_s AS high FROM here WHERE variant = 'original'),
hand AS (SELECT h.app AS app, m.mid / h.time_s AS mid, m.low / h.time_high_s AS low, m.high / h.time_low_s AS high, m.devices AS devices, m.size AS size FROM here AS h
    JOIN many AS m USING (app, devices) WHERE h.variant = 'by-hand'),
overhead AS (SELECT app, size, one.mid / o.mid - 1 AS mid, one.low / o.high - 1 AS low, one.high / o.low - 1 AS high FROM one JOIN original AS o USING (app, size)),
target(id, app, share) AS (VALUES ('datamotion-c-053', 'stencil', 0.75), ('datamotion-c-054', 'matmul', 0.95), ('datamotion-c-055', 'nbody', 0.925)),
speedup AS (
    SELECT id, share, m.devices AS devices, m.size AS size, m.htod AS htod, o.mid / m.mid AS mid, o.low / m.high / m.devices AS low, o.high / m.low / m.devices AS high
        FROM target JOIN many AS m USING (app) JOIN original AS o USING (app) WHERE m.devices > 1),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
verdict AS (
    SELECT 'datamotion-c-051' AS id, printf('%.3f on %d devices, n = %d', mid, devices, size) AS measured, '<= 1.05' AS bound, CASE WHEN high <= 1.05 THEN 1
        WHEN low > 1.05 THEN 0 END AS ok, '' AS reason FROM hand
    UNION ALL
    SELECT 'datamotion-c-052', group_concat(printf('%s %.4f', app, mid), ', '), '<= 0.02', CASE WHEN max(high) <= 0.02 THEN 1 WHEN max(low) > 0.02 THEN 0 END, ''
        FROM overhead HAVING count(*) > 0
    UNION ALL
    SELECT id, printf('%.3f on %d devices, n = %d', mid, devices, size), printf('>= %g of the devices', share), CASE WHEN low >= share THEN 1
        WHEN high < share THEN 0 END, 'copies from the host: ' || htod FROM speedup)
SELECT id, measured, bound, iif(real, ok, 'waived') AS ok, iif(real, reason,
    'a target for GPU nodes; the software GPU''s devices share the cores of this machine') AS reason FROM verdict, gpu
UNION ALL -- ids of claims without a row above: datamotion-c-053, datamotion-c-054, datamotion-c-055 need several devices
SELECT id, NULL, printf('>= %g of the devices', share), 'waived', 'several devices are needed' FROM target WHERE id NOT IN (SELECT id FROM speedup) AND EXISTS (SELECT 1
    FROM run);

-- Intervals of the stencil, 16 parts: reads and writes of one launch.
WITH one AS (SELECT variant, sum(time_s) AS mid, sum(time_low_s) AS low, sum(time_high_s) AS high, max(time_high_s) AS longest, max(time_low_s) AS longest_low
    FROM partition_intervals_median
             WHERE "case" = 'stencil' AND size = 36864 AND devices = 16 AND part = -1 AND variant IN ('boxes', 'cached') GROUP BY variant),
measured AS (SELECT b.mid AS cold, b.low AS cold_low, b.high AS cold_high, c.mid AS cached, c.low AS cached_low, c.high AS cached_high FROM one AS b JOIN one AS c
    WHERE b.variant = 'boxes' AND c.variant = 'cached'),
any AS (SELECT count(*) AS rows FROM partition_intervals_median)
SELECT 'datamotion-c-056' AS id, iif(cold, printf('%.2f ms, from the cache %.3f us', 1e3 * cold, 1e6 * cached), NULL) AS measured, '<= 15 ms, <= 1 us' AS bound,
       CASE WHEN cold IS NULL THEN 'waived' WHEN cold_high <= 0.015 AND cached_high <= 1e-6 THEN 1 WHEN cold_low > 0.015 OR cached_low > 1e-6 THEN 0 END AS ok,
           iif(cold, '', 'that size was not measured') AS reason FROM any LEFT JOIN measured ON 1 WHERE rows > 0;

-- Halos by a kernel of the device that needs them, beside the copy engines.
WITH run AS (SELECT devices, options, time_s AS mid, time_low_s AS low, time_high_s AS high, size FROM partition_pull_median WHERE variant = 'partitioned' AND app = 'stencil'
    AND size = (SELECT min(size) FROM partition_pull_median WHERE app = 'stencil' AND variant = 'partitioned')),
pair AS (SELECT k.devices AS devices, k.size AS size, k.mid / e.mid AS mid, k.low / e.high AS low, k.high / e.low AS high FROM run AS k JOIN run AS e USING (devices)
    WHERE k.options = '-' AND e.options = 'engines'),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-057' AS id, group_concat(printf('%.3f on %d devices', mid, devices), ', ') || printf(', n = %d', size) AS measured, '<= 1 for each' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN max(high) <= 1 THEN 1 WHEN max(low) > 1 THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes; the software GPU''s devices share the cores of this machine') AS reason FROM pair, gpu HAVING count(*) > 0;
