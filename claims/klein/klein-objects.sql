-- Objects that the run time creates for the stencil, whatever the number of iterations.
WITH run AS (
    SELECT * FROM partition_stencil_median UNION ALL SELECT * FROM partition_htod_median UNION ALL SELECT * FROM partition_spans_median UNION ALL SELECT *
        FROM partition_programs_median),
stencil AS (
    SELECT kl_created AS kl, aa_created AS aa, dr_created AS dr, launches, iterations FROM run
    WHERE app = 'stencil' AND variant = 'partitioned' AND iterations >= 2 AND one_device = 0 AND options IN ('-', 'spans')),
count AS (SELECT count(*) AS runs, min(iterations) AS least, max(iterations) AS most, min(kl) AS kl0, max(kl) AS kl1, min(aa) AS aa0, max(aa) AS aa1 FROM stencil)
SELECT 'klein-c-078' AS id, printf('%d to %d in %d runs of %d to %d iterations', kl0, kl1, runs, least, most) AS measured, '2' AS bound, kl0 = 2 AND kl1 = 2 AS ok,
    '' AS reason FROM count WHERE runs > 0
UNION ALL
SELECT 'klein-c-080', printf('%d to %d in %d runs of %d to %d iterations', aa0, aa1, runs, least, most), '2', aa0 = 2 AND aa1 = 2, '' FROM count WHERE runs > 0
UNION ALL
SELECT 'klein-c-081', printf('%d to %d argument accesses for %d to %d launch objects, which differ in buffers', aa0, aa1, kl0, kl1), 'as many as for one of them',
    aa1 = 2 AND kl0 >= 2, '' FROM count WHERE runs > 0;

-- Dependencies, by the thesis's method: the launch that wrote a buffer last wrote all of it.
WITH run AS (SELECT iterations, devices, dr_created FROM partition_variants_median WHERE app = 'stencil' AND variant = 'partitioned' AND resolution = 'last-writer'
    AND options IN ('-', 'spans') AND one_device = 0)
SELECT 'klein-c-079' AS id, printf('%d to %d in %d runs of %d to %d iterations', min(dr_created), max(dr_created), count(*), min(iterations),
    max(iterations)) AS measured, '<= 2' AS bound, max(dr_created) <= 2 AS ok,
       iif(max(dr_created) > 2, 'both arguments of each launch are counted, and launches that nothing comes before', '') AS reason FROM run HAVING count(*) > 0;

-- The same application with different numbers of iterations.
WITH run AS (
    SELECT * FROM partition_stencil_median UNION ALL SELECT * FROM partition_htod_median UNION ALL SELECT * FROM partition_nbody_median UNION ALL SELECT *
        FROM partition_programs_median
    UNION ALL SELECT * FROM partition_variants_median),
kind AS (
    SELECT app, size, htod, resolution, devices, split, options, iterations, max(kl_created) AS kl, max(aa_created) AS aa, max(dr_created) AS dr FROM run
    WHERE variant = 'partitioned' AND access = 'boxes' AND one_device = 0 AND options NOT LIKE '%whole%' AND options NOT LIKE '%cache%'
        GROUP BY app, size, htod, resolution, devices, split, options, iterations),
pair AS (
    SELECT a.app AS app, a.iterations AS few, b.iterations AS many, a.kl AS kl, a.kl = b.kl AND a.aa = b.aa AS same_launches, b.dr <= a.dr AS bounded, a.dr AS dr_few,
        b.dr AS dr_many
    FROM kind AS a JOIN kind AS b USING (app, size, htod, resolution, devices, split, options) WHERE b.iterations > a.iterations AND a.iterations >= 2)
SELECT 'klein-c-085' AS id,
       printf('dependencies %d to %d from %d iterations on, %d to %d up to %d', min(dr_few), max(dr_few), min(few), min(dr_many), max(dr_many), max(many)) AS measured,
           'launches, accesses, dependencies constant from 10 iterations on' AS bound,
       iif(max(few) < 10, 'waived', min(same_launches AND bounded) = 1) AS ok, iif(max(few) < 10, 'no run of ten iterations and more to compare', '') AS reason
FROM pair WHERE app = 'stencil' AND few >= (SELECT min(10, max(few)) FROM pair WHERE app = 'stencil') HAVING count(*) > 0;

-- Launches A to F, again and again, in the thesis's mode. Objects are only ever added, so as many after many launches as after few are as many from the few on.
WITH cycle AS (
    SELECT size, htod, devices, split, options, iterations, max(kl_created) AS kl, max(aa_created) AS aa, max(dr_created) AS dr FROM partition_variants_median
    WHERE app = 'refine' AND variant = 'partitioned' AND resolution = 'last-writer' AND access = 'boxes' AND one_device = 0 AND options NOT LIKE '%whole%'
        AND options NOT LIKE '%cache%' GROUP BY size, htod, devices, split, options, iterations),
pair AS (SELECT a.kl AS kl, a.iterations AS few, b.iterations AS many, a.dr AS dr_few, b.dr AS dr_many, a.kl = b.kl AND a.aa = b.aa AND a.dr = b.dr AS same
    FROM cycle AS a JOIN cycle AS b USING (size, htod, devices, split, options) WHERE a.iterations >= a.kl AND b.iterations >= 3 * b.kl AND b.iterations > a.iterations)
SELECT 'klein-c-092' AS id, iif(count(*), printf('%d launches in a cycle; dependencies %d to %d after %d launches, %d to %d after %d', max(kl), min(dr_few), max(dr_few),
    min(few), min(dr_many), max(dr_many), max(many)), NULL) AS measured, 'constant from the third round on' AS bound,
       CASE WHEN count(*) = 0 THEN 'waived' WHEN min(same) THEN 1 WHEN max(NOT same AND few >= 2 * kl) OR max(dr_many > 2 * dr_few) THEN 0 ELSE 'waived' END AS ok,
       CASE WHEN count(*) = 0 THEN 'no cycle was run for few rounds and for many' WHEN min(same) OR max(NOT same AND few >= 2 * kl) OR max(dr_many > 2 * dr_few) THEN ''
           ELSE 'grown, but the shorter run ends before the third round' END AS reason
FROM pair WHERE EXISTS (SELECT 1 FROM partition_variants_median);

-- What makes another object: one field of a launch changed at a time, two launches in both orders.
WITH step AS (
    SELECT variant, step, min(created) AS least, max(created) AS most, max(repeated) AS again, count(*) AS runs, max(devices) AS devices FROM partition_objects
    WHERE variant IN ('launch', 'pair') AND status <> 'waived' AND one_device = 0 GROUP BY variant, step),
created AS (SELECT *, step || ' ' || iif(least = most, CAST(least AS INTEGER), printf('%d to %d', least, most)) AS text FROM step)
SELECT 'klein-c-082' AS id, printf('created when differing in %s; %d when made again; %d launches of each on up to %d devices', group_concat(text, ', '), max(again),
    min(runs), max(devices)) AS measured, '1 for each field, 0 for none and when made again' AS bound,
       count(*) = 7 AND min(least = (step <> 'nothing')) AND min(most = (step <> 'nothing')) AND max(again) = 0 AS ok, '' AS reason
FROM created WHERE variant = 'launch' HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-083', printf('created by the pairs %s', group_concat(text, ', ')), 'AB 1, BA 1, again 0',
    count(*) = 4 AND min(least = (step IN ('AB', 'BA'))) AND min(most = (step IN ('AB', 'BA'))), 'A reads in and writes out, B the other way round'
FROM created WHERE variant = 'pair' HAVING count(*) > 0;

-- Pointers behind that of the program: where they are, the driver says.
WITH pointer AS (SELECT step, sum(pointers) AS pointers, sum(matching) AS matching, max(devices) AS devices FROM partition_objects
    WHERE variant = 'pointer' AND status <> 'waived' GROUP BY step)
SELECT 'klein-c-087' AS id, printf('%d of %d pointers returned are those on the first device and found; look-ups give %d of %d on their devices; up to %d devices',
    sum(matching) FILTER (WHERE step = 'allocation'), sum(pointers) FILTER (WHERE step = 'allocation'), sum(matching) FILTER (WHERE step = 'look-up'),
    sum(pointers) FILTER (WHERE step = 'look-up'), max(devices)) AS measured, 'all' AS bound, count(*) = 2 AND min(matching = pointers) AS ok, '' AS reason
FROM pointer HAVING count(*) > 0;

-- Last writers by chains that keep the newest of equal launches, and by full histories.
SELECT 'klein-c-091' AS id, printf('%d elements differ in %d random sequences, for up to %d devices; %d older launches deleted', sum(mismatches), sum(sequences),
    max(devices), sum(dropped)) AS measured, '0, some deleted' AS bound, sum(mismatches) = 0 AND sum(dropped) > 0 AS ok, '' AS reason
FROM partition_objects WHERE variant = 'chain' AND status <> 'waived' HAVING count(*) > 0;

-- Buffers are allocated in full on every device.
WITH run AS (SELECT * FROM partition_programs_median UNION ALL SELECT * FROM partition_htod_median UNION ALL SELECT * FROM partition_spans_median),
memory AS (SELECT app, devices, allocated_bytes / requested_bytes AS times FROM run WHERE variant = 'partitioned' AND requested_bytes > 0)
SELECT 'klein-c-086' AS id, printf('%d of %d runs: as many times as devices; up to %d', sum(times = devices), count(*), max(times)) AS measured,
    'number of devices' AS bound, min(times = devices) = 1 AS ok, '' AS reason FROM memory HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-100', printf('%g to %g of what is asked for, on each device', min(times / devices), max(times / devices)), '< 1', 'waived',
    'not implemented: buffers are not reshaped' FROM memory HAVING count(*) > 0;

-- Phases of the first launch, by the thesis's method, on the most devices.
WITH cold AS (
    SELECT median(delin_s) AS delin, interval_high(delin_s) AS delin_high, interval_low(delin_s) AS delin_low, median(interval_s - delin_s) AS rest,
        interval_low(interval_s - delin_s) AS rest_low, interval_high(interval_s - delin_s) AS rest_high,
           median(dr_create_s) AS dr, interval_low(dr_create_s) AS dr_low, interval_high(dr_create_s) AS dr_high, median(partition_s) AS part,
               interval_low(partition_s) AS part_low, interval_high(partition_s) AS part_high, devices, size
    FROM partition_programs WHERE status = 'pass' AND app = 'stencil' AND variant = 'partitioned' AND access = 'points' AND devices = (SELECT max(devices)
        FROM partition_programs WHERE app = 'stencil' AND variant = 'partitioned'))
SELECT 'klein-c-084' AS id, printf('%.3g, %.3g, %.3g, %.3g ms on %d devices, width %d', 1e3 * delin, 1e3 * rest, 1e3 * dr, 1e3 * part, devices, size) AS measured,
       'linearisation, intervals, dependencies, partitions: each takes no longer than the one before' AS bound,
       CASE WHEN delin_low >= rest_high AND rest_low >= dr_high AND dr_low >= part_high THEN 1 WHEN delin_high < rest_low OR rest_high < dr_low
           OR dr_high < part_low THEN 0 END AS ok, '' AS reason
FROM cold WHERE delin IS NOT NULL;

-- Right results: of every program, and of those of which the thesis says so by its method.
WITH run AS (
    SELECT * FROM partition_matmul_median UNION ALL SELECT * FROM partition_stencil_median UNION ALL SELECT * FROM partition_nbody_median UNION ALL SELECT *
        FROM partition_nbody_steps_median UNION ALL SELECT * FROM partition_spans_median
    UNION ALL SELECT * FROM partition_htod_median UNION ALL SELECT * FROM partition_programs_median)
SELECT 'klein-c-005' AS id, printf('%g, %d programs on up to %d devices', max(max_difference), count(DISTINCT app), max(devices)) AS measured, '<= 1e-5' AS bound,
    max(max_difference) <= 1e-5 AS ok,
       iif(max(max_difference) = 0, 'bit by bit', '') AS reason FROM run WHERE variant = 'partitioned' AND devices > 1 HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-006',
       printf('%d runs of the original, %d with objects of the run time; %d partitioned on more devices, %d with launches that one device did alone', sum(variant = 'original'),
              sum(variant = 'original' AND coalesce(kl_created, 0) > 0), sum(variant = 'partitioned' AND devices > 1),
              sum(variant = 'partitioned' AND devices > 1 AND (coalesce(kl_created, 0) = 0 OR one_device > 0))),
       'original on one device without the run time, every launch split on more',
       iif(max(devices) = 1, 'waived', sum(variant = 'original') > 0 AND sum(variant = 'original' AND (devices <> 1 OR coalesce(kl_created, 0) > 0)) = 0
           AND sum(variant = 'partitioned' AND devices > 1 AND (coalesce(kl_created, 0) = 0 OR one_device > 0)) = 0),
       iif(max(devices) = 1, 'several devices are needed', 'partitioned runs on one device show the overhead and are no part of the figure')
FROM run WHERE variant IN ('original', 'partitioned') AND app IN ('matmul', 'stencil', 'nbody') HAVING count(*) > 0;

WITH run AS (SELECT app, max(stale_elements) AS wrong, max(devices) AS devices FROM partition_variants_median
    WHERE variant = 'partitioned' AND resolution = 'last-writer' AND app IN ('stencil', 'nbody', 'matmul', 'reduction') GROUP BY app)
SELECT 'klein-c-089' AS id, group_concat(app || ' ' || CAST(wrong AS INTEGER), ', ') || ' wrong elements' AS measured,
    '0 in stencil, nbody, matmul, reduction' AS bound,
       CASE WHEN max(wrong) > 0 THEN 0 WHEN count(*) < 4 THEN 'waived' ELSE 1 END AS ok, iif(count(*) < 4 AND max(wrong) = 0, 'the others were not run in that mode',
           '') AS reason FROM run HAVING count(*) > 0;

WITH run AS (SELECT resolution, stale_elements AS wrong FROM partition_variants_median WHERE variant = 'partitioned' AND app = 'stencil' AND devices > 1
    AND one_device = 0)
SELECT 'klein-c-077' AS id, printf('without copies %d to %d wrong elements, with %d', min(wrong) FILTER (WHERE resolution = 'none'),
    max(wrong) FILTER (WHERE resolution = 'none'), max(wrong) FILTER (WHERE resolution = 'exact')) AS measured,
       '> 0, 0' AS bound, min(wrong) FILTER (WHERE resolution = 'none') > 0 AND max(wrong) FILTER (WHERE resolution = 'exact') = 0 AS ok, '' AS reason FROM run
           HAVING count(*) > 0;

-- Copies: split along two dimensions, not merged, of everything.
WITH run AS (SELECT *, size || ' ' || iterations || ' ' || devices AS at FROM partition_variants_median WHERE variant = 'partitioned' AND app = 'stencil'
    AND resolution = 'exact' AND one_device = 0),
plane AS (SELECT a.at AS at, b.d2d_copies / a.d2d_copies AS ratio FROM run AS a JOIN run AS b USING (at) WHERE a.split = 'y' AND b.split = 'xy' AND a.options = 'spans'
    AND b.options = 'spans' AND a.devices >= 4 AND a.d2d_copies > 0),
whole AS (SELECT b.d2d_bytes / a.d2d_bytes AS ratio, b.stale_elements AS wrong FROM run AS a JOIN run AS b USING (at, split)
    WHERE a.options = 'spans' AND b.options = 'spans+whole' AND a.d2d_bytes > 0)
SELECT 'klein-c-068' AS id, iif(count(*), printf('%.2f to %.2f times', min(ratio), max(ratio)), NULL) AS measured, '> 1 times the copies of a split along y' AS bound,
    iif(count(*), min(ratio) > 1, 'waived') AS ok,
       iif(count(*), '', 'four devices are needed') AS reason FROM plane
UNION ALL
SELECT 'klein-c-101', printf('%.3g to %.3g times the bytes, %d wrong elements', min(ratio), max(ratio), max(wrong)), '>= 1, 0', min(ratio) >= 1 AND max(wrong) = 0, ''
    FROM whole HAVING count(*) > 0;

WITH run AS (
    SELECT size, devices, options, median(d2d_copies) AS copies, median(sync_comm_s) AS mid, interval_low(sync_comm_s) AS low, interval_high(sync_comm_s) AS high
    FROM partition_variants WHERE status = 'pass' AND variant = 'partitioned' AND app = 'stencil' AND resolution = 'exact' AND split = 'y' AND one_device = 0
        GROUP BY size, devices, options),
ratio AS (
    SELECT b.copies / a.copies AS copies, b.mid / a.mid AS mid, b.low / a.high AS low, b.high / a.low AS high FROM run AS a JOIN run AS b USING (size, devices)
    WHERE a.options = 'spans' AND b.options = 'spans+no-coalesce' AND a.copies > 0)
SELECT 'klein-c-072' AS id, printf('%g to %g times the copies, %.3g to %.3g times the time', min(copies), max(copies), min(mid), max(mid)) AS measured,
    '> 1 each' AS bound,
       CASE WHEN min(copies) > 1 AND min(low) > 1 THEN 1 WHEN min(copies) <= 1 OR min(high) <= 1 THEN 0 END AS ok, '' AS reason FROM ratio HAVING count(*) > 0;
