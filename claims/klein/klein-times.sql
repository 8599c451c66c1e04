-- Whole run times in the mode of the published ones: matrices from 8192 on, 1000 iterations of the stencil, at the
-- size with the largest speedup, of the n-body program at the largest size.
WITH here AS (SELECT * FROM partition_speedups WHERE published_mode AND most AND devices > 1
    AND CASE app WHEN 'matmul' THEN size >= 8192 WHEN 'stencil' THEN iterations >= 1000 ELSE 1 END),
best AS (SELECT *, max(iif(app = 'nbody', size, mid)) FROM here GROUP BY app),
app AS (SELECT DISTINCT app FROM partition_times),
part(id, app, per_device) AS (VALUES ('klein-c-001', 'matmul', 1), ('klein-c-002/speedup', 'stencil', 0),
    ('klein-c-002/share', 'stencil', 1), ('klein-c-003', 'nbody', 1))
SELECT id, iif(per_device, share, mid) AS value, iif(per_device, share_low, low) AS low,
    iif(per_device, share_high, high) AS high,
    iif(mid IS NULL, 'not measured with everything sent to every device, and last writers',
        printf('times faster%s, n = %d, %d devices', iif(per_device, ', by the devices', ''), size, devices)) AS words
FROM part JOIN app USING (app) LEFT JOIN best USING (app);

WITH best AS (SELECT *, max(mid) FROM partition_speedups WHERE published_mode AND most AND devices > 1
    AND CASE app WHEN 'matmul' THEN size >= 8192 WHEN 'stencil' THEN iterations >= 1000 ELSE 1 END GROUP BY app),
pair(more, less) AS (VALUES ('matmul', 'nbody'), ('nbody', 'stencil'))
SELECT 'klein-c-004' AS id, a.mid / b.mid AS value, a.low / b.high AS low, a.high / b.low AS high,
    iif(a.mid / b.mid, 'times the speedup, ' || more || ' beside ' || less,
        'not measured with everything sent to every device, and last writers') AS words
FROM pair LEFT JOIN best AS a ON a.app = more LEFT JOIN best AS b ON b.app = less
WHERE EXISTS (SELECT 1 FROM partition_times);

-- The n-body program, in the mode that was measured over its sizes.
WITH most AS (SELECT * FROM partition_speedups WHERE NOT published_mode AND most AND devices > 1)
SELECT 'klein-c-057' AS id, a.mid / b.mid AS value, a.low / b.high AS low, a.high / b.low AS high,
    printf('times the speedup of the matrix product, %d devices', a.devices) AS words
FROM most AS a JOIN most AS b WHERE a.app = 'nbody' AND a.largest AND b.app = 'matmul' AND b.largest
UNION ALL
SELECT 'klein-c-058', a.mid / b.mid, a.low / b.high, a.high / b.low,
    printf('times the speedup, %d particles beside %d', a.size, b.size)
FROM most AS a JOIN most AS b USING (app)
WHERE app = 'nbody' AND a.largest AND b.size = (SELECT min(size) FROM most WHERE app = 'nbody') AND a.size > b.size;

-- Speedup of the matrix product over the number of devices, largest size.
WITH line AS (SELECT devices, mid, mid / lag(mid) OVER (ORDER BY devices) AS rise FROM partition_speedups
    WHERE app = 'matmul' AND NOT published_mode AND largest),
fit AS (SELECT line_slope(devices, mid) AS slope, line_r2(devices, mid) AS r2, count(*) > 2 AS enough FROM line
    HAVING count(*) > 0)
SELECT 'klein-c-011/rise' AS id, rise AS value, NULL AS low, NULL AS high,
    printf('times the speedup of fewer devices, %d devices', devices) AS words FROM line WHERE rise > 0
UNION ALL SELECT 'klein-c-011/slope', iif(enough, slope, NULL), NULL, NULL,
    iif(enough, 'more speedup for a device more', 'three numbers of devices are needed') FROM fit
UNION ALL SELECT 'klein-c-011/r2', iif(enough, r2, NULL), NULL, NULL, iif(enough, 'of a line', '') FROM fit
WHERE r2 IS NOT NULL;

-- How the time of the launches grows with the problem.
WITH claim(id, app) AS (VALUES ('klein-c-009', 'matmul'), ('klein-c-016', 'stencil'), ('klein-c-060', 'nbody'))
SELECT id, mid AS value, low, high, iif(mid IS NULL, printf('three sizes from %d on are needed', least),
    printf('is the power of n, %s on %d devices', variant, devices)) AS words
FROM claim JOIN partition_powers USING (app) WHERE variant <> 'by-hand'
    AND CASE app WHEN 'stencil' THEN devices <= 4 WHEN 'nbody' THEN variant = 'original' ELSE 1 END;

-- Bandwidth of the stencil on one device, and over the devices at the largest size.
WITH one AS (SELECT * FROM partition_bandwidths WHERE variant = 'original'),
line AS (SELECT line_slope(devices, mid) AS slope, line_r2(devices, mid) AS r2, count(*) AS counts
    FROM partition_bandwidths WHERE variant = 'partitioned' AND nth = 1)
SELECT 'klein-c-017' AS id, iif(count(*) < 3, NULL, max(mid) / min(mid)) AS value, NULL AS low, NULL AS high,
    iif(count(*) < 3, 'three sizes are needed', printf('times between the largest three sizes, %.4g GB/s',
        max(mid) / 1e9))
    AS words FROM one WHERE nth <= 3 HAVING count(*) > 0
UNION ALL SELECT 'klein-c-018', max(mid) / bandwidth, NULL, NULL, iif(bandwidth, 'of the memory''s bandwidth',
    'the bandwidth of this device''s memory is not known here') FROM one, partition_peak HAVING count(*) > 0
UNION ALL SELECT 'klein-c-019', iif(counts < 3, NULL, iif(slope > 0, r2, 0)), NULL, NULL,
    iif(counts < 3, 'three numbers of devices are needed', 'is R2 of a rising line over the devices')
FROM line WHERE counts > 0;

-- Speedups of the stencil: of the launches, and of the whole program.
WITH launches AS (SELECT * FROM partition_launch_speedups WHERE app = 'stencil' AND variant = 'partitioned'
    AND devices > 1),
small AS (SELECT * FROM launches WHERE nth = (SELECT max(nth) FROM launches)),
whole AS (SELECT *, dense_rank() OVER (ORDER BY size DESC) AS nth FROM partition_speedups
    WHERE app = 'stencil' AND NOT published_mode AND devices > 1)
SELECT 'klein-c-022/share' AS id, mid / devices AS value, low / devices AS low, high / devices AS high,
    printf('times faster by the devices, n = %d, %d devices', size, devices) AS words FROM launches WHERE nth = 1
UNION ALL SELECT 'klein-c-022/growth', l.mid / s.mid, NULL, NULL,
    printf('times the speedup at n = %d, %d devices', s.size, devices)
FROM launches AS l JOIN small AS s USING (devices) WHERE l.nth = 1 AND l.size > s.size
UNION ALL SELECT 'klein-c-023', l.mid / w.mid, l.low / w.high, l.high / w.low,
    printf('times the speedup of the whole program, n = %d, %d devices', size, devices)
FROM launches AS l JOIN whole AS w USING (size, devices) WHERE l.nth = 1 AND most
UNION ALL SELECT 'klein-c-036', abs(a.mid - b.mid) / a.mid, NULL, NULL,
    printf('of the speedup apart, n = %d and %d, %d devices', a.size, b.size, devices)
FROM whole AS a JOIN whole AS b USING (devices) WHERE a.nth = 1 AND b.nth = 2;
