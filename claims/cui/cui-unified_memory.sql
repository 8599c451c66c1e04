-- Claims about managed memory that belong to no figure, or to a listing; and those of figures 3.12 and 3.13. First: wrong
-- results with the pointer of cudaHostAlloc as it is in a kernel, and with one managed array for host and device.
WITH t AS (SELECT * FROM unified_memory_access WHERE pattern = 'functions')
SELECT iif(variant = 'zero-copy', 'cui-c-015', 'cui-c-018'), sum(errors), NULL, NULL, printf('wrong in %d MiB', max(bytes) >> 20)
FROM t WHERE variant IN ('zero-copy', 'first-touch') GROUP BY variant
UNION ALL -- pages come into being when they are touched
SELECT 'cui-c-030/allocated', 1.0 * used_allocated_bytes / bytes, NULL, NULL, 'of the bytes after allocation'
FROM t WHERE variant IN ('first-touch', 'prefetch')
UNION ALL
SELECT 'cui-c-030/touched', 1.0 * used_touched_bytes / bytes, NULL, NULL, 'of the bytes after ' || variant
FROM t WHERE variant IN ('first-touch', 'prefetch');

-- On demand against one explicit copy.
SELECT 'cui-c-019', u.time_s / e.time_s, u.time_low_s / e.time_high_s, u.time_high_s / e.time_low_s,
       printf('first touch / explicit, %d MiB', bytes >> 20)
FROM unified_memory_large_median AS u JOIN unified_memory_large_median AS e USING (bytes)
WHERE bytes >= 256e6 AND u.variant = 'first-touch' AND e.variant = 'explicit';

-- Prefetching in chunks on streams, one round of the convolution.
WITH t AS (SELECT * FROM unified_memory_streams_median),
asked AS (
    SELECT 'cui-c-020' AS id, a.*, min(b.time_s) AS mid, b.time_low_s AS low, b.time_high_s AS high, b.streams AS best
    FROM t AS a, t AS b WHERE a.variant = 'um' AND b.variant = 'um-prefetch' GROUP BY a.streams)
SELECT id, mid / time_s, low / time_high_s, high / time_low_s, printf('um-prefetch with %d streams / um', best) FROM asked
UNION ALL
SELECT 'cui-c-305', o.time_s / b.time_s, o.time_low_s / b.time_high_s, o.time_high_s / b.time_low_s, printf('1 / %d streams', b.streams)
FROM t AS o JOIN (SELECT *, min(time_s) FROM t WHERE variant = 'um-prefetch' AND streams > 1 GROUP BY variant) AS b USING (variant)
WHERE o.streams = 1;

-- Managed memory on demand against explicit copies, over workloads; and data that several kernels use.
WITH cost AS (SELECT * FROM unified_memory_benchmark_ratios WHERE pair = 'um / naive')
SELECT 'cui-c-021', exp(avg(ln(value))), exp(avg(ln(low))), exp(avg(ln(high))),
       printf('um / explicit, geometric mean over %d benchmarks', count(*))
FROM cost HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-022/cost', median(value), median(low), median(high), printf('um / explicit, median over %d benchmarks', count(*))
FROM cost HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-022/reuse', u.time_s / e.time_s, u.time_low_s / e.time_high_s, u.time_high_s / e.time_low_s,
       'um / copies before each kernel'
FROM unified_memory_access_median AS u JOIN unified_memory_access_median AS e USING (pattern, bytes)
WHERE u.variant = 'first-touch' AND e.variant = 'recopy'
  AND bytes = (SELECT max(bytes) FROM unified_memory_access_median WHERE variant = 'recopy');

-- Managed memory on demand against the framework, over all workloads and sizes.
WITH r AS (
    SELECT pair, 0 AS beyond, 1 AS real, value, low, high, pair AS words FROM unified_memory_benchmark_ratios
    UNION ALL
    SELECT pair, beyond, real, value, low, high, words FROM unified_memory_ladder_ratios
    UNION ALL
    SELECT pair, beyond, real, value, low, high, words FROM unified_memory_matmul_ratios
    WHERE algorithm = 'block' AND rounds = 1),
um AS (SELECT * FROM r WHERE pair = 'um / framework'),
part AS (SELECT beyond, min(real) AS real, words, median(value) AS value, median(low) AS low, median(high) AS high
         FROM um GROUP BY beyond)
SELECT 'cui-c-026/share', avg(value > 1), avg(low > 1), avg(high > 1), printf('of %d cases um is slower', count(*))
FROM um HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-026/beyond', iif(o.real, o.value / f.value, NULL), o.low / f.high, o.high / f.low,
       iif(o.real, 'um / framework beyond the device, over that where data fit, medians', o.words)
FROM part AS f, part AS o WHERE NOT f.beyond AND o.beyond
UNION ALL
SELECT 'cui-c-126', iif(real, value, NULL), low, high, words FROM um WHERE beyond;

-- Prefetch calls in the place of copies.
SELECT 'cui-c-028', 1.0 * p.copies / c.copies, NULL, NULL, 'prefetches / copies, ' || benchmark
FROM unified_memory_benchmarks_median AS p JOIN unified_memory_benchmarks_median AS c USING (benchmark, size, streams, chunk_size)
WHERE p.variant = 'um-prefetch' AND c.variant = 'pipeline' AND benchmark NOT IN ('gemm', 'matmul');

-- A of the matrix product is split by columns: one prefetch of all of it, beside one per chunk of B and one of C.
WITH t AS (SELECT * FROM unified_memory_matmul_median WHERE variant = 'block-um-prefetch' AND rounds = 1)
SELECT 'cui-c-029/share', 3.0 * prefetched_bytes / footprint_bytes - 1, NULL, NULL, 'of A is prefetched, size ' || size FROM t
UNION ALL
SELECT 'cui-c-029/calls', copies - chunks - 1, NULL, NULL, 'calls for A, size ' || size FROM t;

-- Rounds that exchange input and output, without the host in between.
WITH asked(id, pair) AS (
    VALUES ('cui-c-031', 'um / framework'), ('cui-c-100', 'naive / pipeline'), ('cui-c-101', 'framework / pipeline'),
           ('cui-c-102', 'pipeline / um')),
t AS (SELECT *, bytes_to_device + bytes_from_device AS bytes, 'traffic of managed memory could not be counted, see the log' AS why
      FROM unified_memory_rounds_median),
most AS (SELECT max(rounds) AS rounds FROM t)
SELECT id, value, low, high, printf('%s, %d rounds', pair, rounds)
FROM asked JOIN unified_memory_rounds_ratios USING (pair) JOIN most USING (rounds)
UNION ALL
SELECT 'cui-c-103', p.bytes / u.bytes / rounds, NULL, NULL,
       iif(u.bytes IS NULL, u.why, printf('bytes of pipeline / of um, per round of %d', rounds))
FROM t AS p JOIN t AS u USING (rounds) JOIN most USING (rounds) WHERE p.variant = 'pipeline' AND u.variant = 'um'
UNION ALL
SELECT 'cui-c-104', iif(count(bytes_to_device) < count(*), NULL, max(bytes_to_device) / min(bytes_to_device)), NULL, NULL,
       iif(count(bytes_to_device) < count(*), why, printf('most / least bytes to the device over %d numbers of rounds', count(*)))
FROM t WHERE variant = 'um' HAVING count(*) > 1;
