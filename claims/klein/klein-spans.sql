-- Where the time goes in runs that wait after each step, with everything sent to every device: at the largest size
-- (every = 0) or at all; on each number of devices, or on the most, of which there are `least` (0: each).
WITH claim(id, app, name, every, least) AS (VALUES
    ('klein-c-013', 'matmul', 'copies to the host / kernels', 0, 0),
    ('klein-c-014/share', 'matmul', 'dependencies / kernels', 1, 0),
    ('klein-c-038', 'stencil', 'between devices / kernels', 0, 0),
    ('klein-c-049', 'nbody', 'overhead / all', 0, 2), ('klein-c-054', 'nbody', 'kernels / all', 0, 0),
    ('klein-c-094', 'matmul', 'overhead / all', 0, 0), ('klein-c-094', 'stencil', 'overhead / all', 0, 0),
    ('klein-c-095', 'stencil', 'copies to devices / all, in 1000 iterations', 0, 1),
    ('klein-c-113', 'stencil', 'in no span / launches', 0, 0))
SELECT id, mid AS value, low, high, printf('%s, %s, n = %d, %d devices', name, app, size, devices) AS words
FROM claim JOIN partition_spans_of USING (app, name) WHERE (every OR nth = 1) AND (least = 0 OR most
    AND devices >= least);

SELECT 'klein-c-014/bytes' AS id, max(d2d_bytes) AS value, NULL AS low, NULL AS high, 'between devices' AS words
FROM partition_spans WHERE status = 'pass' AND app = 'matmul' AND variant = 'partitioned' AND htod = 'broadcast'
HAVING count(*) > 0;

-- Efficiency of the launches with dependency resolution, and what the creation of partitions has in the loss.
WITH run AS (SELECT app, size, devices, nth, max(mid) FILTER (WHERE name = 'resolved') AS mid,
        max(low) FILTER (WHERE name = 'resolved') AS low, max(high) FILTER (WHERE name = 'resolved') AS high,
        max(mid) FILTER (WHERE name = 'partitions') AS part
    FROM partition_spans_of WHERE app = 'matmul' GROUP BY size, devices),
efficiency AS (SELECT size, p.devices AS devices, p.nth AS nth, o.mid / p.devices / p.mid AS mid,
        o.low / p.devices / p.high AS low, o.high / p.devices / p.low AS high, p.part / p.mid AS part
    FROM run AS o JOIN run AS p USING (size) WHERE o.devices = 1 AND p.devices > 1)
SELECT 'klein-c-007' AS id, iif(size < 8192, NULL, mid) AS value, low, high, iif(size < 8192,
    'sizes from 8192 on are needed', printf('of linear scaling, n = %d, %d devices', size, devices)) AS words
FROM efficiency WHERE size >= 8192 OR nth = 1
UNION ALL SELECT 'klein-c-008', iif(mid < 1, part / (1 - mid), NULL), NULL, NULL,
    iif(mid < 1, printf('of the loss is creation of partitions, n = %d, %d devices', size, devices), 'nothing is lost')
FROM efficiency WHERE size >= 8192 OR nth = 1;

-- How a span or a share changes with the size or the devices.
WITH ends AS (SELECT *, max(nth) OVER (PARTITION BY app) = nth AND nth > 1 AS least FROM partition_spans_of),
step AS (SELECT *, mid / lag(mid) OVER at AS rise, low / lag(high) OVER at AS rise_low,
        high / lag(low) OVER at AS rise_high, lag(devices) OVER at AS before
    FROM partition_spans_of WHERE app = 'stencil' AND nth = 1 AND name = 'to devices / launches'
    WINDOW at AS (ORDER BY devices))
SELECT 'klein-c-015' AS id, l.mid / s.mid AS value, l.low / s.high AS low, l.high / s.low AS high,
    printf('times the share of copies at n = %d, %d devices', s.size, devices) AS words
FROM ends AS s JOIN ends AS l USING (app, devices, name)
WHERE app = 'matmul' AND name = 'copies / kernels' AND s.least AND l.nth = 1
UNION ALL SELECT 'klein-c-030', rise, rise_low, rise_high, iif(rise IS NULL, 'two numbers of devices are needed',
    printf('times the share on %d devices, n = %d, %d devices', before, size, devices))
FROM step WHERE before OR 1 = (SELECT count(*) FROM step)
UNION ALL SELECT 'klein-c-033', iif(count(*) > 1, max(mid) / min(mid), NULL), max(low) / min(high),
    max(high) / min(low), iif(count(*) > 1, printf('times between the longest and the shortest, n = %d', size),
        'three numbers of devices are needed')
FROM partition_spans_of WHERE app = 'stencil' AND name = 'to the host' AND devices > 1 GROUP BY size
UNION ALL SELECT 'klein-c-048', s.mid / l.mid, s.low / l.high, s.high / l.low,
    printf('times the overhead with %d particles, %d of them, %d devices', l.size, s.size, devices)
FROM ends AS s JOIN ends AS l USING (app, devices, name)
WHERE app = 'nbody' AND name = 'overhead / all' AND s.least AND l.nth = 1 AND s.most AND devices > 1;

-- Knees: the least number of devices with which a time stops falling. Behind that of the stencil, what copies take
-- more is set beside what kernels save; where they save nothing, anything is enough.
WITH knee AS (SELECT * FROM partition_knees), span AS (SELECT * FROM partition_spans_of WHERE app = 'stencil'),
behind AS (
    SELECT size, k.devices AS devices, sum(iif(s.most, mid, -mid)) FILTER (WHERE s.name = 'to devices') AS more,
        -sum(iif(s.most, mid, -mid)) FILTER (WHERE s.name = 'launches') AS less
    FROM knee AS k JOIN span AS s USING (app, size)
    WHERE k.name = 'all' AND (s.devices = k.devices OR s.most) GROUP BY size HAVING max(s.devices) > k.devices)
SELECT 'klein-c-031' AS id, devices AS value, NULL AS low, NULL AS high, printf('devices, n = %d', size) AS words
FROM knee WHERE app = 'stencil' AND name = 'all'
UNION ALL SELECT iif(nth = 1, 'klein-c-055', 'klein-c-056'), devices, NULL, NULL, printf('devices, %d particles', size)
FROM knee WHERE app = 'nbody' AND name = 'all' AND nth <= 2
UNION ALL SELECT 'klein-c-059', abs(a.devices - b.devices), NULL, NULL,
    printf('devices apart, the whole program and its kernels, %d particles', size)
FROM knee AS a JOIN knee AS b USING (app, size) WHERE app = 'nbody' AND a.nth = 1 AND a.name = 'all'
    AND b.name = 'kernels'
UNION ALL SELECT 'klein-c-032', more / max(less, 1e-9), NULL, NULL,
    printf('times what kernels save, n = %d beyond %d devices', size, devices) FROM behind
UNION ALL SELECT 'klein-c-032', NULL, NULL, NULL, 'the total time falls up to the most devices'
WHERE NOT EXISTS (SELECT 1 FROM behind) AND EXISTS (SELECT 1 FROM knee WHERE app = 'stencil');

-- Overhead of the n-body program over the size: whether it falls, and fast: half of the drop is reached where the least
-- in the first third of the sizes is below the middle of both ends. Gaps between lines of 2, 4, 8, ... devices.
WITH share AS (SELECT * FROM partition_spans_of WHERE app = 'nbody' AND name = 'overhead / all'),
line AS (SELECT *, min(size) OVER () AS first, max(size) OVER () AS last FROM share WHERE most AND devices > 1),
early AS (SELECT min(mid) AS mid, min(low) AS low, min(high) AS high, count(*) - 1 AS sizes FROM line
    WHERE size <= first + (last - first) / 3.0),
ends AS (SELECT avg(mid) AS mid, avg(low) AS low, avg(high) AS high FROM line WHERE size IN (first, last)),
fall AS (SELECT spearman(size, mid) AS falls, count(*) > 2 AND (SELECT sizes FROM early) > 0 AS enough FROM line
    HAVING count(*) > 0),
gap AS (SELECT devices, mid - 2 * lag(mid) OVER at + lag(mid, 2) OVER at AS growth,
        devices = 2 * lag(devices) OVER at AND devices = 4 * lag(devices, 2) OVER at AS regular
    FROM share WHERE size = (SELECT min(size) FROM share) AND devices IN (2, 4, 8, 16) WINDOW at AS (ORDER BY devices))
SELECT 'klein-c-050/falls' AS id, iif(enough, falls, NULL) AS value, NULL AS low, NULL AS high,
    iif(enough, 'is Spearman''s coefficient', 'three sizes are needed, and a second one in their first third') AS words
FROM fall
UNION ALL SELECT 'klein-c-050/early', ends.mid / early.mid, ends.low / early.high, ends.high / early.low,
    'times the least in the first third, the middle of both ends' FROM ends, early, fall WHERE enough
UNION ALL SELECT 'klein-c-051', growth, NULL, NULL, printf('is the growth of the gap up to %d devices', devices)
    FROM gap
WHERE regular
UNION ALL SELECT 'klein-c-051', NULL, NULL, NULL, '2, 4 and 8 devices are needed'
WHERE EXISTS (SELECT 1 FROM share) AND NOT EXISTS (SELECT 1 FROM gap WHERE regular);

-- Shares in the runs of daily use. The two largest widths, 1000 iterations; the product's two largest sizes.
WITH run AS (SELECT *, dense_rank() OVER (ORDER BY size DESC) AS nth FROM partition_stencil
    WHERE status = 'pass' AND variant = 'partitioned')
SELECT 'klein-c-034' AS id, iif(iterations < 1000, NULL, median(dep_calc_s / time_s)) AS value,
    interval_low(dep_calc_s / time_s, rep) AS low, interval_high(dep_calc_s / time_s, rep) AS high,
    iif(iterations < 1000, 'runs of 1000 iterations are needed',
        printf('of the time, n = %d, %d devices', size, devices)) AS words
FROM run WHERE nth <= 2 GROUP BY size, devices;

WITH run AS (SELECT *, dense_rank() OVER (ORDER BY size DESC) AS nth FROM partition_matmul
    WHERE status = 'pass' AND app = 'matmul')
SELECT 'klein-c-012' AS id, median(app_dtoh_s / time_s) AS value, interval_low(app_dtoh_s / time_s, rep) AS low,
    interval_high(app_dtoh_s / time_s, rep) AS high,
    printf('of the time, %s, n = %d, %d devices', variant, size, devices) AS words
FROM run WHERE nth <= 2 GROUP BY variant, htod, size, devices;

-- The stencil beside the matrix product: same size, same number of devices.
WITH run AS (SELECT app, size, devices, htod, median(app_htod_s / time_s) AS mid,
        interval_low(app_htod_s / time_s, rep) AS low, interval_high(app_htod_s / time_s, rep) AS high
    FROM (SELECT * FROM partition_matmul UNION ALL SELECT * FROM partition_stencil
        WHERE iterations = (SELECT max(iterations) FROM partition_stencil))
    WHERE status = 'pass' AND variant = 'partitioned' GROUP BY app, size, devices, htod),
pair AS (SELECT size, devices, s.mid / m.mid AS mid, s.low / m.high AS low, s.high / m.low AS high
    FROM run AS s JOIN run AS m USING (size, devices, htod) WHERE s.app = 'stencil' AND m.app = 'matmul')
SELECT 'klein-c-039' AS id, mid AS value, low, high, printf('times the share, n = %d, %d devices', size,
    devices) AS words
FROM pair WHERE size = (SELECT max(size) FROM pair);

-- More iterations, smaller share of the copies to devices.
WITH share AS (SELECT size, devices, htod, iterations, median(app_htod_s / app_kernel_s) AS mid,
        interval_low(app_htod_s / app_kernel_s, rep) AS low, interval_high(app_htod_s / app_kernel_s, rep) AS high
    FROM (SELECT * FROM partition_stencil UNION ALL SELECT * FROM partition_htod)
    WHERE status = 'pass' AND app = 'stencil' AND variant = 'partitioned' GROUP BY size, devices, htod, iterations)
SELECT 'klein-c-035' AS id, m.mid / f.mid AS value, m.low / f.high AS low, m.high / f.low AS high,
    printf('times from %d to %d iterations, n = %d, %d devices', f.iterations, m.iterations, size, devices) AS words
FROM share AS f JOIN share AS m USING (size, devices, htod) WHERE m.iterations > f.iterations;

-- Spans lie within one another. A launch computes all intervals here, also of buffers without dependencies.
WITH run AS (SELECT * FROM partition_spans UNION ALL SELECT * FROM partition_variants)
SELECT 'klein-c-093' AS id, sum(kernel_s + dep_calc_s + sync_comm_s > app_kernel_s) AS value, NULL AS low, NULL AS high,
    printf('of %d runs: launches take less than kernels, dependencies and copies', count(*)) AS words
FROM run WHERE status = 'pass' AND variant = 'partitioned' HAVING count(*) > 0
UNION ALL SELECT 'klein-c-112', nullif(sum(interval_s > dep_calc_s), 0), NULL, NULL,
    'not implemented: a copy to the host computes no intervals; those of launches lie within dependency calculation'
FROM run WHERE status = 'pass' AND variant = 'partitioned' HAVING count(*) > 0;
