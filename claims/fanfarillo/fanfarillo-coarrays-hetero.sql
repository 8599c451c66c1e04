-- SUMMA by memory of its coarrays, at its largest order with the best width of a panel.
SELECT 'fanfarillo-c-150/images-' || images AS id, um.mid / pin.mid AS value, um.low / pin.high AS low,
       um.high / pin.low AS high, 'times the time of caf-pin' AS words
FROM coarrays_summa_best AS um JOIN coarrays_summa_best AS pin USING (experiment, images)
WHERE experiment IN ('coarrays_summa_1', 'coarrays_summa_2', 'coarrays_summa') AND um.variant = 'caf-um'
    AND pin.variant = 'caf-pin'
ORDER BY images;

-- With one image nothing is transferred.
SELECT 'fanfarillo-c-151' AS id, median(mpi.mid / pin.mid) AS value, median(mpi.low / pin.high) AS low,
       median(mpi.high / pin.low) AS high, 'times the time of caf-pin, median of 2 and 4 images' AS words
FROM coarrays_summa_best AS mpi JOIN coarrays_summa_best AS pin USING (experiment)
WHERE experiment IN ('coarrays_summa_2', 'coarrays_summa') AND mpi.variant = 'mpi' AND pin.variant = 'caf-pin'
HAVING count(*) = 2;

-- Panels of columns one after the other, against a whole product.
WITH run AS (
    SELECT error_ratio, errors, status FROM coarrays_summa_1
    UNION ALL SELECT error_ratio, errors, status FROM coarrays_summa_2
    UNION ALL SELECT error_ratio, errors, status FROM coarrays_summa)
SELECT 'fanfarillo-c-152/rounding' AS id, max(error_ratio) AS value, NULL AS low, NULL AS high,
       'of the limit of rounding errors' AS words
FROM run WHERE status = 'pass' HAVING count(error_ratio) > 0
UNION ALL
SELECT 'fanfarillo-c-152/wrong', sum(errors), NULL, NULL, 'elements beyond it' FROM run WHERE status = 'pass';

-- All pairs of images at once on one host: the bandwidths relate like the times.
SELECT id, value, low, high, 'times the time of MPI_Get, ' || parameters AS words
FROM coarrays_ratios, (SELECT 'fanfarillo-c-154' AS id UNION ALL SELECT 'fanfarillo-c-155')
WHERE experiment = 'coarrays_contention' AND a = 'sendrecv' AND b = 'mpi-get';

-- Equal tasks handed out.
SELECT 'fanfarillo-c-156' AS id, value, low, high, 'times the time of coarrays, ' || parameters AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_tasks' AND a = 'mpi' AND b = 'caf' AND parameters LIKE 'cost=equal %';

WITH run AS (
    SELECT threads, variant, median(lambda) AS mid, interval_low(lambda) AS low, interval_high(lambda) AS high
    FROM coarrays_tasks WHERE status = 'pass' AND cost = 'equal' GROUP BY threads, variant)
SELECT 'fanfarillo-c-157' AS id, m.mid - c.mid AS value, m.low - c.high AS low, m.high - c.low AS high,
       printf('percent more than coarrays, %d threads', threads) AS words
FROM run AS m JOIN run AS c USING (threads) WHERE m.variant = 'mpi' AND c.variant = 'caf';

-- The factor says how many tasks the busiest image did: a whole number, the ideal one where it is 0, else more.
WITH run AS (
    SELECT lambda, 1.0 * tasks / ranks AS ideal, (1 + lambda / 100.0) * tasks / ranks AS most FROM coarrays_tasks
    WHERE status = 'pass' AND variant IN ('mpi', 'caf'))
SELECT 'fanfarillo-c-158' AS id,
       sum(lambda < 0 OR abs(most - round(most)) > 1e-4 * ideal OR (lambda < 1e-6) <> (round(most) <= ideal)) AS value,
       NULL AS low, NULL AS high, printf('of %d runs with an impossible factor', count(*)) AS words
FROM run HAVING count(*) > 0;

-- Uneven tasks: stealing of tasks (process), of threads (thread), and no balancing, with the least data; and by data.
WITH run AS (
    SELECT *, CAST(parameter(parameters, 'threads') AS INTEGER) AS threads,
           CAST(parameter(parameters, 'bytes') AS INTEGER) AS bytes,
           rank() OVER (ORDER BY CAST(parameter(parameters, 'skew') AS REAL) DESC) AS nth
    FROM coarrays_ratios WHERE experiment = 'coarrays_stealing'),
least AS (SELECT * FROM run WHERE nth = 1 AND b = 'process' AND bytes = (SELECT min(bytes) FROM run))
SELECT 'fanfarillo-c-159' AS id, value, low, high, a || printf(' / process, %d threads', threads) AS words
FROM least WHERE a IN ('none', 'thread')
UNION ALL
SELECT 'fanfarillo-c-160', spearman(threads, value), NULL, NULL, 'rank correlation of that with the threads'
FROM least WHERE a = 'thread' HAVING count(*) > 1
UNION ALL
SELECT 'fanfarillo-c-161', spearman(bytes, mean), NULL, NULL, 'rank correlation of process / thread with the bytes'
FROM (SELECT bytes, exp(avg(ln(value))) AS mean FROM run WHERE nth = 1 AND a = 'process' AND b = 'thread'
      GROUP BY bytes)
HAVING count(*) > 1;

-- One thread per option on the CPU: throughput over the options, with 2 threads or more and at most one per core.
WITH run AS (
    SELECT *, mid > lag(mid) OVER (PARTITION BY threads ORDER BY options) AS up,
           max(mid) OVER (PARTITION BY threads) AS best
    FROM coarrays_option_rates WHERE variant = 'mo-cpu' AND threads BETWEEN 2 AND cores),
twice AS (
    SELECT many.options AS options, threads, many.mid / equal.mid AS value, many.low / equal.high AS low,
           many.high / equal.low AS high
    FROM run AS many JOIN run AS equal USING (threads) WHERE equal.options = threads)
SELECT 'fanfarillo-c-162/falls' AS id, total(up = 0) AS value, NULL AS low, NULL AS high,
       'steps without a rise, up to as many options as threads' AS words
FROM run WHERE options <= threads HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-162/twice', value, low, high, printf('times the throughput, %d options', options)
FROM twice WHERE options = 2 * threads
UNION ALL
SELECT 'fanfarillo-c-163', 1.0 * min(options) / threads, NULL, NULL,
       printf('options per thread at 0.97 of the maximum, %d threads', threads)
FROM run WHERE mid >= 0.97 * best GROUP BY threads
UNION ALL
-- Each option takes a thread until none is left: so is the program made. What it brings is measured.
SELECT 'fanfarillo-c-193/gain', 1 / value / threads, 1 / high / threads, 1 / low / threads,
       printf('times the throughput of one option, per thread, %d threads', threads)
FROM twice WHERE options = 1
UNION ALL
SELECT 'fanfarillo-c-193/past', value, low, high,
       printf('times the throughput, %d options on %d threads', options, threads)
FROM twice WHERE options > threads
UNION ALL
SELECT 'fanfarillo-c-193/busy', sum(busy_threads IS NOT min(options, threads)), NULL, NULL, 'runs with others busy'
FROM coarrays_option_rates WHERE variant = 'mo-cpu' HAVING count(*) > 0;

-- All threads on one option: throughput with queued options / with one.
WITH ratio AS (
    SELECT k.options AS options, threads, k.mid / one.mid AS value, k.low / one.high AS low, k.high / one.low AS high,
           k.busy_threads <> one.busy_threads AS other
    FROM coarrays_option_rates AS k JOIN coarrays_option_rates AS one USING (variant, threads)
    WHERE variant = 'mt-cpu' AND one.options = 1 AND k.options IN (2, 4, 8) AND threads <= k.cores)
SELECT 'fanfarillo-c-165/throughput' AS id, value, low, high,
       printf('times that of 1 option, %d options, %d threads', options, threads) AS words
FROM ratio
UNION ALL
SELECT 'fanfarillo-c-165/busy', total(other), NULL, NULL, 'configurations with other busy threads'
FROM ratio HAVING count(*) > 0;

-- Each device alone: the CPU with at most one thread per core; the GPU stands for the Xeon Phi, at its best.
WITH pair AS (
    SELECT 'cpu' AS device, mo.mid / mt.mid AS value, mo.low / mt.high AS low, mo.high / mt.low AS high
    FROM coarrays_option_rates AS mo JOIN coarrays_option_rates AS mt USING (options, threads)
    WHERE mo.variant = 'mo-cpu' AND mt.variant = 'mt-cpu' AND options = threads
        AND threads = (SELECT max(threads) FROM coarrays_option_rates WHERE threads <= cores)
    UNION ALL
    SELECT 'gpu', mo.mid / mt.mid, mo.low / mt.high, mo.high / mt.low
    FROM coarrays_option_best AS mo, coarrays_option_best AS mt, machine
    WHERE mo.variant = 'mo-gpu' AND mt.variant = 'mt-gpu' AND name = 'device0_kind' AND value = 'cuda')
SELECT 'fanfarillo-c-167/' || device AS id, iif(waits, NULL, value) AS value, low, high,
       iif(waits, 'the throughput of the GPU still grows: the sweep is too short', 'times that of MT') AS words
FROM (SELECT *, device = 'gpu' AND 'mo-gpu' IN (SELECT variant FROM coarrays_option_unfinished)
                AND (SELECT high > 1 FROM pair WHERE device = 'cpu') AS waits FROM pair);

-- How many times apart the ratio of the options, the fewest within 3 percent of the maximum, and that of the
-- throughputs are.
WITH device AS (
    SELECT b.*, min(options) AS options FROM coarrays_option_best AS b JOIN coarrays_option_rates AS r USING (variant)
    WHERE r.mid >= 0.97 * b.mid AND threads <= cores GROUP BY variant),
apart AS (
    SELECT ln(1.0 * g.options / c.options / (g.mid / c.mid)) AS mid,
           ln(1.0 * g.options / c.options / (g.high / c.low)) AS low,
           ln(1.0 * g.options / c.options / (g.low / c.high)) AS high,
           EXISTS (SELECT 1 FROM coarrays_option_unfinished WHERE variant LIKE 'mo-%') AS unfinished
    FROM device AS g, device AS c WHERE g.variant = 'mo-gpu' AND c.variant = 'mo-cpu')
SELECT 'fanfarillo-c-194' AS id, iif(unfinished, NULL, exp(abs(mid))) AS value,
       iif(low * high < 0, 1, exp(min(abs(low), abs(high)))) AS low, exp(max(abs(low), abs(high))) AS high,
       iif(unfinished, 'the throughput still grows: the sweep is too short', 'times apart') AS words
FROM apart;

-- The coarray version on one host, over its options per request: waiting at the end against communication.
WITH run AS (
    SELECT *, per_request AS k FROM coarrays_pricing
    WHERE status = 'pass' AND variant = 'caf-mt' AND progress = 'manual' AND per_request > 0),
size AS (
    SELECT k, median(idle_s) AS idle, median(communication_s) AS communication, median(idle_s + communication_s) AS mid,
           interval_low(idle_s + communication_s) AS low, interval_high(idle_s + communication_s) AS high,
           median(requests) AS requests, max(idle_s) AS longest
    FROM run GROUP BY k),
-- The crossing of each repetition, both times scaled to its own 0..1.
ends AS (
    SELECT rep, min(k) AS first, min(idle_s) AS i, max(idle_s) - min(idle_s) AS di, min(communication_s) AS c,
           max(communication_s) - min(communication_s) AS dc
    FROM run GROUP BY rep),
crossing AS (
    SELECT median(k) AS mid, interval_low(k) AS low, interval_high(k) AS high
    FROM (SELECT min(k) AS k FROM run JOIN ends USING (rep)
          WHERE k > first AND (idle_s - i) / di >= (communication_s - c) / dc GROUP BY rep)),
-- Where one of them does not change with the options, scaling makes a crossing of noise.
trade AS (
    SELECT spearman(k, idle) AS idle, spearman(k, communication) AS communication,
           coalesce(spearman(k, requests), 0) AS requests,
           spearman(k, longest) AS longest, spearman(k, idle) > 0 AND spearman(k, communication) < 0 AS here
    FROM size HAVING count(*) > 2)
SELECT 'fanfarillo-c-170/idle' AS id, idle AS value, NULL AS low, NULL AS high,
       'rank correlation with the options' AS words FROM trade
UNION ALL
SELECT 'fanfarillo-c-170/communication', communication, NULL, NULL, 'rank correlation with the options' FROM trade
UNION ALL
SELECT 'fanfarillo-c-171', iif(here, coalesce(mid, 0), 0), iif(here, low, NULL), iif(here, high, NULL),
       'options from which on idle time is the larger (0: there are none)'
FROM crossing, trade
UNION ALL
SELECT 'fanfarillo-c-172', two.mid / three.mid, two.low / three.high, two.high / three.low, 'times that of 3 options'
FROM size AS two, size AS three WHERE two.k = 2 AND three.k = 3
UNION ALL
SELECT 'fanfarillo-c-196/requests', requests, NULL, NULL, 'rank correlation with the options' FROM trade
UNION ALL
SELECT 'fanfarillo-c-196/idle', longest, NULL, NULL, 'rank correlation of the longest with the options' FROM trade;

-- One option per request on one host: the coarray version with manual progress against MPI; and with more options.
WITH caf AS (
    SELECT per_request AS k, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_pricing_median
    WHERE variant = 'caf-mt' AND progress = 'manual' AND per_request > 0 GROUP BY per_request)
SELECT 'fanfarillo-c-173/one' AS id, caf.mid / mpi.mid AS value, caf.low / mpi.high AS low,
       caf.high / mpi.low AS high, 'times the time of MPI' AS words
FROM caf, coarrays_pricing_best AS mpi
WHERE k = 1 AND experiment = 'coarrays_pricing' AND variant = 'mpi-mt'
UNION ALL
SELECT 'fanfarillo-c-173/more', (SELECT min(mid) FROM caf WHERE k > 1) / mid, NULL, NULL, 'times the time of 1 option'
FROM caf WHERE k = 1 AND EXISTS (SELECT 1 FROM caf WHERE k > 1);

-- Fabrics: one host (shared memory) stands for TMI, the fast one, two hosts of the virtual cluster for TCP.
SELECT iif(o.variant = 'mpi-mt', 'fanfarillo-c-174', 'fanfarillo-c-175') AS id, o.mid / t.mid AS value,
       o.low / t.high AS low, o.high / t.low AS high, 'times faster than ' || o.variant || ' ' || o.progress AS words
FROM coarrays_pricing_best AS t JOIN coarrays_pricing_best AS o USING (experiment)
WHERE experiment = 'coarrays_pricing' AND t.variant = 'caf-mt' AND t.progress = 'thread'
    AND o.variant || o.progress IN ('mpi-mt', 'caf-mtmanual');

SELECT iif(o.variant = 'mpi-mt', 'fanfarillo-c-179', 'fanfarillo-c-176') AS id, o.mid / v.mid AS value,
       o.low / v.high AS low, o.high / v.low AS high,
       printf('times faster than %s, %s %s', o.variant, v.variant, v.progress) AS words
FROM coarrays_pricing_best AS v JOIN coarrays_pricing_best AS o USING (experiment)
WHERE experiment = 'coarrays_pricing_network' AND (
    o.variant = 'mpi-mt' AND v.variant LIKE 'caf-%' AND v.progress IN ('manual', 'thread')
    OR o.variant || o.progress = 'caf-mtmanual' AND v.variant || v.progress = 'caf-mtthread');

WITH spread AS (
    SELECT variant, progress, max(one.mid / two.mid, two.mid / one.mid) AS mid,
           max(one.low / two.high, two.low / one.high) AS low, max(one.high / two.low, two.high / one.low) AS high
    FROM coarrays_pricing_hosts AS one JOIN coarrays_pricing_hosts AS two USING (variant, progress)
    WHERE one.nodes = 1 AND two.nodes = 2)
SELECT 'fanfarillo-c-178' AS id, c.mid / m.mid AS value, c.low / m.high AS low, c.high / m.low AS high,
       'times the spread of MPI over one host and two' AS words
FROM spread AS c, spread AS m WHERE c.variant = 'caf-mt' AND c.progress = 'manual' AND m.variant = 'mpi-mt';

-- The hybrid version on two hosts and the best of all others, by their share of what the devices alone do together.
WITH best AS (
    SELECT variant = 'caf-mth' AND nodes = 2 AS hybrid, printf('%s %s with nodes=%d', variant, progress, nodes) AS name,
           max(share) AS mid, share * low / mid AS low, share * high / mid AS high
    FROM coarrays_pricing_hosts GROUP BY hybrid)
SELECT 'fanfarillo-c-187' AS id, h.mid / o.mid AS value, h.low / o.high AS low, h.high / o.low AS high,
       'times the share of ' || o.name AS words
FROM best AS h, best AS o WHERE h.hybrid AND NOT o.hybrid;

-- Communication with the boss in the fastest run: of the nearest image (CPU1) and of the last one (MIC1), which is on
-- the other host where there are two.
WITH run AS (SELECT * FROM coarrays_pricing UNION ALL SELECT * FROM coarrays_pricing_network),
image AS (
    SELECT *, 'near' AS image, communication_first_s AS cost FROM run
    UNION ALL SELECT *, 'far', communication_last_s FROM run),
version AS (
    SELECT iif(nodes = 1, 'one-host', 'two-hosts') AS place, substr(variant, 1, 3) AS kind, image,
           median(time_s) AS time_s, median(cost) AS mid, interval_low(cost) AS low, interval_high(cost) AS high
    FROM image WHERE status = 'pass' AND (variant = 'mpi-mt' OR variant = 'caf-mt' AND progress = 'manual')
    GROUP BY nodes, variant, image, progress, per_request, learning_phases),
best AS (SELECT *, min(time_s) FROM version GROUP BY place, kind, image)
SELECT iif(image = 'far', 'fanfarillo-c-180/', 'fanfarillo-c-185/') || place AS id, c.mid / m.mid AS value,
       c.low / m.high AS low, c.high / m.low AS high, 'times that of MPI' AS words
FROM best AS c JOIN best AS m USING (place, image) WHERE c.kind = 'caf' AND m.kind = 'mpi'
UNION ALL
SELECT 'fanfarillo-c-183/' || kind || '-' || place, far.mid / near.mid, far.low / near.high, far.high / near.low,
       'times that of the nearest image'
FROM best AS far JOIN best AS near USING (place, kind) WHERE far.image = 'far' AND near.image = 'near'
UNION ALL
SELECT 'fanfarillo-c-184', two.mid / one.mid, two.low / one.high, two.high / one.low, 'times that within a host'
FROM best AS one JOIN best AS two USING (kind, image)
WHERE kind = 'caf' AND image = 'far' AND one.place < two.place;

-- The fabrics of Intel MPI against one another, as printed.
WITH row AS (
    SELECT a.fabric || ' / ' || b.fabric AS words, a.mpi_mic1_s / b.mpi_mic1_s AS mpi,
           a.caf_mic1_s / b.caf_mic1_s AS caf
    FROM fanfarillo_tab_7_1 AS a, fanfarillo_tab_7_1 AS b)
SELECT 'fanfarillo-c-181' AS id, caf AS value, NULL AS low, NULL AS high, words FROM row
WHERE words IN ('shm:tmi / shm:tcp', 'tmi / tcp')
UNION ALL
SELECT 'fanfarillo-c-182', mpi, NULL, NULL, words FROM row WHERE words IN ('shm:tcp / shm:tmi', 'tcp / tmi')
UNION ALL
SELECT 'fanfarillo-c-186', caf, NULL, NULL, words FROM row WHERE words IN ('tmi / shm:tmi', 'tcp / shm:tcp');

-- An image of another NUMA domain than the boss's.
WITH pair AS (
    SELECT communication_last_s / communication_first_s AS ratio FROM coarrays_pricing
    WHERE status = 'pass' AND variant = 'caf-mt' AND progress = 'manual'),
domains AS (SELECT coalesce(max(value + 0), 1) AS number FROM machine WHERE name = 'numa_nodes')
SELECT 'fanfarillo-c-189' AS id, iif(number > 1, median(ratio), NULL) AS value, interval_low(ratio) AS low,
       interval_high(ratio) AS high, iif(number > 1, 'times that of the nearest image', 'one NUMA domain')
       AS words
FROM pair, domains HAVING count(ratio) > 0;

-- MPI_Fetch_and_op, which the thesis's LIBCAF_MPI calls, within a host: by one image, one task per request, on a
-- counter whose image is busy, against one whose image waits; with more images; and k tasks at a time against one.
WITH run AS (
    SELECT variant, CAST(parameter(parameters, 'contenders') AS INTEGER) AS contenders,
           parameter(parameters, 'progress') AS progress, CAST(parameter(parameters, 'per_request') AS INTEGER) AS k,
           mid, low, high
    FROM coarrays_times WHERE experiment = 'coarrays_fetch_add')
SELECT 'fanfarillo-c-190/' || busy.progress AS id, idle.mid / busy.mid AS value, idle.low / busy.high AS low,
       idle.high / busy.low AS high, 'times the rate of an idle target' AS words
FROM run AS idle JOIN run AS busy USING (variant, k, contenders)
WHERE variant = 'mpi' AND k = 1 AND idle.progress = 'idle' AND busy.progress IN ('manual', 'thread')
    AND contenders = 1
UNION ALL
SELECT 'fanfarillo-c-191', spearman(contenders, mid), NULL, NULL, 'rank correlation of time and images that add'
FROM run WHERE variant = 'mpi' AND k = 1 AND progress = 'idle' HAVING count(*) > 1
UNION ALL
SELECT 'fanfarillo-c-192', many.k * one.mid / many.mid, many.k * one.low / many.high, many.k * one.high / many.low,
       printf('times faster, %d tasks at a time, %s, %d images', many.k, variant, contenders)
FROM run AS one JOIN run AS many USING (variant, contenders, progress)
WHERE progress = 'idle' AND one.k = 1 AND many.k > 1;

-- Learning once and many times, on one host that nothing else disturbs.
WITH run AS (
    SELECT variant, progress, learning_phases AS phases, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM coarrays_pricing_median WHERE per_request = 0 AND learning_phases > 0)
SELECT 'fanfarillo-c-195' AS id, median(many.mid / one.mid) AS value, median(many.low / one.high) AS low,
       median(many.high / one.low) AS high, printf('times the time of 1 phase, with %d', many.phases) AS words
FROM run AS one JOIN run AS many USING (variant, progress)
WHERE one.phases = 1 AND many.phases > 1 AND many.phases = (SELECT max(phases) FROM run) HAVING count(*) > 0;
