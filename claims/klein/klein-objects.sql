-- Objects that the run time creates for the stencil, whatever the number of iterations.
WITH stencil AS (SELECT * FROM (SELECT * FROM partition_counters UNION ALL SELECT * FROM partition_stencil_median)
    WHERE app = 'stencil' AND variant = 'partitioned' AND iterations >= 2 AND one_device = 0 AND options IN ('-',
        'spans')),
claim(id) AS (VALUES ('klein-c-078'), ('klein-c-080'), ('klein-c-081/accesses'), ('klein-c-081/launches'))
SELECT DISTINCT id, iif(id LIKE '%78' OR id LIKE '%launches', kl_created, aa_created) AS value, NULL AS low,
    NULL AS high, 'created' AS words FROM stencil, claim;

-- Dependencies where the launch that wrote a buffer last is taken to have written all of it.
SELECT DISTINCT 'klein-c-079' AS id, dr_created AS value, NULL AS low, NULL AS high,
    printf('created in %d iterations', iterations) AS words FROM partition_variants_median
WHERE app = 'stencil' AND variant = 'partitioned' AND resolution = 'last-writer' AND options IN ('-', 'spans')
    AND one_device = 0;

-- The same runs with more iterations, from ten on: launches and accesses are as many, dependencies no more.
WITH run AS (
    SELECT app, size, devices, iterations, split, htod, resolution, options, kl_created, aa_created, dr_created
    FROM partition_counters WHERE access = 'boxes' AND one_device = 0
    UNION ALL SELECT app, size, devices, iterations, split, htod, resolution, options, kl_created, aa_created,
        dr_created
    FROM partition_stencil_median WHERE access = 'boxes' AND one_device = 0
    UNION ALL SELECT app, size, devices, iterations, split, htod, resolution, options, kl_created, aa_created,
        dr_created
    FROM partition_variants_median WHERE access = 'boxes' AND one_device = 0),
kind AS (SELECT *, max(kl_created) AS kl, max(aa_created) AS aa, max(dr_created) AS dr FROM run
    WHERE app = 'stencil' AND options NOT LIKE '%whole%' AND options NOT LIKE '%cache%' AND iterations >= 2
    GROUP BY size, devices, iterations, split, htod, resolution, options),
pair AS (SELECT a.iterations AS few, a.kl <> b.kl OR a.aa <> b.aa OR b.dr > a.dr AS grown
    FROM kind AS a JOIN kind AS b USING (size, devices, split, htod, resolution, options)
    WHERE b.iterations > a.iterations)
SELECT 'klein-c-085' AS id, sum(grown) FILTER (WHERE few >= 10) AS value, NULL AS low, NULL AS high,
    iif(max(few) < 10, 'runs of ten iterations and more are needed',
        'of the runs with more iterations have created more objects') AS words
FROM pair HAVING count(*) > 0;

-- A cycle of launches, again and again. Objects are only ever added: as many after many launches as after few are as
-- many from the few on. More of them say nothing where the few end before the second round, unless they are twice as
-- many.
WITH cycle AS (SELECT size, htod, devices, split, options, iterations, max(kl_created) AS kl, max(aa_created) AS aa,
        max(dr_created) AS dr FROM partition_variants_median
    WHERE app = 'refine' AND variant = 'partitioned' AND resolution = 'last-writer' AND access = 'boxes'
        AND one_device = 0 AND options NOT LIKE '%whole%' AND options NOT LIKE '%cache%'
    GROUP BY size, htod, devices, split, options, iterations),
pair AS (SELECT a.iterations AS few, b.iterations AS many, b.dr > 2 * a.dr OR a.iterations >= 2 * a.kl AS sure,
        abs(b.dr - a.dr) + abs(b.kl - a.kl) + abs(b.aa - a.aa) AS more
    FROM cycle AS a JOIN cycle AS b USING (size, htod, devices, split, options)
    WHERE a.iterations >= a.kl AND b.iterations >= 3 * b.kl AND b.iterations > a.iterations)
SELECT 'klein-c-092' AS id, iif(more = 0 OR sure, more, NULL) AS value, NULL AS low, NULL AS high, iif(more = 0 OR sure,
    printf('objects more from %d launches to %d', few, many), 'the shorter run ends before the third round') AS words
FROM pair
UNION ALL SELECT 'klein-c-092', NULL, NULL, NULL, 'no cycle was run for few rounds and for many'
WHERE NOT EXISTS (SELECT 1 FROM pair) AND EXISTS (SELECT 1 FROM partition_variants_median);

-- What makes another object: one field of a launch changed at a time, two launches in both orders. A reads in and
-- writes out, B the other way round.
WITH run AS (SELECT * FROM partition_objects WHERE status <> 'waived'),
made AS (SELECT iif(variant = 'launch', 'klein-c-082', 'klein-c-083') || '/' || lower(replace(step, ' ', '-')) AS id,
        created FROM run WHERE variant IN ('launch', 'pair') AND one_device = 0
    UNION ALL SELECT 'klein-c-082/again', repeated FROM run WHERE variant = 'launch' AND one_device = 0)
SELECT DISTINCT id, created AS value, NULL AS low, NULL AS high, 'created' AS words FROM made
-- Pointers behind that of the program are where the driver says.
UNION ALL SELECT 'klein-c-087/' || step, sum(pointers - matching), NULL, NULL,
    printf('of %d pointers lie elsewhere', sum(pointers)) FROM run WHERE variant = 'pointer' GROUP BY step
-- Last writers by chains that keep the newest of equal launches, and by full histories.
UNION ALL SELECT 'klein-c-091/mismatches', sum(mismatches), NULL, NULL,
    printf('elements differ in %d random sequences', sum(sequences)) FROM run WHERE variant = 'chain'
        HAVING count(*) > 0
UNION ALL SELECT 'klein-c-091/dropped', sum(dropped), NULL, NULL, 'older launches'
FROM run WHERE variant = 'chain' HAVING count(*) > 0;

-- Buffers are allocated in full on every device.
SELECT 'klein-c-086' AS id, allocated_bytes / requested_bytes / devices AS value, NULL AS low, NULL AS high,
    printf('times the bytes on each device, %s on %d', app, devices) AS words
FROM partition_counters WHERE variant = 'partitioned' AND requested_bytes > 0;

-- Phases of the first launch with intervals point by point, on the most devices: none takes longer than that before it.
WITH cold AS (SELECT *, max(devices) OVER () AS most FROM partition_programs
    WHERE status = 'pass' AND app = 'stencil' AND variant = 'partitioned'),
phase(nth, name) AS (VALUES (1, 'linearisation'), (2, 'intervals'), (3, 'dependencies'), (4, 'partitions')),
long AS (SELECT rep, nth, name, CASE nth WHEN 1 THEN delin_s WHEN 2 THEN interval_s - delin_s WHEN 3 THEN dr_create_s
        ELSE partition_s END AS value FROM cold, phase WHERE devices = most AND access = 'points'),
took AS (SELECT nth, name, median(value) AS mid, interval_low(value, rep) AS low, interval_high(value, rep) AS high
    FROM long GROUP BY nth)
SELECT 'klein-c-084' AS id, a.mid / b.mid AS value, a.low / b.high AS low, a.high / b.low AS high,
    'times as long, ' || a.name || ' beside ' || b.name AS words
FROM took AS a JOIN took AS b ON b.nth = a.nth + 1 WHERE a.mid / b.mid
UNION ALL SELECT 'klein-c-084', NULL, NULL, NULL, 'runs with intervals point by point are needed'
WHERE EXISTS (SELECT 1 FROM cold) AND NOT EXISTS (SELECT 1 FROM took WHERE mid > 0);

-- Right results of every program; which programs the run time serves. Partitioned runs on one device show its cost.
WITH run AS (SELECT * FROM partition_counters UNION ALL SELECT * FROM partition_matmul_median
    UNION ALL SELECT * FROM partition_stencil_median UNION ALL SELECT * FROM partition_nbody_median
    UNION ALL SELECT * FROM partition_nbody_steps_median),
app AS (SELECT *, variant = 'original' AS original FROM run
    WHERE variant IN ('original', 'partitioned') AND app IN ('matmul', 'stencil', 'nbody'))
SELECT 'klein-c-005' AS id, max(max_difference) AS value, NULL AS low, NULL AS high,
    printf('is the largest difference, %s on up to %d devices', app, max(devices)) AS words
FROM run WHERE variant = 'partitioned' AND devices > 1 GROUP BY app
UNION ALL SELECT 'klein-c-006/original', iif(max(devices) > 1, sum(original AND (devices > 1 OR kl_created > 0)), NULL),
    NULL, NULL, iif(max(devices) > 1, printf('of %d runs with objects of the run time', sum(original)),
        'several devices are needed')
FROM app HAVING sum(original)
UNION ALL SELECT 'klein-c-006/partitioned', sum(coalesce(kl_created, 0) = 0 OR one_device > 0), NULL, NULL,
    printf('of %d runs with launches that one device did alone', count(*))
FROM app WHERE NOT original AND devices > 1 HAVING count(*) > 0;

-- Wrong elements: where the last writer of a buffer is taken to have written all of it, and without any copies.
SELECT 'klein-c-089/' || app AS id, max(stale_elements) AS value, NULL AS low, NULL AS high, 'wrong elements' AS words
FROM partition_variants_median WHERE variant = 'partitioned' AND resolution = 'last-writer'
    AND app IN ('stencil', 'nbody', 'matmul', 'reduction') GROUP BY app
UNION ALL SELECT 'klein-c-077/' || resolution, stale_elements, NULL, NULL,
    printf('wrong elements, n = %d, %d devices', size, devices)
FROM partition_variants_median WHERE variant = 'partitioned' AND app = 'stencil' AND resolution IN ('none', 'exact')
    AND devices > 1 AND one_device = 0;

-- Copies of the n-body program: three arrays of positions, between the iterations, from each device to each other.
WITH run AS (SELECT *, iif(block_x > 0, block_x, 128) AS block FROM partition_counters
    WHERE app = 'nbody' AND variant = 'partitioned' AND htod = 'broadcast' AND devices > 1 AND iterations > 1),
cut AS (SELECT *, size / block AS blocks, 12 * (iterations - 1) * block AS bytes FROM run WHERE size / block >= devices)
SELECT 'klein-c-052' AS id, sum(d2d_copies <> 3 * (iterations - 1) * devices * (devices - 1)) AS value, NULL AS low,
    NULL AS high, printf('of %d runs: not one for each pair, iteration and array', count(*)) AS words
FROM cut HAVING count(*) > 0
UNION ALL SELECT 'klein-c-053', sum(pair_bytes_min <> bytes * (blocks / devices)
    OR pair_bytes_max <> bytes * ((blocks + devices - 1) / devices)), NULL, NULL,
    printf('of %d runs: some pair copies not what the part has', count(*)) FROM cut HAVING count(*) > 0;
