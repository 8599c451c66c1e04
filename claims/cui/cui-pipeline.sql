-- Claims about pipelines that belong to no figure, or to a listing. Kernels against copies, from naive runs.
SELECT 'cui-c-010' AS id, median(ratio) AS value, interval_low(ratio) AS low, interval_high(ratio) AS high,
       'kernels / copies, ' || operation AS words
FROM pipeline_calls
WHERE variant = 'compute-ratio' AND operation IN ('conv2d', 'pooling', 'transpose') AND status = 'pass' GROUP BY operation;

-- Order and overlap, by events.
WITH asked(id, variant) AS (VALUES ('cui-c-016', 'order'), ('cui-c-016', 'overlap-streams'), ('cui-c-017', 'overlap-streams'))
SELECT id || iif(variant = 'order', '/violations', '/overlap') AS id, iif(variant = 'order', sum(errors), median(overlap_s)) AS value,
       iif(variant = 'order', NULL, interval_low(overlap_s)) AS low, iif(variant = 'order', NULL, interval_high(overlap_s)) AS high,
       iif(variant = 'order', printf('operations out of order in %d runs', count(*)), 's on two streams') AS words
FROM asked JOIN pipeline_calls USING (variant) GROUP BY id, variant
UNION ALL
SELECT 'cui-c-017/default', max(overlap_s), NULL, NULL, 's on the default stream'
FROM pipeline_calls WHERE variant = 'overlap-default' HAVING count(*) > 0;

-- The four applications: the framework, as fast as it gets, beside naive on the largest data set.
WITH t AS (
    SELECT benchmark, variant, device_bytes, time_s, time_low_s, time_high_s FROM pipeline_fastest
    WHERE largest AND benchmark IN ('conv3d', 'stencil', 'qcd')
    UNION ALL
    SELECT 'matmul', iif(variant = 'naive', 'naive', 'framework'), device_bytes, time_s, time_low_s, time_high_s FROM pipeline_matmul_median
    WHERE variant IN ('naive', 'pipeline-buffer') AND size = (SELECT max(size) FROM pipeline_matmul_median WHERE variant = 'naive')),
pair AS (
    SELECT benchmark, 1.0 * f.device_bytes / n.device_bytes AS memory, f.time_s / n.time_s AS mid, f.time_low_s / n.time_high_s AS low,
           f.time_high_s / n.time_low_s AS high
    FROM t AS n JOIN t AS f USING (benchmark) WHERE n.variant = 'naive' AND f.variant = 'framework')
SELECT 'cui-c-025' || '/memory' AS id, memory AS value, NULL AS low, NULL AS high, 'framework / naive, ' || benchmark AS words FROM pair
UNION ALL
SELECT 'cui-c-025' || '/time', mid, low, high, 'framework / naive, ' || benchmark FROM pair;

-- Slots of the ring buffers, by traces; counted in slices of the split dimension, also where a chunk has several.
SELECT 'cui-c-027' AS id, sum(operation <> 'kernel' AND slot <> first_slice % slots) + sum(resident_ok = 0) AS value, NULL AS low,
       NULL AS high, printf('of %d operations at a wrong or overwritten slot', count(*)) AS words
FROM pipeline_timeline WHERE variant = 'framework' AND (operation = 'kernel' OR slots IS NOT NULL) HAVING sum(operation <> 'kernel') > 0;

-- How far repetitions of one configuration lie apart.
SELECT 'cui-c-032' AS id, max(time_s) / avg(time_s) - 1 AS value, NULL AS low, NULL AS high,
       printf('of the mean above it: %s, %s, size %d, %d streams', variant, benchmark, size, streams) AS words
FROM pipeline_versions WHERE status = 'pass' AND time_s IS NOT NULL
GROUP BY variant, benchmark, size, rounds, streams, chunk_size HAVING count(*) > 1;

-- Size of the lattice.
WITH lattice AS (SELECT DISTINCT size, footprint_bytes AS bytes FROM pipeline_versions_median WHERE benchmark = 'qcd' AND variant = 'naive')
SELECT 'cui-c-080' || '/' || part AS id, 1.0 * b.bytes / a.bytes AS value, NULL AS low, NULL AS high,
       iif(a.bytes AND b.bytes, printf('as many bytes from %d to %d', small, large), 'sizes 12, 24 and 36 were not measured') AS words
FROM (SELECT column1 AS part, column2 AS small, column3 AS large FROM (VALUES ('double', 12, 24), ('half', 24, 36)))
LEFT JOIN lattice AS a ON a.size = small LEFT JOIN lattice AS b ON b.size = large WHERE EXISTS (SELECT 1 FROM lattice);

-- Arrays larger than the device memory that may be used: results, and device memory that the framework's buffers took. The matrices'
-- memory is at least what the largest ones took that fit as a whole; the convolution's is given, and its buffers are those of
-- pipeline_versions, as a share of the arrays. That whole arrays are refused follows from the limit alone and is not judged.
WITH t AS (
    SELECT 'conv3d' AS name, outcome, errors, footprint_bytes * (
               SELECT max(1.0 * device_bytes / footprint_bytes) FROM pipeline_versions WHERE benchmark = 'conv3d' AND variant = 'framework')
               / capacity_bytes AS taken
    FROM unified_memory_ladder WHERE benchmark = 'conv3d' AND footprint_bytes > capacity_bytes AND variant = 'framework'
    UNION ALL
    SELECT 'matmul', outcome, errors, 1.0 * device_bytes / (SELECT max(device_bytes) FROM pipeline_matmul WHERE variant = 'naive' AND outcome = 'ok')
    FROM pipeline_matmul WHERE variant = 'pipeline-buffer'
      AND size IN (SELECT size FROM pipeline_matmul WHERE variant = 'naive' AND outcome = 'does not fit'))
SELECT 'cui-c-308' || '/' || name AS id, max(taken) AS value, NULL AS low, NULL AS high, 'of the memory taken' AS words FROM t GROUP BY name
UNION ALL
SELECT 'cui-c-308' || '/wrong', sum(outcome <> 'ok' OR errors > 0), NULL, NULL, printf('of %d runs refused or wrong', count(*))
FROM t HAVING count(*) > 0;

-- The first form of the directive: what the parser takes and what it refuses.
WITH texts AS (SELECT DISTINCT variant, directive, accepted, expected FROM pipeline_directive WHERE form = 1 AND variant <> 'listing'),
missing AS (
    SELECT count(*) AS count
    FROM (VALUES ('*pipeline(k)*'), ('*pipeline(k,1)*'), ('*pipeline(k,1,3)*'), ('*iterator(k = 1:n-1)*'), ('*iterator(k = 0:n:4)*'))
    WHERE NOT EXISTS (SELECT 1 FROM texts WHERE variant = 'accept' AND accepted = 1 AND directive GLOB column1)),
undeclared AS (SELECT sum(accepted) AS wrong FROM texts WHERE variant = 'reject' AND directive GLOB '*pipeline(j)*iterator(k*')
SELECT 'cui-c-310' AS id, sum(accepted <> expected) + missing.count + wrong AS value, NULL AS low, NULL AS high,
       printf('of %d directives or 5 parts are not taken as told', count(*)) AS words
FROM texts, missing, undeclared WHERE wrong IS NOT NULL HAVING count(*) > 0;

-- The stencil with ring buffers, by its trace: what was on the device when a kernel ran, and what went back.
WITH trace AS (SELECT * FROM pipeline_timeline WHERE variant = 'framework' AND benchmark = 'stencil'),
kernel AS (SELECT * FROM trace WHERE operation = 'kernel')
SELECT 'cui-c-311' || '/planes' AS id, sum(resident_ok = 0) AS value, NULL AS low, NULL AS high,
       printf('of %d kernels without their planes', count(*)) AS words
FROM kernel HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-311' || '/copies', total(b.first_slice <> k.first_slice OR b.end_slice <> k.end_slice OR NOT b.resident_ok)
       + abs(count(*) - (SELECT count(*) FROM kernel)), NULL, NULL, 'copies back are missing or not of their own planes'
FROM trace AS b JOIN kernel AS k USING (round, chunk) WHERE b.operation = 'from_device' AND EXISTS (SELECT 1 FROM kernel);
