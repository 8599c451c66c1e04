-- Claims about managed memory that belong to no figure. First: on demand against one explicit copy.
WITH t AS (SELECT variant, bytes, time_s, time_low_s AS low, time_high_s AS high FROM unified_memory_large_median WHERE bytes >= 256e6)
SELECT 'cui-c-019' AS id, printf('first touch / explicit %.2f at %d MiB', min(u.time_s / e.time_s), bytes >> 20) AS measured, '>= 1' AS bound,
       CASE WHEN min(u.low / e.high) >= 1 THEN 1 WHEN min(u.high / e.low) < 1 THEN 0 END AS ok, '' AS reason
FROM t AS u JOIN t AS e USING (bytes) WHERE u.variant = 'first-touch' AND e.variant = 'explicit' HAVING count(*) > 0;

-- Prefetching in chunks on streams, one round of the convolution.
WITH t AS (SELECT variant, streams, time_s, time_low_s AS low, time_high_s AS high FROM unified_memory_streams_median),
um AS (SELECT * FROM t WHERE variant = 'um'),
best AS (SELECT * FROM t WHERE variant = 'um-prefetch' ORDER BY time_s LIMIT 1),
all_of_it AS (SELECT * FROM t WHERE variant = 'um-prefetch-all' ORDER BY time_s LIMIT 1),
one AS (SELECT * FROM t WHERE variant = 'um-prefetch' AND streams = 1),
more AS (SELECT * FROM t WHERE variant = 'um-prefetch' AND streams > 1 ORDER BY time_s LIMIT 1)
SELECT 'cui-c-020' AS id, printf('um-prefetch / um %.2f with %d streams; with the pages of results brought, too, %.2f', best.time_s / um.time_s,
                                 best.streams, all_of_it.time_s / um.time_s) AS measured,
       '< 1' AS bound, CASE WHEN best.high / um.low < 1 THEN 1 WHEN best.low / um.high >= 1 THEN 0 END AS ok, '' AS reason
FROM um, best, all_of_it
UNION ALL
SELECT 'cui-c-305', printf('um-prefetch / um %.2f with one stream, %.2f with %d', one.time_s / um.time_s, more.time_s / um.time_s, more.streams),
       'not less with one', CASE WHEN one.low >= more.high THEN 1 WHEN one.high < more.low THEN 0 END, ''
FROM one, more, um;

-- Managed memory on demand against explicit copies, over workloads; and data that several kernels use.
WITH t AS (SELECT variant, benchmark, time_s, time_low_s AS low, time_high_s AS high FROM unified_memory_benchmarks_median),
cost AS (SELECT benchmark, u.time_s / e.time_s AS mid, u.low / e.high AS low, u.high / e.low AS high
         FROM t AS u JOIN t AS e USING (benchmark) WHERE u.variant = 'um' AND e.variant = 'naive'),
reuse AS (SELECT u.time_s / e.time_s AS mid, u.time_low_s / e.time_high_s AS low, u.time_high_s / e.time_low_s AS high
          FROM unified_memory_access_median AS u JOIN unified_memory_access_median AS e USING (pattern, bytes)
          WHERE u.variant = 'first-touch' AND e.variant = 'recopy' ORDER BY bytes DESC LIMIT 1)
SELECT 'cui-c-021' AS id, printf('um / explicit %.2f, geometric mean over %d benchmarks', exp(avg(ln(mid))), count(*)) AS measured,
       '>= 1 (cited: 1.10)' AS bound, CASE WHEN exp(avg(ln(low))) >= 1 THEN 1 WHEN exp(avg(ln(high))) < 1 THEN 0 END AS ok, '' AS reason
FROM cost HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-022', printf('um / explicit %.2f, median over %d benchmarks; um / copies before each kernel %.2f', median(cost.mid), count(*), max(reuse.mid)),
       '> 1 and < 1', CASE WHEN median(cost.low) > 1 AND max(reuse.high) < 1 THEN 1 WHEN median(cost.high) <= 1 OR max(reuse.low) >= 1 THEN 0 END, ''
FROM cost, reuse HAVING count(*) > 0;

-- Managed memory on demand against the framework, over all workloads and sizes.
WITH t AS (
    SELECT variant, benchmark || size AS work, 0 AS beyond, oversubscribed, time_s, time_low_s AS low, time_high_s AS high FROM unified_memory_benchmarks_median
    UNION ALL
    SELECT variant, 'ladder' || size, footprint_bytes / capacity_bytes > 1, oversubscribed, time_s, time_low_s, time_high_s FROM unified_memory_ladder_median
    UNION ALL
    SELECT replace(variant, 'block-um', 'um'), 'matmul' || size, footprint_bytes / capacity_bytes > 1, oversubscribed, time_s, time_low_s, time_high_s
    FROM unified_memory_matmul_median WHERE rounds = 1 AND variant IN ('block-um', 'framework')),
ratio AS (SELECT work, u.beyond AS beyond, u.oversubscribed AS oversubscribed, u.time_s / f.time_s AS mid, u.low / f.high AS low, u.high / f.low AS high
          FROM t AS u JOIN t AS f USING (work) WHERE u.variant = 'um' AND f.variant = 'framework'),
fits AS (SELECT median(mid) AS mid, median(low) AS low, median(high) AS high FROM ratio WHERE NOT beyond),
over AS (SELECT median(mid) AS mid, median(low) AS low, median(high) AS high, min(mid) AS least, max(mid) AS most, min(low) AS least_low,
                min(high) AS least_high, max(oversubscribed) AS real FROM ratio WHERE beyond)
SELECT 'cui-c-026' AS id, printf('um slower in %.0f %% of %d cases; median %.2f where data fit, %.2f beyond the device', 100 * avg(ratio.mid > 1), count(*),
                                 max(fits.mid), max(over.mid)) AS measured,
       '70 %, larger beyond' AS bound,
       CASE WHEN avg(ratio.high > 1) < 0.7 THEN 0 WHEN NOT max(real) THEN 'waived' WHEN max(over.high) < max(fits.low) THEN 0
            WHEN avg(ratio.low > 1) >= 0.7 AND max(over.low) > max(fits.high) THEN 1 END AS ok,
       iif(max(real) OR avg(ratio.high > 1) < 0.7, '', 'the device was not filled up (--oversubscribe): nothing was evicted') AS reason
FROM ratio, fits, over HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-126', printf('um / framework %.2f to %.2f beyond the device', least, most), '> 1 (thesis: 3.6 to 28.3)',
       CASE WHEN NOT real THEN 'waived' WHEN least_low > 1 THEN 1 WHEN least_high <= 1 THEN 0 END,
       iif(real, '', 'the device was not filled up (--oversubscribe): nothing was evicted')
FROM over WHERE mid > 0;

-- Prefetch calls in the place of copies.
SELECT 'cui-c-028' AS id, printf('%d of %d contiguous benchmarks with as many prefetches as copies', sum(p.copies = c.copies), count(*)) AS measured,
       'all' AS bound, min(p.copies = c.copies) AS ok, '' AS reason
FROM unified_memory_benchmarks_median AS p JOIN unified_memory_benchmarks_median AS c USING (benchmark, size, streams, chunk_size)
WHERE p.variant = 'um-prefetch' AND c.variant = 'pipeline' AND benchmark NOT IN ('gemm', 'matmul') HAVING count(*) > 0;

-- A of the matrix product is split by columns: one prefetch of all of it, beside one per chunk of B and one of C.
SELECT 'cui-c-029' AS id, printf('%.3f of A in %g calls', max(prefetched_bytes - footprint_bytes / 3) / max(footprint_bytes / 3), max(copies - chunks - 1)) AS measured,
       '1 in 1 call, at each size' AS bound, min(prefetched_bytes - footprint_bytes / 3 = footprint_bytes / 3 AND copies - chunks - 1 = 1) AS ok, '' AS reason
FROM unified_memory_matmul_median WHERE variant = 'block-um-prefetch' AND rounds = 1 HAVING count(*) > 0;

-- Pages come into being when they are touched.
SELECT 'cui-c-030' AS id, printf('%d KiB after allocating %d KiB, %d KiB after a touch or prefetch', max(used_allocated_bytes) >> 10, max(bytes) >> 10,
                                 min(used_touched_bytes) >> 10) AS measured,
       'below 1/16, then at least 1000/1024' AS bound,
       max(used_allocated_bytes) < max(bytes) / 16.0 AND min(used_touched_bytes) >= max(bytes) * 1000.0 / 1024 AS ok, '' AS reason
FROM unified_memory_access WHERE pattern = 'functions' AND variant IN ('first-touch', 'prefetch') HAVING count(DISTINCT variant) = 2;

-- Many rounds without the host in between.
SELECT 'cui-c-031' AS id, printf('um / framework %.2f with %d rounds', u.time_s / f.time_s, rounds) AS measured, '<= 1.05' AS bound,
       CASE WHEN u.time_high_s / f.time_low_s <= 1.05 THEN 1 WHEN u.time_low_s / f.time_high_s > 1.05 THEN 0 END AS ok, '' AS reason
FROM unified_memory_rounds_median AS u JOIN unified_memory_rounds_median AS f USING (rounds)
WHERE u.variant = 'um' AND f.variant = 'framework' AND rounds = (SELECT max(rounds) FROM unified_memory_rounds_median);

-- Data half as large again as the device.
SELECT 'cui-c-093' AS id, printf('%.2f of the device memory: %d wrong elements', 1.0 * max(footprint_bytes) / max(capacity_bytes), sum(errors)) AS measured,
       'done, none wrong' AS bound,
       CASE WHEN sum(errors) OR sum(outcome <> 'ok') THEN 0 WHEN max(oversubscribed) THEN 1 ELSE 'waived' END AS ok,
       iif(max(oversubscribed), '', 'the device was not filled up (--oversubscribe): managed memory was not more than it had') AS reason
FROM unified_memory_ladder WHERE variant = 'um' AND share_of_capacity = 1.5 HAVING count(*) > 0;

-- The best way of managed memory against the framework, where data fit.
WITH t AS (SELECT variant, share_of_capacity AS share, time_s, time_low_s AS low, time_high_s AS high FROM unified_memory_ladder_median
           WHERE footprint_bytes <= capacity_bytes),
best AS (SELECT *, row_number() OVER (PARTITION BY share ORDER BY time_s) AS nth FROM t WHERE variant IN ('um', 'um-gpu-prefetch', 'um-cpu-prefetch', 'um-prefetch'))
SELECT 'cui-c-125' AS id, printf('best um / framework - 1 is %.2f to %.2f where data fit', min(b.time_s / f.time_s) - 1, max(b.time_s / f.time_s) - 1) AS measured,
       '> 0 (thesis: 0.25 to 0.40)' AS bound, CASE WHEN min(b.low / f.high) > 1 THEN 1 WHEN min(b.high / f.low) <= 1 THEN 0 END AS ok, '' AS reason
FROM best AS b JOIN t AS f USING (share) WHERE nth = 1 AND f.variant = 'framework' HAVING count(*) > 0;
