-- Whole run times in the thesis's mode, which sends everything to every device and remembers the last writer of each buffer: the unmodified
-- program on one device / partitioned on the most devices. Matrices from 8192 on, 1000 iterations of the stencil.
WITH word AS ( -- parameters are `app=matmul size=8192 devices=4 iterations=1 ...`; all experiments of these programs count
    SELECT experiment, variant, substr(parameters, 5, instr(parameters, ' ') - 5) AS app, CAST(substr(parameters, instr(parameters, ' size=') + 6) AS INTEGER) AS size,
        CAST(substr(parameters, instr(parameters, ' devices=') + 9) AS INTEGER) AS devices,
        CAST(substr(parameters, instr(parameters, ' iterations=') + 12) AS INTEGER) AS iterations,
        CAST(substr(parameters, instr(parameters, ' block_x=') + 9) AS INTEGER) AS block_x,
        parameters LIKE '% htod=broadcast resolution=last-writer %options=-' AS thesis, median_s, low_s, high_s
    FROM configurations WHERE parameters GLOB 'app=* size=* devices=* iterations=* htod=*'),
run AS (SELECT * FROM word WHERE app IN ('matmul', 'stencil', 'nbody')),
speedup AS (
    SELECT app, size, p.devices AS devices, o.median_s / p.median_s AS mid, o.low_s / p.high_s AS low, o.high_s / p.low_s AS high
    FROM run AS o JOIN run AS p USING (experiment, app, size, iterations, block_x)
    WHERE o.variant = 'original' AND p.variant = 'partitioned' AND p.thesis AND p.devices > 1
        AND p.devices = (SELECT max(devices) FROM run WHERE variant = 'partitioned' AND thesis)
        AND CASE app WHEN 'matmul' THEN size >= 8192 WHEN 'stencil' THEN iterations >= 1000 ELSE 1 END),
best AS (SELECT app, max(mid) AS mid, low, high, size, devices FROM speedup GROUP BY app),
large AS (SELECT app, max(size) AS size, mid, low, high, devices FROM speedup GROUP BY app),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
verdict AS (
    SELECT 'klein-c-001' AS id, printf('%.3f on %d devices, n = %d', mid, devices, size) AS measured,
           CASE WHEN low >= 0.85 * devices THEN 1 WHEN high < 0.85 * devices THEN 0 END AS ok FROM best WHERE app = 'matmul'
    UNION ALL
    SELECT 'klein-c-002', printf('%.3f on %d devices, n = %d', mid, devices, size),
           CASE WHEN low > 1 AND high <= 0.6 * devices THEN 1 WHEN high <= 1 OR low > 0.6 * devices THEN 0 END FROM best WHERE app = 'stencil'
    UNION ALL
    SELECT 'klein-c-003', printf('%.3f on %d devices, n = %d', mid, devices, size),
           CASE WHEN low >= 0.4 * devices AND high <= devices THEN 1 WHEN high < 0.4 * devices OR low > devices THEN 0 END FROM large WHERE app = 'nbody'
    UNION ALL
    SELECT 'klein-c-004', printf('matmul %.3f, nbody %.3f, stencil %.3f on %d devices', m.mid, n.mid, s.mid, m.devices),
           CASE WHEN m.low > n.high AND n.low > s.high THEN 1 WHEN m.high <= n.low OR n.high <= s.low THEN 0 END
    FROM best AS m, best AS n, best AS s WHERE m.app = 'matmul' AND n.app = 'nbody' AND s.app = 'stencil'),
claim(id, bound) AS (VALUES ('klein-c-001', '>= 0.85 of the devices'), ('klein-c-002', '> 1, <= 0.6 of the devices'),
    ('klein-c-003', '0.4 to 1 of the devices'), ('klein-c-004', 'in this order'))
SELECT claim.id AS id, measured, bound, iif(real AND measured IS NOT NULL, ok, 'waived') AS ok,
       CASE WHEN NOT real THEN 'the software GPU''s devices share the cores of this machine'
           WHEN measured IS NULL THEN 'not measured in the thesis''s mode: everything to every device, last writer'
           ELSE 'everything to every device, last writer' END AS reason
FROM gpu, claim LEFT JOIN verdict USING (id) WHERE EXISTS (SELECT 1 FROM run);

-- The same of the n-body program, in the mode that was measured over its sizes.
WITH run AS (SELECT * FROM partition_matmul_median UNION ALL SELECT * FROM partition_nbody_median),
mode AS (SELECT min(htod) AS htod, max(devices) AS devices FROM run WHERE variant = 'partitioned'),
speedup AS (
    SELECT p.app AS app, p.size AS size, p.devices AS devices, o.time_s / p.time_s AS mid, o.time_low_s / p.time_high_s AS low, o.time_high_s / p.time_low_s AS high
    FROM run AS o JOIN run AS p USING (app, size, iterations, block_x) JOIN mode ON mode.htod = p.htod AND mode.devices = p.devices
    WHERE o.variant = 'original' AND p.variant = 'partitioned' AND p.devices > 1),
large AS (SELECT app, max(size) AS size, mid, low, high, devices FROM speedup WHERE app IN ('matmul', 'nbody') GROUP BY app),
small AS (SELECT app, min(size) AS size, mid, low, high FROM speedup WHERE app = 'nbody' GROUP BY app),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
verdict AS (
    SELECT 'klein-c-057' AS id, printf('nbody %.3f, matmul %.3f on %d devices', n.mid, m.mid, m.devices) AS measured, 'nbody lower' AS bound, CASE WHEN n.high < m.low THEN 1
        WHEN n.low >= m.high THEN 0 END AS ok
    FROM large AS n, large AS m WHERE n.app = 'nbody' AND m.app = 'matmul'
    UNION ALL
    SELECT 'klein-c-058', printf('%.3f with %d particles, %.3f with %d', large.mid, large.size, small.mid, small.size), 'larger with more', CASE
        WHEN large.low > small.high THEN 1 WHEN large.high <= small.low THEN 0 END
    FROM large JOIN small USING (app))
SELECT id, measured, bound, iif(real, ok, 'waived') AS ok, iif(real, 'copies from the host: ' || htod,
    'the software GPU''s devices share the cores of this machine') AS reason FROM verdict, gpu, mode;

-- The thesis's own sweeps, of which nothing can be compared on other hardware.
SELECT 'klein-c-010' AS id, NULL AS measured, '1 point' AS bound, 'waived' AS ok, 'which point is missing is not named; nothing to compare' AS reason
UNION ALL SELECT 'klein-c-096', NULL, 'no substantial gain', 'waived', 'not implemented: no second broadcast; copies to parts and lazy copies take its place'
UNION ALL SELECT 'klein-c-099', NULL, 'no delay', 'waived', 'not implemented: no helper thread computes intervals while the host prepares data';

-- The power of n that the matrix product's launches follow, from 4096 on. The slope of a line is least where the times of the larger sizes are at
-- their low ends and those of the smaller ones at their high ends.
WITH run AS (
    SELECT variant, devices, ln(size) AS x, size, median(app_kernel_s) AS mid, interval_low(app_kernel_s) AS low, interval_high(app_kernel_s) AS high
    FROM partition_matmul WHERE status = 'pass' AND app = 'matmul' AND size >= 4096 AND variant IN ('original', 'partitioned')
        AND (variant = 'original' OR htod = (SELECT min(htod) FROM partition_matmul WHERE variant = 'partitioned' AND status = 'pass'))
    GROUP BY variant, devices, size),
centre AS (SELECT variant, devices, avg(x) AS x FROM run GROUP BY variant, devices),
slope AS (
    SELECT run.devices AS devices, line_slope(run.x, ln(mid)) AS mid, line_slope(run.x, ln(iif(run.x > centre.x, low, high))) AS low,
        line_slope(run.x, ln(iif(run.x > centre.x, high, low))) AS high, count(*) AS sizes, min(size) AS first, max(size) AS last
    FROM run JOIN centre USING (variant, devices) GROUP BY variant, devices),
found AS (SELECT count(*) AS lines, min(sizes) AS sizes, min(mid) AS least, max(mid) AS most, min(low) AS low, max(high) AS high, max(low) AS above, min(high) AS below,
    max(devices) AS devices, min(first) AS first, max(last) AS last FROM slope)
SELECT 'klein-c-009' AS id, iif(sizes > 1, printf('%.2f to %.2f on 1 to %d devices, n = %d to %d', least, most, devices, first, last), NULL) AS measured,
       '2.7 to 3.3 from n = 4096 on' AS bound,
       CASE WHEN lines = 0 OR sizes < 3 THEN 'waived' WHEN low >= 2.7 AND high <= 3.3 THEN 1 WHEN above > 3.3 OR below < 2.7 THEN 0 END AS ok,
       iif(lines = 0 OR sizes < 3, printf('three sizes from 4096 on are needed, and %d were measured', coalesce(sizes, 0)), '') AS reason
FROM found WHERE EXISTS (SELECT 1 FROM partition_matmul);

-- How the time grows with the problem: the three largest sizes at least.
WITH run AS (SELECT * FROM partition_matmul_median UNION ALL SELECT * FROM partition_stencil_median UNION ALL SELECT * FROM partition_nbody_median),
rank AS (
    SELECT app, variant, devices, size, app_kernel_s / iterations AS app_kernel_s, row_number() OVER (PARTITION BY app, variant, devices ORDER BY size DESC) AS nth FROM run
    WHERE app IN ('matmul', 'stencil', 'nbody') AND (htod = '-' OR htod = (SELECT min(htod) FROM run WHERE variant = 'partitioned'))
      AND iterations > 0 AND (app = 'nbody' OR iterations = (SELECT max(r.iterations) FROM run AS r WHERE r.app = run.app))),
least(app, size) AS (VALUES ('matmul', 4096), ('stencil', 8192), ('nbody', 65536)),
used AS (SELECT rank.* FROM rank JOIN least USING (app) WHERE (rank.size >= least.size OR nth <= 3)),
slope AS (SELECT app, variant, devices, line_slope(ln(size), ln(app_kernel_s)) AS slope, count(*) AS sizes, min(size) AS first, max(size) AS last FROM used
    GROUP BY app, variant, devices)
SELECT 'klein-c-016' AS id, printf('%.2f to %.2f on 1 to %d devices, n = %d to %d', min(slope), max(slope), max(devices), min(first), max(last)) AS measured,
       '1.8 to 2.2' AS bound,
       CASE WHEN min(sizes) < 3 THEN 'waived' WHEN min(slope) >= 1.8 AND max(slope) <= 2.2 THEN 1 WHEN min(first) < 8192 THEN 'waived' ELSE 0 END AS ok,
       CASE WHEN min(sizes) < 3 THEN 'too few sizes' WHEN min(first) < 8192 THEN 'a claim about n >= 8192' ELSE '' END AS reason FROM slope
           WHERE app = 'stencil' AND variant <> 'by-hand' AND devices <= 4 HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-060', printf('%.2f, n = %d to %d', slope, first, last), '2.7 to 3.3',
       CASE WHEN sizes < 3 THEN 'waived' WHEN slope BETWEEN 1.8 AND 2.2 THEN 0 WHEN first < 65536 THEN 'waived' ELSE slope BETWEEN 2.7 AND 3.3 END,
       CASE WHEN sizes < 3 THEN 'too few sizes' WHEN slope BETWEEN 1.8 AND 2.2 THEN 'the listed kernel computes a force for each pair, which is quadratic'
           WHEN first < 65536 THEN 'a claim about many particles: n >= 65536' ELSE '' END
FROM slope WHERE app = 'nbody' AND variant = 'original';

-- Speed-up of the matrix product over the number of devices, largest size.
WITH run AS (SELECT * FROM partition_matmul_median WHERE app = 'matmul' AND size = (SELECT max(size) FROM partition_matmul_median WHERE app = 'matmul')),
speedup AS (
    SELECT p.devices AS devices, o.time_s / p.time_s AS mid FROM run AS o JOIN run AS p WHERE o.variant = 'original' AND p.variant = 'partitioned'
        AND p.htod = (SELECT min(htod) FROM run WHERE variant = 'partitioned')),
step AS (SELECT devices, mid, lag(mid) OVER (ORDER BY devices) AS before FROM speedup),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'klein-c-011' AS id, group_concat(printf('%.2f on %d', mid, devices), ', ') AS measured, 'rises; slope >= 0.85, R2 >= 0.98' AS bound,
       iif(NOT real OR count(*) < 3, 'waived', min(mid > coalesce(before, 0)) AND line_r2(devices, mid) >= 0.98 AND line_slope(devices, mid) >= 0.85) AS ok,
       CASE WHEN NOT real THEN 'the software GPU''s devices share the cores of this machine' WHEN count(*) < 3 THEN 'three numbers of devices are needed'
           ELSE '' END AS reason FROM step, gpu HAVING count(*) > 0;
