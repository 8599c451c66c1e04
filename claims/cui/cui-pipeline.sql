-- Claims about pipelines that belong to no figure, or to a listing. Kernels against copies, from naive runs.
SELECT 'cui-c-010', median(ratio), interval_low(ratio), interval_high(ratio), 'kernels / copies, ' || operation
FROM pipeline_calls
WHERE variant = 'compute-ratio' AND operation IN ('conv2d', 'pooling', 'transpose') AND status = 'pass'
GROUP BY operation;

-- Order and overlap, by events.
SELECT 'cui-c-016/violations', sum(errors), NULL, NULL, printf('operations out of order in %d runs', count(*))
FROM pipeline_calls WHERE variant = 'order' HAVING count(*) > 0
UNION ALL
SELECT column1, median(overlap_s), interval_low(overlap_s), interval_high(overlap_s), 's on two streams'
FROM pipeline_calls, (VALUES ('cui-c-016/overlap'), ('cui-c-017/overlap')) WHERE variant = 'overlap-streams'
GROUP BY column1
UNION ALL
SELECT 'cui-c-017/default', max(overlap_s), NULL, NULL, 's on the default stream'
FROM pipeline_calls WHERE variant = 'overlap-default' HAVING count(*) > 0;

-- The four applications: the framework, as fast as it gets, beside naive on the largest data set.
WITH pair AS (
    SELECT benchmark, value, low, high, memory FROM pipeline_speedups WHERE largest AND pair = 'framework / naive'
    UNION ALL
    SELECT 'matmul', value, low, high, memory FROM pipeline_matmul_speedups
    WHERE largest AND pair = 'pipeline-buffer / naive')
SELECT 'cui-c-025/memory', memory, NULL, NULL, 'framework / naive, ' || benchmark FROM pair
UNION ALL
SELECT 'cui-c-025/time', value, low, high, 'framework / naive, ' || benchmark FROM pair;

-- Slots of the ring buffers, by traces; counted in slices of the split dimension, also where a chunk has several.
SELECT 'cui-c-027', sum(operation <> 'kernel' AND slot <> first_slice % slots OR NOT resident_ok), NULL, NULL,
       printf('of %d operations at a wrong or overwritten slot', count(*))
FROM pipeline_timeline WHERE variant = 'framework' AND (operation = 'kernel' OR slots IS NOT NULL)
HAVING sum(operation <> 'kernel') > 0;

-- How far repetitions of one configuration lie apart.
SELECT 'cui-c-032', max(time_s) / avg(time_s) - 1, NULL, NULL,
       printf('of the mean above it, %s of %s, n = %d', variant, benchmark, size)
FROM pipeline_versions WHERE status = 'pass' AND time_s IS NOT NULL
GROUP BY variant, benchmark, size, rounds, streams, chunk_size HAVING count(*) > 1;

-- Size of the lattice.
WITH lattice AS (SELECT size, footprint_bytes AS bytes FROM pipeline_fastest
                 WHERE benchmark = 'qcd' AND variant = 'naive')
SELECT column1, 1.0 * b.bytes / a.bytes, NULL, NULL,
       iif(a.bytes AND b.bytes, printf('times the bytes from %d to %d', a.size, b.size),
           'sizes 12, 24 and 36 were not measured')
FROM (VALUES ('cui-c-080/double', 12, 24), ('cui-c-080/half', 24, 36))
LEFT JOIN lattice AS a ON a.size = column2 LEFT JOIN lattice AS b ON b.size = column3
WHERE EXISTS (SELECT 1 FROM lattice);

-- Arrays larger than the device memory that may be used: results, and memory that the framework's buffers took. The
-- matrices' memory is at least what the largest ones took that fit as a whole; the convolution's is given, and its
-- buffers are those of pipeline_versions, as a share of the arrays. That whole arrays are refused follows from the
-- limit alone.
WITH t AS (
    SELECT 'conv3d' AS name, outcome, errors, (
               SELECT max(1.0 * device_bytes / footprint_bytes) FROM pipeline_versions
               WHERE benchmark = 'conv3d' AND variant = 'framework') * footprint_bytes / capacity_bytes AS taken
    FROM unified_memory_ladder WHERE benchmark = 'conv3d' AND footprint_bytes > capacity_bytes AND variant = 'framework'
    UNION ALL
    SELECT 'matmul', outcome, errors, 1.0 * device_bytes / (
               SELECT max(device_bytes) FROM pipeline_matmul WHERE variant = 'naive' AND outcome = 'ok')
    FROM pipeline_matmul WHERE variant = 'pipeline-buffer'
      AND size IN (SELECT size FROM pipeline_matmul WHERE variant = 'naive' AND outcome = 'does not fit'))
SELECT 'cui-c-308/' || name, max(taken), NULL, NULL, 'of the memory taken' FROM t GROUP BY name
UNION ALL
SELECT 'cui-c-308/wrong', sum(outcome <> 'ok' OR errors > 0), NULL, NULL,
       printf('of %d runs refused or wrong', count(*))
FROM t HAVING count(*) > 0;

-- The first form of the directive: what the parser takes and what it refuses.
WITH texts AS (SELECT DISTINCT variant, directive, accepted, expected FROM pipeline_directive
               WHERE form = 1 AND variant <> 'listing'),
undeclared AS (SELECT sum(accepted) AS wrong FROM texts
               WHERE variant = 'reject' AND directive GLOB '*pipeline(j)*iterator(k*')
SELECT 'cui-c-310', wrong + sum(accepted <> expected) + (
           SELECT count(*) FROM (VALUES ('pipeline(k)'), ('pipeline(k,1)'), ('pipeline(k,1,3)'),
                                        ('iterator(k = 1:n-1)'), ('iterator(k = 0:n:4)'))
           WHERE NOT EXISTS (SELECT 1 FROM texts WHERE variant = 'accept' AND accepted AND instr(directive, column1))),
       NULL, NULL, printf('of %d directives or 5 parts are not taken as told', count(*))
FROM texts, undeclared WHERE wrong IS NOT NULL HAVING count(*) > 0;

-- The stencil with ring buffers, by its trace: what was on the device when a kernel ran, and what went back.
WITH trace AS (SELECT * FROM pipeline_timeline WHERE variant = 'framework' AND benchmark = 'stencil'),
kernel AS (SELECT * FROM trace WHERE operation = 'kernel')
SELECT 'cui-c-311/planes', sum(NOT resident_ok), NULL, NULL, printf('of %d kernels without their planes', count(*))
FROM kernel HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-311/copies', total(b.first_slice <> k.first_slice OR b.end_slice <> k.end_slice OR NOT b.resident_ok)
           + abs(count(*) - (SELECT count(*) FROM kernel)), NULL, NULL,
           'copies back are missing or not of their own planes'
FROM trace AS b JOIN kernel AS k USING (round, chunk)
WHERE b.operation = 'from_device' AND EXISTS (SELECT 1 FROM kernel);
