-- Overhead of the run time in the n-body program; runs that wait after each step, with everything sent to every device.
WITH share AS (
    SELECT size, devices, median((dep_calc_s + sync_comm_s) / time_s) AS mid, interval_low((dep_calc_s + sync_comm_s) / time_s) AS low,
        interval_high((dep_calc_s + sync_comm_s) / time_s) AS high
    FROM partition_spans WHERE status = 'pass' AND app = 'nbody' AND variant = 'partitioned' AND htod = 'broadcast' GROUP BY size, devices),
most AS (SELECT max(devices) AS devices, min(size) AS small, max(size) AS large FROM share),
line AS (SELECT size, mid, low, high FROM share JOIN most USING (devices)),
ends AS (SELECT s.mid AS small, s.low AS small_low, s.high AS small_high, s.size AS small_size, l.mid AS large, l.low AS large_low, l.high AS large_high,
    l.size AS large_size, devices
         FROM most JOIN line AS s ON s.size = small JOIN line AS l ON l.size = large WHERE small < large AND devices > 1),
early AS ( -- the least in the first third of the range; sizes beyond the smallest
    SELECT min(mid) AS least, min(low) AS least_low, min(high) AS least_high, count(*) - 1 AS sizes FROM line JOIN ends
    WHERE size <= small_size + (large_size - small_size) / 3.0),
gap AS (
    SELECT size, max(mid) FILTER (WHERE devices = 2) AS p2, max(mid) FILTER (WHERE devices = 4) AS p4, max(mid) FILTER (WHERE devices = 8) AS p8,
        max(mid) FILTER (WHERE devices = 16) AS p16 FROM share GROUP BY size),
gaps AS (SELECT * FROM gap WHERE size = (SELECT small FROM most))
SELECT 'klein-c-048' AS id, printf('%.3f with %d particles, %.3f with %d, on %d devices', small, small_size, large, large_size, devices) AS measured,
    'three times as much with the fewest (thesis 0.40)' AS bound,
       CASE WHEN small_low >= 3 * large_high THEN 1 WHEN small_high < 3 * large_low THEN 0 END AS ok, '' AS reason FROM ends
UNION ALL
SELECT 'klein-c-049', printf('%.3f with %d particles on %d devices', large, large_size, devices), '<= 0.10 (thesis about 0.06)', CASE WHEN large_high <= 0.1 THEN 1
    WHEN large_low > 0.1 THEN 0 END, '' FROM ends
UNION ALL
SELECT 'klein-c-050', printf('Spearman %.2f, %.2f of the drop within the first third', spearman(size, mid), (small - least) / (small - large)), '<= -0.9, >= 0.5',
    CASE WHEN count(*) < 3 OR early.sizes < 1 THEN 'waived' WHEN spearman(size, mid) > -0.9 OR least_low > (small_high + large_high) / 2 THEN 0
        WHEN least_high <= (small_low + large_low) / 2 THEN 1 END,
       iif(count(*) < 3 OR early.sizes < 1, printf('%d sizes, %d in the first third behind the smallest, are too few', count(*), early.sizes), '')
           FROM line, ends, early HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-051', iif(p8 IS NULL OR p4 IS NULL, NULL, printf('%d particles: %.3f from 2 to 4, %.3f from 4 to 8%s', size, p4 - p2, p8 - p4, iif(p16 IS NULL, '',
    printf(', %.3f from 8 to 16', p16 - p8)))), 'larger with more devices',
       iif(p2 IS NULL OR p4 IS NULL OR p8 IS NULL, 'waived', p8 - p4 > p4 - p2 AND (p16 IS NULL OR p16 - p8 > p8 - p4)), iif(p2 IS NULL OR p4 IS NULL OR p8 IS NULL,
           '2, 4 and 8 devices are needed', '') FROM gaps;

-- Copies between devices: three arrays of positions, between the iterations, from each device to each other. Every device has a block.
WITH run AS (
    SELECT devices, size, iterations, d2d_copies, pair_bytes_min, pair_bytes_max, iif(block_x > 0, block_x, 128) AS block FROM partition_spans_median
        WHERE app = 'nbody' AND variant = 'partitioned' AND htod = 'broadcast' AND devices > 1
    UNION ALL SELECT devices, size, iterations, d2d_copies, pair_bytes_min, pair_bytes_max, iif(block_x > 0, block_x, 128) FROM partition_htod_median
        WHERE app = 'nbody' AND variant = 'partitioned' AND htod = 'broadcast' AND devices > 1),
cut AS (SELECT *, size / block AS blocks FROM run WHERE size / block >= devices AND iterations > 1),
expected AS (SELECT *, 3 * (iterations - 1) * devices * (devices - 1) AS copies, 12 * (iterations - 1) * block * (blocks / devices) AS least,
    12 * (iterations - 1) * block * ((blocks + devices - 1) / devices) AS most FROM cut)
SELECT 'klein-c-052' AS id, printf('%d of %d runs: devices * (devices - 1) for each iteration and array, up to %d devices', sum(d2d_copies = copies), count(*),
    max(devices)) AS measured, 'all' AS bound, min(d2d_copies = copies) AS ok, '' AS reason
FROM expected HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-053', printf('%d of %d runs: each ordered pair, as many bytes as the part has positions', sum(pair_bytes_min = least AND pair_bytes_max = most),
    count(*)), 'all', min(pair_bytes_min = least AND pair_bytes_max = most), ''
FROM expected HAVING count(*) > 0;

-- Kernels and total time over the devices.
WITH run AS (
    SELECT size, devices, median(time_s) AS total, median(kernel_s) AS kernel, median(kernel_s / time_s) AS share, interval_low(kernel_s / time_s) AS low,
        interval_high(kernel_s / time_s) AS high, dense_rank() OVER (ORDER BY size DESC) AS nth
    FROM partition_spans WHERE status = 'pass' AND app = 'nbody' AND variant = 'partitioned' AND htod = 'broadcast' GROUP BY size, devices),
least AS (SELECT size, min(total) AS total, min(kernel) AS kernel, max(devices) AS devices FROM run GROUP BY size),
knee AS (
    SELECT run.size AS size, nth, min(run.devices) FILTER (WHERE run.total <= 1.03 * least.total) AS total,
        min(run.devices) FILTER (WHERE run.kernel <= 1.03 * least.kernel) AS kernel FROM run JOIN least USING (size) GROUP BY run.size),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'klein-c-054' AS id, printf('%.3f to %.3f on 1 to %d devices, n = %d', min(share), max(share), max(devices), max(size)) AS measured, '>= 0.85' AS bound, CASE
    WHEN min(low) >= 0.85 THEN 1 WHEN min(high) < 0.85 THEN 0 END AS ok, '' AS reason
FROM run WHERE nth = 1 HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-055', printf('from %d devices on, n = %d', total, size), '11', 'waived', 'another machine: the thesis''s has 16 GPUs' FROM knee WHERE nth = 1
UNION ALL
SELECT 'klein-c-056', printf('from %d devices on, n = %d', total, size), '7', 'waived', 'another machine: the thesis''s has 16 GPUs' FROM knee WHERE nth = 2
UNION ALL
SELECT 'klein-c-059', printf('total time to %d devices, kernels to %d, n = %d', total, kernel, size), 'at most one apart', iif(real, abs(total - kernel) <= 1,
    'waived'), iif(real, '', 'the software GPU''s devices share the cores of this machine') FROM knee JOIN gpu WHERE nth = 1;

-- One step with many numbers of particles: plateaus, where the time changes by less than 2 %; steps, where the time for each particle rises by more than 10 %.
WITH run AS (SELECT devices, size, app_kernel_s AS time, lag(app_kernel_s) OVER at AS before, lag(size) OVER at AS size_before FROM partition_nbody_steps_median
    WHERE variant = 'partitioned' WINDOW at AS (PARTITION BY devices ORDER BY size)),
line AS (
    SELECT devices, sum(abs(time / before - 1) < 0.02) AS plateaus, sum(time / size > 1.1 * before / size_before) AS steps,
           1.0 * (max(size) FILTER (WHERE time / size > 1.1 * before / size_before) - min(size) FILTER (WHERE time / size > 1.1 * before / size_before)) / (sum(time / size > 1.1 * before / size_before) - 1) AS distance
               FROM run GROUP BY devices),
pair AS (SELECT a.devices AS devices, b.distance / a.distance AS ratio FROM line AS a JOIN line AS b ON b.devices = 2 * a.devices WHERE a.steps >= 2 AND b.steps >= 2),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'klein-c-044' AS id, group_concat(printf('%d on %d', plateaus, devices), ', ') AS measured, 'at least 3 on each number of devices' AS bound, iif(real,
    min(plateaus) >= 3, 'waived') AS ok,
       iif(real, '', 'the software GPU''s devices share the cores of this machine: no blocks are resident') AS reason FROM line, gpu HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-045', iif(count(ratio), printf('distances %.2f to %.2f times', min(ratio), max(ratio)), NULL), '1.8 to 2.2', iif(real AND count(ratio),
    min(ratio) >= 1.8 AND max(ratio) <= 2.2, 'waived'),
       CASE WHEN NOT real THEN 'the software GPU''s devices share the cores of this machine: no blocks are resident'
           WHEN count(ratio) = 0 THEN 'fewer than two steps within the range on some number of devices' ELSE '' END
FROM gpu LEFT JOIN pair ON 1 HAVING (SELECT count(*) FROM line) > 0;
