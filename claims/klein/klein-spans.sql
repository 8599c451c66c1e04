-- Where the stencil's time goes; runs that wait after each step, with everything sent to every device.
WITH run AS (
    SELECT size, devices, iterations, median(time_s) AS total, median(app_htod_s) AS htod, median(app_dtoh_s) AS dtoh, interval_low(app_dtoh_s) AS dtoh_low,
        interval_high(app_dtoh_s) AS dtoh_high, median(app_kernel_s) AS kernel,
           median(app_htod_s / app_kernel_s) AS sent, interval_low(app_htod_s / app_kernel_s) AS sent_low, interval_high(app_htod_s / app_kernel_s) AS sent_high,
           median(sync_comm_s / kernel_s) AS moved, interval_low(sync_comm_s / kernel_s) AS moved_low, interval_high(sync_comm_s / kernel_s) AS moved_high,
           -- of a run of 1000 iterations
           median(app_htod_s / (time_s + app_kernel_s * (1000.0 / iterations - 1))) AS share,
               interval_low(app_htod_s / (time_s + app_kernel_s * (1000.0 / iterations - 1))) AS share_low,
           interval_high(app_htod_s / (time_s + app_kernel_s * (1000.0 / iterations - 1))) AS share_high,
           median((app_kernel_s - kernel_s - sync_comm_s - dep_calc_s) / app_kernel_s) AS rest,
               interval_low(abs(app_kernel_s - kernel_s - sync_comm_s - dep_calc_s) / app_kernel_s) AS rest_low,
           interval_high(abs(app_kernel_s - kernel_s - sync_comm_s - dep_calc_s) / app_kernel_s) AS rest_high
    FROM partition_spans WHERE status = 'pass' AND app = 'stencil' AND variant = 'partitioned' AND htod = 'broadcast' GROUP BY size, devices, iterations),
ends AS (SELECT max(size) AS size, max(devices) AS devices, max(iterations) AS iterations FROM run),
large AS (SELECT run.* FROM run JOIN ends USING (size)),
step AS (SELECT sent, sent_low, sent_high, devices, lag(sent_low) OVER at AS low, lag(sent_high) OVER at AS high FROM large WINDOW at AS (ORDER BY devices)),
least AS (SELECT size, min(total) AS total FROM run GROUP BY size),
knee AS (SELECT size, min(devices) AS devices FROM run JOIN least USING (size) WHERE run.total <= 1.05 * least.total GROUP BY size),
beyond AS (
    SELECT knee.size AS size, knee.devices AS devices, l.htod - k.htod AS more, k.kernel - l.kernel AS less FROM knee JOIN ends
        JOIN run AS k ON k.size = knee.size AND k.devices = knee.devices
    JOIN run AS l ON l.size = knee.size AND l.devices = ends.devices WHERE knee.devices < ends.devices),
back AS (SELECT size, max(dtoh) / min(dtoh) AS mid, max(dtoh_low) / min(dtoh_high) AS low, max(dtoh_high) / min(dtoh_low) AS high, count(*) AS counts FROM run
    WHERE devices >= 2 GROUP BY size),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'klein-c-030' AS id, group_concat(printf('%.3g on %d', sent, devices), ', ') AS measured, 'rises with the devices' AS bound, CASE WHEN count(*) < 2 THEN 'waived'
    WHEN min(sent_low > coalesce(high, 0)) THEN 1 WHEN max(sent_high <= low) THEN 0 END AS ok,
       iif(count(*) < 2, 'two numbers of devices are needed', printf('%d iterations', (SELECT iterations FROM ends))) AS reason FROM step HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-031', group_concat(printf('%d devices at n = %d', devices, size), ', '), 'about 6', 'waived', 'another machine: the thesis''s has 16 GPUs' FROM knee
    HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-032', iif(count(*), group_concat(printf('n = %d beyond %d devices: copies %.3g s more, kernels %.3g s less', size, beyond.devices, more, less), '; '),
    NULL), 'copies take at least 0.7 of what kernels save',
       iif(NOT real OR count(size) = 0, 'waived', min(more >= 0.7 * less)), CASE WHEN NOT real THEN 'the software GPU''s devices share the cores of this machine'
           WHEN count(size) = 0 THEN 'the total time falls up to the largest number of devices' ELSE '' END
FROM gpu LEFT JOIN beyond ON 1 HAVING (SELECT count(*) FROM run) > 0
UNION ALL
SELECT 'klein-c-033', printf('largest / smallest at most %.2f from 2 devices on', max(mid)), '<= 1.5', CASE WHEN max(counts) < 2 THEN 'waived'
    WHEN max(high) <= 1.5 THEN 1 WHEN max(low) > 1.5 THEN 0 END, iif(max(counts) < 2, 'three numbers of devices are needed', '')
FROM back HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-038', printf('at most %.3g, n = %d', max(moved), max(size)), '<= 0.2', CASE WHEN max(moved_high) <= 0.2 THEN 1 WHEN max(moved_low) > 0.2 THEN 0 END, ''
    FROM large HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-095', printf('%.3f on %d devices, n = %d, 1000 iterations as measured with %d', share, large.devices, large.size, large.iterations), '>= 0.2', CASE
    WHEN NOT real THEN 'waived' WHEN share_low >= 0.2 THEN 1 WHEN share_high < 0.2 THEN 0 END,
       iif(real, '', 'the software GPU''s devices share the cores of this machine: kernels do not get faster') FROM large JOIN ends ON large.devices = ends.devices
           JOIN gpu
UNION ALL
SELECT 'klein-c-113', printf('%.4f to %.4f of the application''s kernel time is in none, n = %d', min(rest), max(rest), max(size)), 'at most 0.05', CASE
    WHEN max(rest_high) <= 0.05 THEN 1 WHEN max(rest_low) > 0.05 THEN 0 END, '' FROM large HAVING count(*) > 0;

-- All applications: spans lie within one another, and what the run time costs.
WITH run AS (SELECT * FROM partition_spans WHERE status = 'pass' AND variant = 'partitioned' UNION ALL SELECT * FROM partition_variants
    WHERE status = 'pass' AND variant = 'partitioned'),
cost AS (
    SELECT app, size, devices, median((dep_calc_s + sync_comm_s) / time_s) AS mid, interval_low((dep_calc_s + sync_comm_s) / time_s) AS low,
        interval_high((dep_calc_s + sync_comm_s) / time_s) AS high FROM partition_spans AS s
    WHERE status = 'pass' AND variant = 'partitioned' AND htod = 'broadcast' AND app IN ('matmul', 'stencil') AND size = (SELECT max(size) FROM partition_spans AS o
        WHERE o.app = s.app) GROUP BY app, size, devices),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'klein-c-093' AS id, printf('%d of %d runs: with the kernels at most the application''s kernel time; sum up to %.4f of it',
    sum(kernel_s + dep_calc_s + sync_comm_s <= app_kernel_s), count(*), max((kernel_s + dep_calc_s + sync_comm_s) / app_kernel_s)) AS measured,
    'all' AS bound, min(kernel_s + dep_calc_s + sync_comm_s <= app_kernel_s) AS ok, '' AS reason FROM run HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-112', printf('%d of %d runs: intervals within dependency calculation; in the stencil''s they take up to %.3g of it', sum(interval_s <= dep_calc_s), count(*),
    max(interval_s / dep_calc_s) FILTER (WHERE app = 'stencil')), 'of a buffer with dependencies within them; of another one in the copy to the host',
       iif(min(interval_s <= dep_calc_s), 'waived', 0),
       iif(min(interval_s <= dep_calc_s), 'not implemented: the launch computes all intervals, also of buffers without dependencies', '') FROM run HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-094', printf('matmul at most %.4f, stencil at most %.4f', max(mid) FILTER (WHERE app = 'matmul'), max(mid) FILTER (WHERE app = 'stencil')), '<= 0.1',
       CASE WHEN max(high) <= 0.1 THEN 1 WHEN NOT real THEN 'waived' WHEN max(low) > 0.1 THEN 0 END, iif(real OR max(high) <= 0.1, '',
           'problems that the software GPU can do are too small: finding the accesses once takes too large a part') FROM cost JOIN gpu HAVING count(*) > 0;
