-- Claims about managed memory that belong to no figure, or to a listing; and those of figures 3.12 and 3.13. First:
-- wrong results with the pointer of cudaHostAlloc as it is in a kernel, and with one managed array.
WITH t AS (SELECT * FROM unified_memory_access WHERE pattern = 'functions')
SELECT iif(variant = 'zero-copy', 'cui-c-015', 'cui-c-018'), sum(errors), NULL, NULL,
       printf('wrong in %d MiB', max(bytes) >> 20)
FROM t WHERE variant IN ('zero-copy', 'first-touch') GROUP BY variant
UNION ALL -- pages come into being when they are touched
SELECT 'cui-c-030/allocated', 1.0 * used_allocated_bytes / bytes, NULL, NULL, 'of the bytes after allocation'
FROM t WHERE variant IN ('first-touch', 'prefetch')
UNION ALL
SELECT 'cui-c-030/touched', 1.0 * used_touched_bytes / bytes, NULL, NULL, 'of the bytes after ' || variant
FROM t WHERE variant IN ('first-touch', 'prefetch');

-- On demand against one explicit copy.
SELECT 'cui-c-019', value, low, high, printf('%s, %s', pair, data) FROM unified_memory_ratios
WHERE experiment = 'unified_memory_large' AND pair = 'first-touch / explicit' AND parameter(data, 'bytes') >= 256e6;

-- Prefetching in chunks on streams, one round of the convolution.
WITH r AS (SELECT *, printf('%s with %d / %d streams', pair, slow_streams, streams) AS words FROM unified_memory_ratios
           WHERE experiment = 'unified_memory_streams')
SELECT 'cui-c-020', min(value), low, high, words FROM r WHERE pair = 'um-prefetch / um' GROUP BY pair
UNION ALL
SELECT 'cui-c-305', max(value), low, high, words
FROM r WHERE pair = 'um-prefetch / um-prefetch' AND slow_streams = 1 AND streams > 1 GROUP BY pair;

-- Managed memory on demand against explicit copies, over workloads; and data that several kernels use.
WITH r AS (SELECT * FROM unified_memory_ratios),
cost AS (SELECT * FROM r WHERE experiment = 'unified_memory_benchmarks' AND pair = 'um / naive')
SELECT 'cui-c-021', exp(avg(ln(value))), exp(avg(ln(low))), exp(avg(ln(high))),
       pair || ', geometric mean over benchmarks'
FROM cost GROUP BY pair
UNION ALL
SELECT 'cui-c-022/cost', median(value), median(low), median(high), pair || ', median over benchmarks' FROM cost
GROUP BY pair
UNION ALL
SELECT 'cui-c-022/reuse', value, low, high, 'um / copies before each kernel'
FROM (SELECT *, max(CAST(parameter(data, 'bytes') AS INTEGER)) FROM r
      WHERE experiment = 'unified_memory_access' AND pair = 'first-touch / recopy' GROUP BY pair);

-- Managed memory on demand against the framework, over all workloads and sizes.
WITH um AS (
    SELECT *, coalesce(share >= 1, 0) AS beyond FROM unified_memory_ratios
    WHERE experiment IN ('unified_memory_benchmarks', 'unified_memory_ladder') AND pair = 'um / framework'
       OR experiment = 'unified_memory_matmul' AND pair = 'block-um / framework' AND rounds = 1),
part AS (SELECT beyond, median(value) AS value, median(low) AS low, median(high) AS high FROM um GROUP BY beyond),
over AS (
    SELECT 'cui-c-026/beyond' AS id, o.value / f.value AS value, o.low / f.high AS low, o.high / f.low AS high,
           'um / framework beyond the device memory, over that where data fit, medians' AS words
    FROM part AS f, part AS o WHERE NOT f.beyond AND o.beyond
    UNION ALL
    SELECT 'cui-c-126', value, low, high, printf('%s, %s of the device memory', pair, share) FROM um WHERE beyond)
SELECT 'cui-c-026/share', avg(value > 1), avg(low > 1), avg(high > 1), printf('of %d cases um is slower', count(*))
FROM um HAVING count(*) > 0
UNION ALL
SELECT id, iif(real, value, NULL), low, high,
       iif(real, words, (SELECT why FROM not_oversubscribed))
FROM over, (SELECT max(oversubscribed) AS real
            FROM (SELECT oversubscribed FROM unified_memory_benchmarks UNION ALL
                  SELECT oversubscribed FROM unified_memory_ladder UNION ALL
                  SELECT oversubscribed FROM unified_memory_matmul));

-- Prefetch calls in the place of copies.
SELECT 'cui-c-028', 1.0 * p.copies / c.copies, NULL, NULL, 'prefetches / copies, ' || benchmark
FROM unified_memory_benchmarks_median AS p JOIN unified_memory_benchmarks_median AS c
    USING (benchmark, size, streams, chunk_size)
WHERE p.variant = 'um-prefetch' AND c.variant = 'pipeline' AND benchmark NOT IN ('gemm', 'matmul');

-- A of the matrix product is split by columns: one prefetch of all of it, beside one per chunk of B and one of C.
WITH t AS (SELECT * FROM unified_memory_matmul_median WHERE variant = 'block-um-prefetch' AND rounds = 1)
SELECT 'cui-c-029/share', 3.0 * prefetched_bytes / footprint_bytes - 1, NULL, NULL, 'of A is prefetched, size ' || size
FROM t
UNION ALL
SELECT 'cui-c-029/calls', copies - chunks - 1, NULL, NULL, 'calls for A, size ' || size FROM t;

-- Rounds that exchange input and output, without the host in between.
WITH asked(id, pair) AS (
    VALUES ('cui-c-031', 'um / framework'), ('cui-c-100', 'naive / pipeline'), ('cui-c-101', 'framework / pipeline'),
           ('cui-c-102', 'pipeline / um')),
t AS (SELECT *, bytes_to_device AS come, bytes_to_device + bytes_from_device AS bytes,
             'traffic of managed memory could not be counted, see the log' AS why
      FROM unified_memory_rounds_median),
most AS (SELECT max(rounds) AS rounds FROM t)
SELECT id, value, low, high, printf('%s, %d rounds', pair, rounds)
FROM asked JOIN unified_memory_ratios USING (pair) JOIN most USING (rounds) WHERE experiment = 'unified_memory_rounds'
UNION ALL
SELECT 'cui-c-103', p.bytes / u.bytes / rounds, NULL, NULL,
       iif(u.bytes IS NULL, u.why, printf('bytes of pipeline / of um, per round of %d', rounds))
FROM t AS p JOIN t AS u USING (rounds) JOIN most USING (rounds) WHERE p.variant = 'pipeline' AND u.variant = 'um'
UNION ALL
SELECT 'cui-c-104', iif(count(come) < count(*), NULL, max(come) / min(come)), NULL, NULL,
       iif(count(come) < count(*), why, printf('most / least bytes to the device over %d numbers of rounds', count(*)))
FROM t WHERE variant = 'um' HAVING count(*) > 1;
