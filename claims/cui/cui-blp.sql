SELECT 'cui-c-023' AS id, 'not measured' AS measured, '-' AS bound, 'waived' AS ok,
       'cited by the thesis from other work; no baseline with specialised warps is built' AS reason;

-- Direct access against the copy engines, each direction alone and both at once.
WITH rate AS (
    SELECT variant, direction, vector_bits, blocks, 1e-9 * bytes / time_s AS mid, 1e-9 * bytes / time_high_s AS low, 1e-9 * bytes / time_low_s AS high
    FROM blp_bandwidth_threads_median),
peak AS (SELECT variant, direction, max(mid) AS mid, low, high FROM rate GROUP BY variant, direction),
share AS (
    SELECT direction, d.mid / e.mid AS mid, d.low / e.high AS low, d.high / e.low AS high
    FROM peak AS d JOIN peak AS e USING (direction) WHERE d.variant = 'direct' AND e.variant = 'memcpy' AND direction <> 'both'),
both AS (SELECT * FROM rate WHERE variant = 'direct' AND direction = 'both' AND vector_bits = 128),
both_peak AS (SELECT max(mid) AS mid, low, high, blocks FROM both),
knee AS (
    SELECT min(CASE WHEN r.mid >= 0.95 * p.mid THEN r.blocks END) AS mid, min(CASE WHEN r.high >= 0.95 * p.low THEN r.blocks END) AS low,
           min(CASE WHEN r.low >= 0.95 * p.high OR r.blocks = p.blocks THEN r.blocks END) AS high
    FROM both AS r, both_peak AS p),
at_knee AS (SELECT max(b.mid) AS mid, b.low, b.high, b.blocks FROM both AS b, knee AS k WHERE b.blocks = k.mid),
beyond AS (
    SELECT max(b.mid) AS mid, b.low, b.high, b.blocks FROM both AS b, knee AS k
    WHERE b.blocks = (SELECT min(blocks) FROM both WHERE blocks >= 2 * k.mid)),
device AS (SELECT CAST(value AS INTEGER) AS multiprocessors FROM machine WHERE name = 'device0_multiprocessors')
SELECT 'cui-c-127' AS id, group_concat(printf('%s: %.2f', direction, mid), ', ') AS measured, 'best of copy blocks / copy engine >= 0.95' AS bound,
       CASE WHEN min(low) >= 0.95 THEN 1 WHEN min(high) < 0.95 THEN 0 END AS ok, '' AS reason
FROM share HAVING count(*) = 2
UNION ALL
SELECT 'cui-c-212', printf('%d blocks per direction on %d multiprocessors: %.2f', k.mid, multiprocessors, 2.0 * k.mid / multiprocessors),
       '2 x blocks / multiprocessors <= 0.15 (thesis: 4 and 2 of 80)',
       CASE WHEN 2.0 / multiprocessors > 0.15 THEN 'waived' WHEN 2.0 * k.high / multiprocessors <= 0.15 THEN 1
            WHEN 2.0 * k.low / multiprocessors > 0.15 THEN 0 END,
       iif(2.0 / multiprocessors > 0.15, 'one copy block per direction is more than 15 % of so few multiprocessors',
           'as many blocks in as out; other splits were not measured')
FROM knee AS k, device WHERE k.mid > 0
UNION ALL
SELECT 'cui-c-214', iif(b.mid, printf('%.2f (%d against %d blocks)', b.mid / k.mid, b.blocks, k.blocks), printf('knee at %d blocks', k.blocks)), '0.95..1.05',
       CASE WHEN b.mid IS NULL THEN 'waived' WHEN b.low / k.high >= 0.95 AND b.high / k.low <= 1.05 THEN 1
            WHEN b.high / k.low < 0.95 OR b.low / k.high > 1.05 THEN 0 END,
       iif(b.mid IS NULL, 'twice the blocks of the knee were not measured', '')
FROM at_knee AS k, beyond AS b WHERE k.mid > 0;

-- Pieces: strided ones against cudaMemcpy2D, contiguous ones against cudaMemcpy.
WITH rate AS (
    SELECT variant, chunks, 1 / time_s AS mid, 1 / time_high_s AS low, 1 / time_low_s AS high FROM blp_bandwidth_chunks_median WHERE direction = 'in'),
strided AS (
    SELECT chunks, d.mid / c.mid AS mid, d.low / c.high AS low, d.high / c.low AS high
    FROM rate AS d JOIN rate AS c USING (chunks) WHERE d.variant = 'direct-chunk' AND c.variant = 'memcpy2d' AND chunks > 1),
contiguous AS (
    SELECT d.mid / c.mid AS mid, d.low / c.high AS low, d.high / c.low AS high
    FROM rate AS d JOIN rate AS c USING (chunks) WHERE d.variant = 'direct' AND c.variant = 'memcpy' AND chunks = 1),
least AS (SELECT min(mid) AS mid, low, high, chunks FROM strided),
kept AS (
    SELECT variant, m.mid / o.mid AS mid, m.low / o.high AS low, m.high / o.low AS high
    FROM rate AS m JOIN rate AS o USING (variant) WHERE m.chunks = 1024 AND o.chunks = 1)
SELECT 'cui-c-215' AS id, printf('least %.2f (%d chunks); contiguous %.2f', l.mid, l.chunks, c.mid) AS measured,
       '>= 1 at each stride, and more than contiguous' AS bound,
       CASE WHEN min(s.low) >= 1 AND min(s.low) > c.high THEN 1 WHEN min(s.high) < 1 OR min(s.high) <= c.low THEN 0 END AS ok, '' AS reason
FROM strided AS s, contiguous AS c, least AS l HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-216', printf('%.2f of the bandwidth left with 1024 chunks, %.2f of cudaMemcpy''s', d.mid, c.mid), 'more than of cudaMemcpy',
       CASE WHEN d.low > c.high THEN 1 WHEN d.high <= c.low THEN 0 END, ''
FROM kept AS d, kept AS c WHERE d.variant = 'direct' AND c.variant = 'memcpy';

-- Blocks per multiprocessor, and threads of a block, around the fastest setting of each loop.
WITH run AS (
    SELECT benchmark, variant, blocks_per_sm, threads, copy_in_blocks, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM blp_blocks_median WHERE time_s > 0),
one AS (
    SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY benchmark ORDER BY mid) AS nth FROM run AS o WHERE variant = 'blp' AND blocks_per_sm = 1
        AND EXISTS (SELECT 1 FROM run AS t WHERE t.benchmark = o.benchmark AND t.variant = o.variant AND t.threads = o.threads
                    AND t.copy_in_blocks = o.copy_in_blocks AND t.blocks_per_sm = 2)) WHERE nth = 1),
doubled AS (
    SELECT o.benchmark, t.mid / o.mid AS mid, t.low / o.high AS low, t.high / o.low AS high
    FROM one AS o JOIN run AS t USING (benchmark, variant, threads, copy_in_blocks) WHERE t.blocks_per_sm = 2),
best AS (SELECT benchmark, variant, min(mid) AS mid, low, high, blocks_per_sm, copy_in_blocks FROM run GROUP BY benchmark, variant),
spread AS (
    SELECT b.benchmark, b.variant, max(r.mid) / b.mid AS mid, r.low / b.high AS low, r.high / b.low AS high
    FROM best AS b JOIN run AS r USING (benchmark, variant)
    WHERE r.blocks_per_sm IS b.blocks_per_sm AND r.copy_in_blocks IS b.copy_in_blocks GROUP BY b.benchmark, b.variant),
typical AS (
    SELECT variant, median(mid) AS mid, median(low) AS low, median(high) AS high, group_concat(printf('%s %.2f', benchmark, mid), ', ') AS each
    FROM spread GROUP BY variant)
SELECT 'cui-c-211' AS id, printf('%.3f: ', avg(mid)) || group_concat(printf('%s %.2f', benchmark, mid), ', ') AS measured,
       'mean of 2 / 1 block per multiprocessor >= 1 (thesis: 1.02, 1..1.05)' AS bound,
       CASE WHEN avg(low) >= 1 THEN 1 WHEN avg(high) < 1 THEN 0 END AS ok, '' AS reason
FROM doubled HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-301', printf('async %.2f (%s); blp %.2f (%s)', a.mid, a.each, b.mid, b.each), 'slowest / fastest block size >= 1.2 for both (median of the loops)',
       CASE WHEN min(a.low, b.low) >= 1.2 THEN 1 WHEN min(a.high, b.high) < 1.2 THEN 0 END, ''
FROM typical AS a, typical AS b WHERE a.variant = 'async' AND b.variant = 'blp';

WITH device AS (SELECT count(*) > 0 AS is_v100 FROM machine WHERE name = 'device0_name' AND value LIKE '%V100%')
SELECT 'cui-c-213' AS id, printf('%d in, %d out, link: %s', copy_in_blocks, copy_out_blocks, link) AS measured, '4 on NVLink2, 1 on PCI-E' AS bound,
       CASE WHEN is_v100 THEN copy_in_blocks = iif(link = 'PCIe', 1, 4) ELSE 'waived' END AS ok,
       iif(is_v100, '', 'a number of the two nodes with a Tesla V100') AS reason
FROM blp_conv2d_median, device WHERE variant = 'blp';

-- The host's part: CPU time of the calling thread, and what a loop on the same core gets done meanwhile; each version's fastest setting.
WITH run AS (
    SELECT benchmark, variant, median(time_s) AS time_s, median(host_cpu_s) AS mid, interval_low(host_cpu_s) AS low, interval_high(host_cpu_s) AS high,
           max(free_share) AS free
    FROM blp_host WHERE status = 'pass' AND variant IN ('async', 'blp') GROUP BY benchmark, variant, streams, chunks, task_size),
fastest AS (SELECT benchmark, variant, min(time_s) AS time_s, mid, low, high, free FROM run GROUP BY benchmark, variant),
pair AS (
    SELECT benchmark, b.mid / a.mid AS mid, b.low / a.high AS low, b.high / a.low AS high, b.free, a.free AS async_free
    FROM fastest AS a JOIN fastest AS b USING (benchmark) WHERE a.variant = 'async' AND b.variant = 'blp'),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'cui-c-299' AS id,
       group_concat(printf('%s: CPU time %.2f of async, core free %.2f against %.2f', benchmark, mid, free, async_free), '; ') AS measured,
       'CPU time < 1, core freer' AS bound,
       CASE WHEN max(high) < 1 AND (NOT real OR min(free > async_free)) THEN 1
            WHEN max(low) >= 1 OR (real AND max(free < async_free - 0.02)) THEN 0 END AS ok,
       iif(real, 'the free share of the core is one measurement per setting', 'the software GPU computes on the host''s cores: the CPU time alone is judged') AS reason
FROM pair, gpu HAVING count(*) > 0;

-- How much a bad choice of streams and chunks costs.
WITH run AS (
    SELECT '2D convolution' AS name, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_conv2d_median WHERE variant = 'async'
    UNION ALL SELECT '3D convolution', time_s, time_low_s, time_high_s FROM blp_conv3d_median WHERE variant = 'async'
    UNION ALL SELECT 'FDTD-2D', time_s, time_low_s, time_high_s FROM blp_fdtd2d_median WHERE variant = 'async'
    UNION ALL SELECT 'ATAX', time_s, time_low_s, time_high_s FROM blp_atax_median WHERE variant = 'async'),
best AS (SELECT name, min(mid) AS mid, low, high FROM run GROUP BY name),
worst AS (SELECT name, max(mid) AS mid, low, high FROM run GROUP BY name)
SELECT 'cui-c-300' AS id, group_concat(printf('%s %.2f', name, w.mid / b.mid), ', ') AS measured, 'worst / best async >= 1.5 for each' AS bound,
       CASE WHEN min(w.low / b.high) >= 1.5 THEN 1 WHEN min(w.high / b.low) < 1.5 THEN 0 END AS ok, '' AS reason
FROM best AS b JOIN worst AS w USING (name) HAVING count(*) = 4;

-- More blocks than multiprocessors at once.
WITH two AS (SELECT min(resident) AS resident, max(blocks) AS blocks, sum(errors) AS errors FROM blp_residency WHERE variant = 'barrier' AND blocks_per_sm = 2),
chase AS (
    SELECT blocks_per_sm, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_residency_median
    WHERE variant = 'latency-bound' AND access = 'chase')
SELECT 'cui-c-302' AS id, printf('%d blocks, 2 per multiprocessor: %s', blocks, iif(resident, 'all met', 'not resident')) AS measured,
       'all blocks of the launch meet' AS bound, resident AND errors = 0 AS ok, '' AS reason
FROM two WHERE blocks > 0
UNION ALL
SELECT 'cui-c-303', printf('%.2f', t.mid / o.mid), '2 / 1 block per multiprocessor < 1, following pointers',
       CASE WHEN t.high / o.low < 1 THEN 1 WHEN t.low / o.high >= 1 THEN 0 END, ''
FROM chase AS o, chase AS t WHERE o.blocks_per_sm = 1 AND t.blocks_per_sm = 2;

WITH device AS (SELECT CAST(value AS INTEGER) AS multiprocessors FROM machine WHERE name = 'device0_multiprocessors'),
run AS (SELECT DISTINCT benchmark, blocks FROM blp_datasets_median WHERE variant = 'blp')
SELECT 'cui-c-307' AS id, printf('%d multiprocessors; ', multiprocessors) || group_concat(printf('%s %d', benchmark, blocks), ', ') AS measured,
       'one block per multiprocessor (thesis: 80)' AS bound, min(blocks = multiprocessors OR benchmark = 'gemm') AS ok,
       'gemm may have more: its tiles need them, which is this suite''s choice' AS reason
FROM run, device HAVING count(*) > 1;

-- A traced run: when tasks begin to compute, and when the last data arrives. Tasks that need the last data cannot be earlier.
WITH trace AS (SELECT * FROM blp_timeline WHERE variant = 'blp'),
whole AS (SELECT max(end_s) AS end_s, max(iif(role = 'copy-in', end_s, NULL)) AS arrived_s FROM trace),
task AS (SELECT task, min(ready_s) AS ready_s FROM trace WHERE role = 'compute' GROUP BY task)
SELECT 'cui-c-309' AS id,
       printf('first task after %.3f of the time; %.2f of the tasks begin before all data is there', min(ready_s) / end_s, avg(ready_s < arrived_s)) AS measured,
       '<= 0.05, and >= 0.95 of the tasks' AS bound, min(ready_s) <= 0.05 * end_s AND avg(ready_s < arrived_s) >= 0.95 AS ok,
       'not each of them: the last tasks wait for the last data; fewer where computing takes longer than copying' AS reason
FROM task, whole HAVING count(*) > 0;
