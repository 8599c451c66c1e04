-- Copies between host and devices.
WITH run AS (
    SELECT size, htod, devices, median(app_htod_s) AS mid, interval_low(app_htod_s) AS low, interval_high(app_htod_s) AS high, median(app_dtoh_s) AS back,
        interval_low(app_dtoh_s) AS back_low, interval_high(app_dtoh_s) AS back_high,
           dense_rank() OVER (ORDER BY size DESC) AS nth
    FROM partition_htod WHERE status = 'pass' AND app = 'stencil' AND variant = 'partitioned' AND resolution = 'exact' GROUP BY size, htod, devices),
step AS (SELECT size, devices, mid / lag(mid) OVER at AS mid, low / lag(high) OVER at AS low, high / lag(low) OVER at AS high FROM run
    WHERE htod = 'broadcast' AND (size >= 8192 OR nth <= 2) WINDOW at AS (PARTITION BY size ORDER BY devices)),
back AS (SELECT size, max(back) / min(back) AS mid, max(back_low) / min(back_high) AS low, max(back_high) / min(back_low) AS high, count(*) AS counts FROM run
    WHERE htod = 'broadcast' AND devices >= 2 AND (size >= 8192 OR nth <= 2) GROUP BY size),
lazy AS (SELECT max(mid) / min(mid) AS mid, max(low) / min(high) AS low, max(high) / min(low) AS high, count(*) AS counts, size FROM run
    WHERE htod = 'lazy' AND devices >= 2 AND nth = 1),
halo AS (
    SELECT max(p.htod_bytes / o.htod_bytes) AS bytes, max(p.htod_bytes / o.htod_bytes - 1 - 2.0 * (p.devices - 1) / (p.size - 2)) AS beyond
        FROM partition_htod_median AS p JOIN partition_htod_median AS o USING (app, size, htod, variant)
    WHERE app = 'stencil' AND htod = 'lazy' AND variant = 'partitioned' AND o.devices = 1),
plain AS (SELECT size, median(app_dtoh_s) AS mid, interval_low(app_dtoh_s) AS low, interval_high(app_dtoh_s) AS high FROM partition_htod
    WHERE status = 'pass' AND app = 'stencil' AND variant = 'original' GROUP BY size),
extra AS (SELECT min(back / plain.mid) AS mid, max(back / plain.mid) AS most, min(back_low / plain.high) AS low, min(back_high / plain.low) AS high
    FROM run JOIN plain USING (size) WHERE htod = 'broadcast' AND devices >= 2)
SELECT 'klein-c-024' AS id, printf('%.2f to %.2f times from one number of devices to the next, n = %d to %d', min(mid), max(mid), min(size), max(size)) AS measured,
    '> 1 each' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok, '' AS reason
FROM step WHERE mid IS NOT NULL HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-026', printf('largest / smallest at most %.2f from 2 devices on, n = %d to %d', max(mid), min(size), max(size)), '<= 1.5', CASE
    WHEN max(counts) < 2 THEN 'waived' WHEN max(high) <= 1.5 THEN 1 WHEN max(low) > 1.5 THEN 0 END,
       iif(max(counts) < 2, 'three numbers of devices are needed', '') FROM back HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-028', printf('%.2f to %.2f of the original''s time from 2 devices on', mid, most), '>= 1 each', CASE WHEN high < 1 THEN 0 WHEN low >= 1 THEN 1 END,
       iif(low >= 1, '', 'a copy to the host computes no intervals here, and devices copy beside one another') FROM extra WHERE mid > 0
UNION ALL
SELECT 'klein-c-029', NULL, '>= 0.1 of the time for small n', 'waived', 'not implemented: the launch computes all intervals, and a copy to the host none' FROM extra
    WHERE mid > 0
UNION ALL
SELECT 'klein-c-097', printf('time: largest / smallest %.2f from 2 devices on, n = %d; at most %.3f of one device''s bytes', mid, size, bytes),
    '<= 1.5; <= 1 + halo rows',
       CASE WHEN beyond > 1e-9 THEN 0 WHEN counts < 2 THEN 'waived' WHEN high <= 1.5 THEN 1 WHEN low > 1.5 THEN 0 END, iif(counts < 2,
           'three numbers of devices are needed', 'parts are sent when launches read them') FROM lazy, halo WHERE counts > 0;

-- Amounts. A broadcast sends everything to each device; what is fetched does not depend on their number.
WITH run AS (SELECT * FROM partition_htod_median UNION ALL SELECT * FROM partition_spans_median UNION ALL SELECT * FROM partition_programs_median),
pair AS (
    SELECT p.app AS app, p.htod AS htod, p.devices AS devices, p.htod_bytes / o.htod_bytes AS sent, p.dtoh_bytes / o.dtoh_bytes AS fetched, iif(p.app LIKE 'stencil%',
        (4.0 * p.size - 4) / p.size / p.size, 0) AS border
    FROM run AS p JOIN run AS o USING (app, size, iterations, htod, access, options, variant, block_x) WHERE variant = 'partitioned' AND p.devices > 1
        AND o.devices = 1)
SELECT 'klein-c-025' AS id, printf('%g to %g times the devices in %d runs of %d programs', min(sent / devices), max(sent / devices), count(*),
    count(DISTINCT app)) AS measured, '1' AS bound, min(sent = devices) AS ok, 'broadcast only' AS reason
FROM pair WHERE htod = 'broadcast' HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-027', printf('%g to %g times in %d runs of %d programs', min(fetched), max(fetched), count(*), count(DISTINCT app)),
    '1; of the stencil without border at least', min(fetched <= 1 AND fetched >= 1 - border), ''
FROM pair HAVING count(*) > 0;

-- Intervals of the thesis's method over the size; the broadcast over the size and over the devices; whether parts sent when read are faster in all. The slope
-- of a line is least where the times of the larger values are at their low ends and those of the smaller ones at their high ends. One part that is surely
-- outside of its bounds decides; three sizes and three numbers of devices are needed for the rest.
WITH sent AS (
    SELECT size, devices, median(app_htod_s) AS mid, interval_low(app_htod_s) AS low, interval_high(app_htod_s) AS high, dense_rank() OVER (ORDER BY size DESC) AS nth
    FROM partition_htod WHERE status = 'pass' AND app = 'stencil' AND variant = 'partitioned' AND htod = 'broadcast' AND resolution = 'exact' GROUP BY size, devices),
point(line, x, mid, low, high) AS (
    SELECT 'interval', ln(size), ln(time_s), ln(time_low_s), ln(time_high_s) FROM partition_intervals_median
        WHERE "case" = 'stencil' AND variant = 'points' AND access = 'read' AND part = -1
    UNION ALL SELECT 'size', ln(size), ln(mid), ln(low), ln(high) FROM sent WHERE nth <= 3 AND devices = (SELECT max(devices) FROM sent)
    UNION ALL SELECT 'devices', ln(devices), ln(mid), ln(low), ln(high) FROM sent WHERE nth = 1),
centre AS (SELECT line, avg(x) AS x FROM point GROUP BY line),
slope AS (
    SELECT line, line_slope(p.x, mid) AS mid, line_slope(p.x, iif(p.x > c.x, low, high)) AS low, line_slope(p.x, iif(p.x > c.x, high, low)) AS high, count(*) AS points
    FROM point AS p JOIN centre AS c USING (line) GROUP BY line),
bound(line, least, most) AS (VALUES ('interval', 0.7, 1.3), ('size', 1.5, 2.5), ('devices', 0.7, 1.3)),
part AS (
    SELECT line, slope.mid AS mid, points, CASE WHEN points < 3 THEN NULL WHEN low >= least AND high <= most THEN 1 WHEN high < least OR low > most THEN 0 END AS ok
    FROM bound JOIN slope USING (line)),
parts AS (
    SELECT max(mid) FILTER (WHERE line = 'interval') AS interval, max(mid) FILTER (WHERE line = 'size') AS size, max(mid) FILTER (WHERE line = 'devices') AS devices,
        min(points) AS points, count(ok) AS known, min(ok) AS ok, max(ok = 0 AND line = 'devices') AS beside FROM part),
lazy AS (
    SELECT l.time_s / b.time_s AS mid, l.time_high_s < b.time_low_s AS surely, l.time_low_s >= b.time_high_s AS surely_not, l.size AS size, l.devices AS devices
    FROM partition_htod_median AS l JOIN partition_htod_median AS b USING (app, size, devices, iterations, resolution, variant)
    WHERE app = 'stencil' AND variant = 'partitioned' AND l.htod = 'lazy' AND b.htod = 'broadcast' AND devices > 1),
faster AS (SELECT mid, size, devices, (SELECT max(surely) FROM lazy) AS surely, (SELECT min(surely_not) FROM lazy) AS surely_not FROM lazy ORDER BY mid LIMIT 1)
SELECT 'klein-c-098' AS id, printf('slopes: intervals %.2f over n, broadcast %.2f over n, %.2f over the devices; lazy / broadcast down to %.2f in time (n = %d, %d devices)',
    interval, parts.size, parts.devices, mid, faster.size, faster.devices) AS measured,
       '0.7 to 1.3, 1.5 to 2.5, 0.7 to 1.3; faster somewhere' AS bound,
       CASE WHEN parts.ok = 0 OR surely_not THEN 0 WHEN points < 3 THEN 'waived' WHEN known = 3 AND surely THEN 1 END AS ok,
       CASE WHEN beside THEN 'copies to several devices run beside one another' WHEN parts.ok = 0 OR surely_not OR points >= 3 THEN '' ELSE 'too few sizes or devices' END AS reason
FROM parts, faster WHERE mid > 0;

-- More iterations, smaller part of the copies.
WITH run AS (
    SELECT * FROM partition_stencil UNION ALL SELECT * FROM partition_htod),
share AS (
    SELECT size, devices, htod, iterations, median(app_htod_s / app_kernel_s) AS mid, interval_low(app_htod_s / app_kernel_s) AS low,
        interval_high(app_htod_s / app_kernel_s) AS high
    FROM run WHERE status = 'pass' AND app = 'stencil' AND variant = 'partitioned' GROUP BY size, devices, htod, iterations),
pair AS (
    SELECT f.iterations AS few, m.iterations AS many, m.mid / f.mid AS mid, m.low / f.high AS low, m.high / f.low AS high FROM share AS f
        JOIN share AS m USING (size, devices, htod) WHERE m.iterations > f.iterations)
SELECT 'klein-c-035' AS id, printf('%.3f to %.3f times from %d to %d iterations on', min(mid), max(mid), min(few), max(many)) AS measured, '< 1' AS bound, CASE
    WHEN max(high) < 1 THEN 1 WHEN min(low) >= 1 THEN 0 END AS ok, '' AS reason FROM pair HAVING count(*) > 0;

-- Beside the matrix product of the same size on the same number of devices.
WITH share AS (
    SELECT app, size, devices, htod, median(app_htod_s / time_s) AS mid, interval_low(app_htod_s / time_s) AS low, interval_high(app_htod_s / time_s) AS high,
        iterations FROM partition_matmul
    WHERE status = 'pass' AND app = 'matmul' AND variant = 'partitioned' GROUP BY size, devices, htod
    UNION ALL
    SELECT app, size, devices, htod, median(app_htod_s / time_s), interval_low(app_htod_s / time_s), interval_high(app_htod_s / time_s), iterations
        FROM partition_stencil
    WHERE status = 'pass' AND variant = 'partitioned' AND iterations = (SELECT max(iterations) FROM partition_stencil) GROUP BY size, devices, htod),
pair AS (SELECT size, devices, s.mid AS stencil, m.mid AS matmul, s.low > m.high AS surely, s.high <= m.low AS surely_not FROM share AS s
    JOIN share AS m USING (size, devices, htod) WHERE s.app = 'stencil' AND m.app = 'matmul'),
last AS (SELECT * FROM pair WHERE size = (SELECT max(size) FROM pair))
SELECT 'klein-c-039' AS id, printf('%.3g to %.3g of the stencil, %.3g to %.3g of the product, n = %d', min(stencil), max(stencil), min(matmul), max(matmul),
    max(size)) AS measured, 'larger on each number of devices' AS bound,
       CASE WHEN min(surely) THEN 1 WHEN max(surely_not) THEN 0 END AS ok, '' AS reason FROM last HAVING count(*) > 0;

-- The two largest widths, as long as possible.
WITH last AS (SELECT max(iterations) AS iterations FROM partition_stencil),
rank AS (SELECT partition_stencil.*, dense_rank() OVER (ORDER BY size DESC) AS nth FROM partition_stencil JOIN last USING (iterations)
    WHERE status = 'pass' AND variant = 'partitioned'),
share AS (
    SELECT iterations, median(dep_calc_s / time_s) AS mid, interval_low(dep_calc_s / time_s) AS low, interval_high(dep_calc_s / time_s) AS high FROM rank WHERE nth <= 2
        GROUP BY size, devices, htod, iterations)
SELECT 'klein-c-034' AS id, printf('at most %.4f with %d iterations', max(mid), max(iterations)) AS measured, '<= 0.02' AS bound,
       CASE WHEN max(high) <= 0.02 THEN 1 WHEN max(iterations) < 1000 THEN 'waived' WHEN max(low) > 0.02 THEN 0 END AS ok, iif(max(iterations) < 1000
           AND max(high) > 0.02, 'a claim about 1000 iterations', '') AS reason FROM share HAVING count(*) > 0;
