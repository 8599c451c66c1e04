-- SUMMA: the largest error of any variant and number of images, in units of the bound on rounding.
WITH run AS (
    SELECT variant, images, error_ratio, errors FROM coarrays_summa_1 WHERE status = 'pass' UNION ALL SELECT variant, images, error_ratio, errors FROM coarrays_summa_2
    WHERE status = 'pass' UNION ALL SELECT variant, images, error_ratio, errors FROM coarrays_summa WHERE status = 'pass')
SELECT 'fanfarillo-c-152' AS id, printf('at most %.3g of the bound in %d runs, %d errors', max(error_ratio), count(error_ratio), sum(errors)) AS measured,
       'within rounding: <= 1 of the bound' AS bound, max(error_ratio) <= 1 AND sum(errors) = 0 AS ok, 'panels of columns one after the other, against a whole product' AS reason
FROM run HAVING count(error_ratio) > 0;

-- Stealing of tasks against stealing of threads, by the data of a task: geometric mean over the numbers of threads.
WITH ratio AS (
    SELECT bytes, exp(avg(ln(p.time_s / t.time_s))) AS mid FROM coarrays_stealing_median AS p JOIN coarrays_stealing_median AS t USING (threads, bytes, skew, tasks)
    WHERE p.variant = 'process' AND t.variant = 'thread' AND skew = (SELECT max(skew) FROM coarrays_stealing_median) GROUP BY bytes ORDER BY bytes)
SELECT 'fanfarillo-c-161' AS id, printf('%s; rank correlation %.2f', group_concat(printf('%.3f at %d bytes', mid, bytes), ', '), spearman(bytes, mid)) AS measured,
       'process / thread rises with the data of a task, rank correlation >= 0.8' AS bound, spearman(bytes, mid) >= 0.8 AS ok, '' AS reason
FROM ratio HAVING count(*) > 1;

-- One option per request on one host: the coarray version with manual progress against MPI; and with more options.
WITH mpi AS (SELECT min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_pricing_median WHERE variant = 'mpi-mt'),
caf AS (
    SELECT per_request AS k, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_pricing_median
    WHERE variant = 'caf-mt' AND progress = 'manual' AND per_request > 0 GROUP BY per_request),
more AS (SELECT k, min(mid) AS mid FROM caf WHERE k > 1)
SELECT 'fanfarillo-c-173' AS id, printf('%.3f with 1 option, %.3f with %d', caf.mid / mpi.mid, more.mid / mpi.mid, more.k) AS measured,
       'CAF / MPI >= 1 with 1 option, less with more' AS bound,
       CASE WHEN caf.high / mpi.low < 1 OR more.mid >= caf.mid THEN 0 WHEN caf.low / mpi.high >= 1 THEN 1 END AS ok, 'one host' AS reason
FROM caf, more, mpi WHERE caf.k = 1 AND more.mid IS NOT NULL AND mpi.mid IS NOT NULL;

-- An image of another NUMA domain than the boss's.
WITH pair AS (SELECT communication_last_s / communication_first_s AS ratio FROM coarrays_pricing WHERE status = 'pass' AND variant = 'caf-mt' AND progress = 'manual'),
domains AS (SELECT coalesce(max(value + 0), 1) AS number FROM machine WHERE name = 'numa_nodes')
SELECT 'fanfarillo-c-189' AS id, printf('last / nearest image %.3f', median(ratio)) AS measured, '> 1' AS bound,
       CASE WHEN number < 2 THEN 'waived' WHEN interval_low(ratio) > 1 THEN 1 WHEN interval_high(ratio) <= 1 THEN 0 END AS ok,
       number || iif(number < 2, ' NUMA domain', ' NUMA domains, median over the runs on one host') AS reason
FROM pair, domains HAVING count(ratio) > 0;

-- Fetch-and-add by one image of a counter whose image is busy, one task per request: rates against those of an image that waits. MPI_Fetch_and_op is
-- what the thesis's LIBCAF_MPI calls; the coarray library of this suite adds in shared memory.
WITH run AS (
    SELECT variant, progress, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_fetch_add_median
    WHERE per_request = 1 AND contenders = (SELECT min(contenders) FROM coarrays_fetch_add_median)),
ratio AS (
    SELECT b.variant AS variant, b.progress AS progress, i.mid / b.mid AS mid, i.low / b.high AS low, i.high / b.low AS high
    FROM run AS b JOIN run AS i USING (variant) WHERE i.progress = 'idle' AND b.progress IN ('manual', 'thread') ORDER BY b.progress),
caf AS (SELECT group_concat(printf('%s %.3f', progress, mid), ', ') AS text FROM ratio WHERE variant = 'caf')
SELECT 'fanfarillo-c-190' AS id, group_concat(printf('%s %.3f', progress, mid), ', ') || coalesce(' (caf: ' || caf.text || ')', '') AS measured,
       'rate / that of an idle target < 1, both' AS bound, CASE WHEN max(high) < 1 THEN 1 WHEN max(low) >= 1 THEN 0 END AS ok, 'MPI_Fetch_and_op within a host' AS reason
FROM ratio, caf WHERE variant = 'mpi' HAVING count(*) = 2;

WITH run AS (SELECT variant, contenders, time_s AS mid FROM coarrays_fetch_add_median WHERE per_request = 1 AND progress = 'idle' ORDER BY contenders),
caf AS (SELECT group_concat(printf('%.3g us with %d', 1e6 * mid, contenders), ', ') AS text, spearman(contenders, mid) AS rank FROM run WHERE variant = 'caf')
SELECT 'fanfarillo-c-191' AS id,
       printf('%s; rank correlation %.2f', group_concat(printf('%.3g us with %d', 1e6 * mid, contenders), ', '), spearman(contenders, mid))
           || coalesce(printf(' (caf: %s; %.2f)', caf.text, caf.rank), '') AS measured,
       'time rises with the images that add, rank correlation >= 0.8' AS bound, spearman(contenders, mid) >= 0.8 AS ok, 'MPI_Fetch_and_op within a host' AS reason
FROM run, caf WHERE variant = 'mpi' HAVING count(*) > 1;

WITH run AS (SELECT variant, contenders, per_request AS k, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_fetch_add_median WHERE progress = 'idle'),
ratio AS (
    SELECT many.k AS k, many.k * one.mid / many.mid AS mid, many.k * one.low / many.high AS low, many.k * one.high / many.low AS high
    FROM run AS one JOIN run AS many USING (variant, contenders) WHERE one.k = 1 AND many.k > 1)
SELECT 'fanfarillo-c-192' AS id, printf('%.2f to %.2f over %d configurations, from %d to %d tasks', min(mid), max(mid), count(*), min(k), max(k)) AS measured,
       'k requests of one task / one of k > 1' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok, 'fetch-and-add of k, caf and mpi' AS reason
FROM ratio HAVING count(*) > 0;

-- Fewest options within 3 percent of the best throughput of one thread, or thread block, per option; the GPU stands for the Xeon Phi. A device whose last
-- step still brings a fifth or more was not swept to its maximum.
WITH run AS (
    SELECT variant, options, 1.0 * throughput_values AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high,
           max(throughput_values) OVER (PARTITION BY variant) AS best FROM coarrays_options_median
    WHERE variant = 'mo-gpu' OR (variant = 'mo-cpu' AND threads <= coalesce((SELECT cores FROM experiments WHERE id = 'coarrays_options'), threads))),
swept AS (SELECT variant, options, max(mid) AS mid FROM run GROUP BY variant, options),
last AS (SELECT variant, options, mid, lag(mid) OVER (PARTITION BY variant ORDER BY options) AS before, row_number() OVER (PARTITION BY variant ORDER BY options DESC) AS nth FROM swept),
short AS (SELECT count(*) > 0 AS here, max(options) AS options, group_concat(substr(variant, 4), ', ') AS devices FROM last WHERE nth = 1 AND (mid > 1.2 * before) IS NOT 0),
device AS (SELECT variant, min(options) AS options, best FROM run WHERE mid >= 0.97 * best GROUP BY variant),
peak AS (SELECT variant, max(mid) AS mid, low, high FROM run GROUP BY variant),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
-- How far the ratio of the options is from that of the throughputs, with the interval of the latter.
apart AS (
    SELECT g.options AS gpu_options, c.options AS cpu_options, gp.mid / cp.mid AS speed, ln(1.0 * g.options / c.options / (gp.mid / cp.mid)) AS mid,
           ln(1.0 * g.options / c.options / (gp.high / cp.low)) AS low, ln(1.0 * g.options / c.options / (gp.low / cp.high)) AS high
    FROM device AS g, device AS c, peak AS gp, peak AS cp WHERE g.variant = 'mo-gpu' AND c.variant = 'mo-cpu' AND gp.variant = 'mo-gpu' AND cp.variant = 'mo-cpu')
SELECT 'fanfarillo-c-194' AS id, printf('%d options on the GPU, %d on the CPU, at %.3g times the throughput', gpu_options, cpu_options, speed) AS measured,
       'ratio of options apart from ratio of throughput by more than 2' AS bound,
       CASE WHEN NOT real OR short.here THEN 'waived' WHEN low > ln(2) OR high < -ln(2) THEN 1 WHEN low >= -ln(2) AND high <= ln(2) THEN 0 END AS ok,
       CASE WHEN NOT real THEN 'the software GPU is no device of its own'
            WHEN short.here THEN printf('the throughput still grows at %d options (%s): the sweep is too short', short.options, devices)
            ELSE 'the GPU stands for the Xeon Phi' END AS reason
FROM apart, gpu, short;

-- Learning once and many times, on one host that nothing else disturbs.
WITH run AS (
    SELECT variant, progress, learning_phases AS phases, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_pricing_median
    WHERE per_request = 0 AND learning_phases > 0),
ratio AS (
    SELECT many.phases AS phases, many.mid / one.mid AS mid, many.low / one.high AS low, many.high / one.low AS high FROM run AS one JOIN run AS many USING (variant, progress)
    WHERE one.phases = 1 AND many.phases = (SELECT max(phases) FROM run) AND many.phases > 1)
SELECT 'fanfarillo-c-195' AS id, printf('%d phases / 1: median %.3f over %d versions', max(phases), median(mid), count(*)) AS measured, '>= 1' AS bound,
       CASE WHEN median(low) >= 1 THEN 1 WHEN median(high) < 1 THEN 0 END AS ok, '' AS reason
FROM ratio HAVING count(*) > 0;

-- Requests, and waiting at the end, over the options per request.
WITH size AS (
    SELECT per_request AS k, median(requests) AS requests, max(idle_s) AS idle FROM coarrays_pricing
    WHERE status = 'pass' AND variant = 'caf-mt' AND progress = 'manual' AND per_request > 0 GROUP BY per_request)
SELECT 'fanfarillo-c-196' AS id, printf('rank correlation with the options: requests %.2f, longest idle time %.2f', spearman(k, requests), spearman(k, idle)) AS measured,
       'below 0, above 0' AS bound, spearman(k, requests) < 0 AND spearman(k, idle) > 0 AS ok, 'from ' || min(k) || ' to ' || max(k) || ' options' AS reason
FROM size HAVING count(*) > 2;
