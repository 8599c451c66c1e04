-- Bandwidth of the stencil: five numbers of 4 bytes for each cell and launch.
WITH run AS (
    SELECT variant, devices, size, size * 20.0 * size * iterations / app_kernel_s AS bandwidth, dense_rank() OVER (PARTITION BY variant,
        devices ORDER BY size DESC) AS nth FROM partition_stencil_median
    WHERE iterations = (SELECT max(iterations) FROM partition_stencil_median) AND (htod = '-' OR htod = (SELECT min(htod) FROM partition_stencil_median
        WHERE variant = 'partitioned'))),
one AS (SELECT bandwidth, nth, size FROM run WHERE variant = 'original'),
many AS (SELECT devices, bandwidth FROM run WHERE nth = 1 AND variant = 'partitioned'),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
sheet(device, bandwidth) AS (VALUES ('%H200%', 4.8e12), ('%H100%', 3.35e12)), -- data sheets, bytes per second
peak AS (SELECT max(bandwidth) AS bandwidth FROM machine JOIN sheet ON name = 'device0_name' AND value LIKE device)
SELECT 'klein-c-017' AS id, printf('%.4g GB/s, %.3f between the last three sizes', max(bandwidth) / 1e9, max(bandwidth) / min(bandwidth)) AS measured,
    '<= 1.05 (thesis 200 GB/s)' AS bound,
       iif(NOT real OR count(*) < 3, 'waived', max(bandwidth) <= 1.05 * min(bandwidth)) AS ok, CASE WHEN NOT real THEN 'the software GPU has no memory of its own'
           WHEN count(*) < 3 THEN 'too few sizes' ELSE '' END AS reason FROM one, gpu WHERE nth <= 3 HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-018', iif(peak.bandwidth, printf('%.3f', max(one.bandwidth) / peak.bandwidth), printf('%.4g GB/s', max(one.bandwidth) / 1e9)), '>= 0.5 of the peak',
    iif(real AND peak.bandwidth, max(one.bandwidth) >= 0.5 * peak.bandwidth, 'waived'),
       CASE WHEN NOT real THEN 'the software GPU has no memory of its own'
           WHEN peak.bandwidth IS NULL THEN 'the peak bandwidth of this device''s memory is not known here' ELSE '' END FROM one, gpu, peak HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-019', printf('R2 %.3f over 1 to %d devices', line_r2(devices, many.bandwidth), max(devices)), '>= 0.97', iif(NOT real OR count(*) < 3, 'waived',
    line_r2(devices, many.bandwidth) >= 0.97 AND line_slope(devices, many.bandwidth) > 0),
       CASE WHEN NOT real THEN 'the software GPU''s devices share the cores of this machine' WHEN count(*) < 3 THEN 'three numbers of devices are needed' ELSE '' END
           FROM many, gpu HAVING count(*) > 0;

-- Speed-ups of kernel and total time.
WITH run AS (
    SELECT variant, devices, size, median(app_kernel_s) AS kernel, interval_low(app_kernel_s) AS kernel_low, interval_high(app_kernel_s) AS kernel_high,
        median(time_s) AS total, interval_low(time_s) AS total_low, interval_high(time_s) AS total_high
    FROM partition_stencil WHERE status = 'pass' AND iterations = (SELECT max(iterations) FROM partition_stencil) AND (variant = 'original' OR (variant = 'partitioned'
        AND htod = (SELECT min(htod) FROM partition_stencil WHERE variant = 'partitioned')))
    GROUP BY variant, devices, size),
speedup AS (
    SELECT size, p.devices AS devices, o.kernel / p.kernel AS kernel, o.kernel_low / p.kernel_high AS kernel_low, o.kernel_high / p.kernel_low AS kernel_high,
        o.total / p.total AS total, o.total_low / p.total_high AS total_low, o.total_high / p.total_low AS total_high
    FROM run AS o JOIN run AS p USING (size) WHERE o.variant = 'original' AND p.variant = 'partitioned' AND p.devices > 1),
ends AS (SELECT min(size) AS small, max(size) AS large, max(devices) AS devices FROM speedup),
better AS (SELECT min(l.kernel > s.kernel) AS larger FROM speedup AS l JOIN speedup AS s USING (devices) JOIN ends WHERE l.size = large AND s.size = small),
near AS (SELECT devices, size, total, dense_rank() OVER (ORDER BY size DESC) AS nth FROM speedup),
alike AS (SELECT devices, abs(a.total - b.total) / a.total AS apart FROM near AS a JOIN near AS b USING (devices) WHERE a.nth = 1 AND b.nth = 2),
verdict AS (
    SELECT 'klein-c-022' AS id, printf('%.3f to %.3f of the devices; %s at the largest n', min(kernel / speedup.devices), max(kernel / speedup.devices), iif(larger,
        'better', 'not better on all')) AS measured, '>= 0.8, better at the largest n' AS bound,
           CASE WHEN min(kernel_low / speedup.devices) >= 0.8 AND larger THEN 1 WHEN min(kernel_high / speedup.devices) < 0.8 OR NOT larger THEN 0 END AS ok
               FROM speedup, ends, better WHERE size = large HAVING count(*) > 0
    UNION ALL
    SELECT 'klein-c-023', printf('%.3f of the kernels, %.3f of all', kernel, total), 'kernels above all', CASE WHEN kernel_low > total_high THEN 1
        WHEN kernel_high <= total_low THEN 0 END FROM speedup JOIN ends ON size = large AND speedup.devices = ends.devices
    UNION ALL
    SELECT 'klein-c-036', printf('at most %.3f apart, relatively', max(apart)), '<= 0.3', max(apart) <= 0.3 FROM alike HAVING count(*) > 0),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT id, measured, bound, iif(real, ok, 'waived') AS ok, iif(real, '', 'the software GPU''s devices share the cores of this machine') AS reason FROM verdict, gpu;

-- What the nine-point stencil costs more: halos, and what is lost of the speed-up.
WITH run AS (
    SELECT app, devices, iterations, size, variant, median(sync_comm_s) AS mid, interval_low(sync_comm_s) AS low, interval_high(sync_comm_s) AS high,
        median(app_kernel_s) AS kernel, median(d2d_bytes) AS bytes
    FROM partition_variants WHERE status = 'pass' AND (variant = 'original' OR (variant = 'partitioned' AND split = 'y' AND resolution = 'exact' AND options = 'spans'))
        GROUP BY app, devices, iterations, size, variant),
five AS (SELECT * FROM run WHERE app = 'stencil'), nine AS (SELECT * FROM run WHERE app = 'stencil9'),
pair AS (SELECT devices, n.mid / f.mid AS mid, n.low / f.high AS low, n.high / f.low AS high, n.bytes / f.bytes AS bytes, n.kernel AS nine, f.kernel AS five, size,
    iterations FROM nine AS n JOIN five AS f USING (devices, size, iterations)
         WHERE n.variant = 'partitioned' AND f.variant = 'partitioned'),
ratio AS (SELECT pair.*, (n.kernel / pair.nine) / (f.kernel / pair.five) AS speedup FROM pair JOIN nine AS n USING (size, iterations)
    JOIN five AS f USING (size, iterations) WHERE n.variant = 'original' AND f.variant = 'original'),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'klein-c-037' AS id, printf('%.2f times the time and %.2f times the bytes on %d devices, speed-up %.3f times', mid, bytes, max(devices), speedup) AS measured,
    '1.5 to 2.5 times the time, >= 0.9 times the speed-up' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN low >= 1.5 AND high <= 2.5 AND speedup >= 0.9 THEN 1 WHEN high < 1.5 OR low > 2.5 OR speedup < 0.9 THEN 0 END AS ok,
       iif(real, '', 'the software GPU has no links between devices, and its devices share the cores of this machine') AS reason FROM ratio, gpu HAVING count(*) > 0;

-- Splits along and against the rows: copies and their time.
WITH run AS (
    SELECT devices, size, split, median(d2d_copies) AS copies, median(sync_comm_s) AS mid, interval_low(sync_comm_s) AS low, interval_high(sync_comm_s) AS high
    FROM partition_variants WHERE status = 'pass' AND variant = 'partitioned' AND app = 'stencil' AND resolution = 'exact' AND options = 'spans' AND split IN ('x', 'y')
        AND one_device = 0 GROUP BY devices, size, split),
ratio AS (SELECT devices, size, x.copies / y.copies AS copies, x.mid / y.mid AS mid, x.low / y.high AS low, x.high / y.low AS high FROM run AS x
    JOIN run AS y USING (devices, size) WHERE x.split = 'x' AND y.split = 'y' AND y.copies > 0)
SELECT 'klein-c-040' AS id, printf('%.3g to %.3g times the copies, %.3g to %.3g times the time', min(copies), max(copies), min(mid), max(mid)) AS measured,
    'copies grow like n; more time' AS bound,
       CASE WHEN max(copies) <= 1 OR max(high) <= 1 THEN 0 WHEN min(copies / size) >= 0.5 AND min(low) > 1 THEN 1 END AS ok, iif(max(copies) <= 1,
           'columns are one two-dimensional copy here', '') AS reason FROM ratio HAVING count(*) > 0;
