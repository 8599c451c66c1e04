-- Partitioned programs at the largest size, in the fastest mode: beside the original on the most devices and on one,
-- and beside the stencil by hand.
WITH best AS (SELECT *, max(mid) FROM partition_speedups WHERE NOT published_mode AND largest AND (most OR devices = 1)
    GROUP BY app, devices),
target(id, app) AS (VALUES ('datamotion-c-053', 'stencil'), ('datamotion-c-054', 'matmul'), ('datamotion-c-055',
    'nbody'))
SELECT id, share AS value, share_low AS low, share_high AS high, iif(share IS NULL, 'several devices are needed',
    printf('times faster by the devices, n = %d, %d devices', size, devices)) AS words
FROM target LEFT JOIN (SELECT * FROM best WHERE devices > 1) USING (app) WHERE EXISTS (SELECT 1 FROM best)
UNION ALL SELECT 'datamotion-c-052', 1 / mid - 1, 1 / high - 1, 1 / low - 1, printf('of the time more, %s, n = %d',
    app, size)
FROM best WHERE devices = 1;

WITH run AS (SELECT *, max(size) OVER () AS largest, max(devices) OVER () AS most FROM partition_times
    WHERE app = 'stencil' AND variant <> 'original' AND experiment = 'partition_stencil'),
fast AS (SELECT *, min(mid) FROM run WHERE variant = 'partitioned' AND size = largest AND devices = most)
SELECT 'datamotion-c-051' AS id, f.mid / h.mid AS value, f.low / h.high AS low, f.high / h.low AS high,
    printf('times the time by hand, n = %d, %d devices', size, devices) AS words
FROM fast AS f JOIN run AS h USING (size, iterations, devices) WHERE h.variant = 'by-hand';

-- Intervals of the stencil, 16 parts: reads and writes of one launch.
WITH run AS (SELECT sum(time_s) AS mid, sum(time_low_s) AS low, sum(time_high_s) AS high, variant
    FROM partition_intervals_median WHERE "case" = 'stencil' AND size = 36864 AND devices = 16 AND part = -1
        GROUP BY variant),
part(id, variant) AS (VALUES ('datamotion-c-056/cold', 'boxes'), ('datamotion-c-056/cached', 'cached'))
SELECT id, mid AS value, low, high, iif(mid IS NULL, 'that size was not measured', 's') AS words
FROM part LEFT JOIN run USING (variant) WHERE EXISTS (SELECT 1 FROM partition_intervals_median);

-- Halos by a kernel of the device that needs them, beside the copy engines.
WITH run AS (SELECT *, min(size) OVER () AS least FROM partition_pull_median WHERE variant = 'partitioned'
    AND app = 'stencil')
SELECT 'datamotion-c-057' AS id, k.time_s / e.time_s AS value, k.time_low_s / e.time_high_s AS low,
    k.time_high_s / e.time_low_s AS high, printf('times that by copy engines, n = %d, %d devices', size,
        devices) AS words
FROM run AS k JOIN run AS e USING (size, devices) WHERE size = k.least AND k.options = '-' AND e.options = 'engines';

-- Programs that nvcc built, started with libpartition.so.
WITH run AS (SELECT * FROM partition_binary_speedups WHERE devices > 1),
part(id, value) AS (SELECT 'datamotion-c-060/different', sum(different) FROM run
    UNION ALL SELECT 'datamotion-c-060/programs', count(DISTINCT app) FROM run)
SELECT id, value, NULL AS low, NULL AS high, iif(value IS NULL, 'several devices are needed', 'programs') AS words
FROM part WHERE EXISTS (SELECT 1 FROM partition_binary_speedups)
UNION ALL SELECT target.column1, mid / devices, low / devices, high / devices,
    iif(mid IS NULL, 'several devices are needed', printf('times faster by the devices, %s, %d devices', arguments,
        devices))
FROM (VALUES ('datamotion-c-061', 'jacobi'), ('datamotion-c-062', 'matmul'), ('datamotion-c-063', 'nbody')) AS target
LEFT JOIN (SELECT * FROM run WHERE experiment = 'partition_binaries_speed' AND most) ON app = target.column2
WHERE EXISTS (SELECT 1 FROM partition_binaries_speed);
