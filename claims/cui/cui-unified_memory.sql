-- Claims about managed memory: listings 2.1 and 2.2 first. Wrong results with the pointer of cudaHostAlloc as it is in a kernel,
-- and with one managed array for host and device.
SELECT iif(variant = 'zero-copy', 'cui-c-015', 'cui-c-018') AS id, sum(errors) AS value, NULL AS low, NULL AS high,
       printf('wrong in %d MiB', max(bytes) >> 20) AS words
FROM unified_memory_access WHERE pattern = 'functions' AND variant IN ('zero-copy', 'first-touch') GROUP BY variant
UNION ALL -- pages come into being when they are touched
SELECT 'cui-c-030' || '/allocated', 1.0 * max(used_allocated_bytes) / max(bytes), NULL, NULL, 'of the bytes are there after allocation'
FROM unified_memory_access WHERE pattern = 'functions' AND variant IN ('first-touch', 'prefetch') HAVING count(DISTINCT variant) = 2
UNION ALL
SELECT 'cui-c-030' || '/touched', 1.0 * min(used_touched_bytes) / max(bytes), NULL, NULL, 'of the bytes after a touch or prefetch'
FROM unified_memory_access WHERE pattern = 'functions' AND variant IN ('first-touch', 'prefetch') HAVING count(DISTINCT variant) = 2;

-- On demand against one explicit copy.
SELECT 'cui-c-019' AS id, u.time_s / e.time_s AS value, u.time_low_s / e.time_high_s AS low, u.time_high_s / e.time_low_s AS high,
       printf('first touch / explicit, %d MiB', bytes >> 20) AS words
FROM unified_memory_large_median AS u JOIN unified_memory_large_median AS e USING (bytes)
WHERE bytes >= 256e6 AND u.variant = 'first-touch' AND e.variant = 'explicit';

-- Prefetching in chunks on streams, one round of the convolution: how many streams are best.
WITH t AS (SELECT * FROM unified_memory_streams_median),
best AS (
    SELECT *, min(time_s), 'some' AS which FROM t WHERE variant = 'um-prefetch' GROUP BY variant
    UNION ALL
    SELECT *, min(time_s), 'more' FROM t WHERE variant = 'um-prefetch' AND streams > 1 GROUP BY variant)
SELECT 'cui-c-020' AS id, b.time_s / u.time_s AS value, b.time_low_s / u.time_high_s AS low,
       b.time_high_s / u.time_low_s AS high, printf('um-prefetch with %d streams / um', b.streams) AS words
FROM best AS b, t AS u WHERE which = 'some' AND u.variant = 'um'
UNION ALL
SELECT 'cui-c-305', o.time_s / b.time_s, o.time_low_s / b.time_high_s, o.time_high_s / b.time_low_s, printf('1 / %d streams', b.streams)
FROM best AS b, t AS o WHERE which = 'more' AND o.variant = 'um-prefetch' AND o.streams = 1;

-- Managed memory on demand against explicit copies, over workloads; and data that several kernels use.
WITH cost AS (SELECT * FROM unified_memory_benchmark_ratios WHERE slow = 'um' AND fast = 'naive')
SELECT 'cui-c-021' AS id, exp(avg(ln(value))) AS value, exp(avg(ln(low))) AS low, exp(avg(ln(high))) AS high,
       printf('um / explicit, geometric mean over %d benchmarks', count(*)) AS words
FROM cost HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-022' || '/cost', median(value), median(low), median(high), printf('um / explicit, median over %d benchmarks', count(*))
FROM cost HAVING count(*) > 0
UNION ALL
SELECT * FROM (
    SELECT 'cui-c-022' || '/reuse', u.time_s / e.time_s, u.time_low_s / e.time_high_s, u.time_high_s / e.time_low_s,
           'um / copies before each kernel'
    FROM unified_memory_access_median AS u JOIN unified_memory_access_median AS e USING (pattern, bytes)
    WHERE u.variant = 'first-touch' AND e.variant = 'recopy' ORDER BY bytes DESC LIMIT 1);

-- Managed memory on demand against the framework, over all workloads and sizes.
WITH r AS (
    SELECT slow, fast, 0 AS beyond, 0 AS real, value, low, high FROM unified_memory_benchmark_ratios
    UNION ALL
    SELECT slow, fast, beyond, real, value, low, high FROM unified_memory_ladder_ratios
    UNION ALL
    SELECT slow, fast, beyond, real, value, low, high FROM unified_memory_matmul_ratios WHERE algorithm = 'block' AND rounds = 1),
um AS (SELECT *, 'the device was not filled up (--oversubscribe): nothing was evicted' AS why FROM r
       WHERE slow = 'um' AND fast = 'framework'),
part AS (SELECT beyond, max(real) AS real, max(why) AS why, median(value) AS value, median(low) AS low, median(high) AS high
         FROM um GROUP BY beyond)
SELECT 'cui-c-026' || '/share' AS id, avg(value > 1) AS value, avg(low > 1) AS low, avg(high > 1) AS high,
       printf('of %d cases um is slower', count(*)) AS words
FROM um HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-026' || '/beyond', iif(o.real, o.value / f.value, NULL), o.low / f.high, o.high / f.low,
       iif(o.real, 'um / framework beyond the device, over that where data fit, medians', o.why)
FROM part AS f, part AS o WHERE NOT f.beyond AND o.beyond
UNION ALL
SELECT 'cui-c-126', iif(real, value, NULL), low, high, iif(real, 'um / framework', why) FROM um WHERE beyond;

-- Prefetch calls in the place of copies.
SELECT 'cui-c-028' AS id, 1.0 * p.copies / c.copies AS value, NULL AS low, NULL AS high, 'prefetches / copies, ' || benchmark AS words
FROM unified_memory_benchmarks_median AS p JOIN unified_memory_benchmarks_median AS c USING (benchmark, size, streams, chunk_size)
WHERE p.variant = 'um-prefetch' AND c.variant = 'pipeline' AND benchmark NOT IN ('gemm', 'matmul');

-- A of the matrix product is split by columns: one prefetch of all of it, beside one per chunk of B and one of C.
SELECT 'cui-c-029' || '/share' AS id, 3.0 * prefetched_bytes / footprint_bytes - 1 AS value, NULL AS low, NULL AS high,
       'of A is prefetched, size ' || size AS words
FROM unified_memory_matmul_median WHERE variant = 'block-um-prefetch' AND rounds = 1
UNION ALL
SELECT 'cui-c-029' || '/calls', copies - chunks - 1, NULL, NULL, 'calls for A, size ' || size
FROM unified_memory_matmul_median WHERE variant = 'block-um-prefetch' AND rounds = 1;

-- Figures 3.12 and 3.13: rounds that exchange input and output, without the host in between; the most rounds.
WITH r AS (SELECT * FROM unified_memory_rounds_ratios WHERE rounds = (SELECT max(rounds) FROM unified_memory_rounds_median)),
asked(id, slow, fast) AS (
    VALUES ('cui-c-031', 'um', 'framework'), ('cui-c-100', 'naive', 'pipeline'), ('cui-c-101', 'framework', 'pipeline'),
           ('cui-c-102', 'pipeline', 'um')),
moved AS (SELECT variant, rounds, bytes_to_device AS come, bytes_to_device + bytes_from_device AS bytes FROM unified_memory_rounds_median),
unknown AS (SELECT 'traffic of managed memory could not be counted, see the log' AS why)
SELECT id, value, low, high, printf('%s / %s, %d rounds', slow, fast, rounds) AS words FROM asked JOIN r USING (slow, fast)
UNION ALL
SELECT 'cui-c-103', p.bytes / u.bytes / rounds, NULL, NULL, iif(u.bytes IS NULL, why, printf('bytes of pipeline / of um, per round of %d', rounds))
FROM moved AS p JOIN moved AS u USING (rounds), unknown
WHERE p.variant = 'pipeline' AND u.variant = 'um' AND rounds = (SELECT max(rounds) FROM moved)
UNION ALL
SELECT 'cui-c-104', iif(count(come) < count(*), NULL, max(come) / min(come)), NULL, NULL,
       iif(count(come) < count(*), why, printf('most / least bytes to the device over %d numbers of rounds', count(*)))
FROM moved, unknown WHERE variant = 'um' HAVING count(*) > 1;
