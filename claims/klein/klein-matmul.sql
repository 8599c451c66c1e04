-- Kernel times with dependency resolution; runs that wait after each step, with everything sent to every device.
WITH run AS (
    SELECT size, devices, median(kernel_s + dep_calc_s + sync_comm_s) AS mid, interval_low(kernel_s + dep_calc_s + sync_comm_s) AS low,
        interval_high(kernel_s + dep_calc_s + sync_comm_s) AS high, median(partition_s) AS part
    FROM partition_spans WHERE status = 'pass' AND app = 'matmul' AND variant = 'partitioned' AND htod = 'broadcast' GROUP BY size, devices),
efficiency AS (SELECT p.size AS size, p.devices AS devices, o.mid / p.devices / p.mid AS mid, o.low / p.devices / p.high AS low, o.high / p.devices / p.low AS high,
    p.part / p.mid AS part
               FROM run AS o JOIN run AS p USING (size) WHERE o.devices = 1 AND p.devices > 1 AND (size >= 8192 OR size = (SELECT max(size) FROM run))),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'klein-c-007' AS id, printf('%.3f to %.3f on 2 to %d devices, n = %d to %d', min(mid), max(mid), max(devices), min(size), max(size)) AS measured,
    '>= 0.95 from n = 8192 on' AS bound,
       CASE WHEN NOT real OR max(size) < 8192 THEN 'waived' WHEN min(low) >= 0.95 THEN 1 WHEN min(high) < 0.95 THEN 0 END AS ok,
       CASE WHEN NOT real THEN 'the software GPU''s devices share the cores of this machine'
           WHEN max(size) < 8192 THEN 'a claim about n >= 8192, and no such size was measured step by step' ELSE '' END AS reason
FROM efficiency, gpu HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-008', printf('partitions take %.3g of the time, %.3g is lost', max(part), max(1 - mid)), 'half of what is lost',
       iif(NOT real OR max(mid) >= 1, 'waived', min(part >= 0.5 * (1 - mid))), CASE WHEN NOT real THEN 'the software GPU''s devices share the cores of this machine'
           WHEN max(mid) >= 1 THEN 'nothing is lost' ELSE '' END
FROM efficiency, gpu HAVING count(*) > 0;

-- Copies beside kernels.
WITH rank AS (SELECT *, dense_rank() OVER (ORDER BY size DESC) AS nth FROM partition_matmul WHERE status = 'pass' AND app = 'matmul'),
share AS (
    SELECT size, devices, median(app_dtoh_s / time_s) AS mid, interval_low(app_dtoh_s / time_s) AS low, interval_high(app_dtoh_s / time_s) AS high FROM rank
        WHERE nth <= 2 GROUP BY variant, htod, size, devices)
SELECT 'klein-c-012' AS id, printf('at most %.4f on 1 to %d devices, n = %d and %d', max(mid), max(devices), min(size), max(size)) AS measured, '<= 0.02' AS bound, CASE
    WHEN max(high) <= 0.02 THEN 1 WHEN max(low) > 0.02 THEN 0 END AS ok, '' AS reason
FROM share HAVING count(*) > 0;

WITH run AS (SELECT * FROM partition_spans WHERE status = 'pass' AND app = 'matmul' AND variant = 'partitioned' AND htod = 'broadcast'),
share AS (
    SELECT size, devices, median(app_dtoh_s / kernel_s) AS mid, interval_low(app_dtoh_s / kernel_s) AS low, interval_high(app_dtoh_s / kernel_s) AS high,
        median((sync_comm_s + dep_calc_s - interval_s) / kernel_s) AS rest, interval_low((sync_comm_s + dep_calc_s - interval_s) / kernel_s) AS rest_low,
        interval_high((sync_comm_s + dep_calc_s - interval_s) / kernel_s) AS rest_high, max(gather_interval_s) AS inside,
           median((app_htod_s + app_dtoh_s) / kernel_s) AS copies, interval_low((app_htod_s + app_dtoh_s) / kernel_s) AS copies_low,
               interval_high((app_htod_s + app_dtoh_s) / kernel_s) AS copies_high
    FROM run GROUP BY size, devices),
fall AS (
    SELECT devices, l.copies / s.copies AS mid, l.copies_low / s.copies_high AS low, l.copies_high / s.copies_low AS high FROM share AS s
        JOIN share AS l USING (devices)
    WHERE s.size = (SELECT min(size) FROM share) AND l.size = (SELECT max(size) FROM share) AND s.size < l.size)
SELECT 'klein-c-013' AS id, printf('at most %.4f on 1 to %d devices, n = %d', max(mid), max(devices), size) AS measured, '<= 0.02' AS bound, CASE
    WHEN max(high) <= 0.02 THEN 1 WHEN max(low) > 0.02 THEN 0 END AS ok,
       iif(max(inside) > 0, 'with the interval calculation', 'intervals are computed at the launch here, not in the copy') AS reason FROM share
           WHERE size = (SELECT max(size) FROM share) HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-014', printf('%d bytes between devices; dependencies and copies take at most %.4f of the kernels'' time, intervals of the launch up to %.3g s', bytes,
    max(rest), intervals), '0 bytes, <= 0.02 without intervals', CASE WHEN bytes > 0 OR max(rest_low) > 0.02 THEN 0 WHEN max(rest_high) <= 0.02 THEN 1 END,
       'the launch computes here the intervals that the thesis computes in the copy to the host'
FROM share, (SELECT max(d2d_bytes) AS bytes, max(interval_s) AS intervals FROM run) HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-015', printf('%.3f to %.3f times from the smallest to the largest n', min(mid), max(mid)), '< 1 each', CASE WHEN max(high) < 1 THEN 1
    WHEN max(low) >= 1 THEN 0 END, '' FROM fall HAVING count(*) > 0;
