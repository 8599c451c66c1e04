-- The second form of the directive, with direction and number of copy blocks: what the parser takes.
WITH texts AS (
    SELECT DISTINCT variant, directive, accepted, expected FROM pipeline_directive
    WHERE form = 2 AND variant <> 'listing'),
allowed(pattern) AS (
    VALUES ('*pipeline([a-z])*'), ('*pipeline([a-z],to)*'), ('*pipeline([a-z],to,4)*'), ('*pipeline([a-z],from,4)*'),
           ('*pipeline([a-z],tofrom,4)*'))
SELECT 'cui-c-312' AS id, sum(accepted <> expected)
           + (SELECT count(*) FROM allowed WHERE NOT EXISTS (
                  SELECT 1 FROM texts WHERE variant = 'accept' AND accepted = 1 AND directive GLOB pattern)) AS value,
       NULL AS low, NULL AS high, printf('of %d directives parsed otherwise than expected', count(*)) AS words
FROM texts HAVING count(*) > 0;

-- The listing of a 2D convolution, traced: whether every task and every copy of a result waited for what it needs. A
-- row's data are the rows before, at and behind it; the trace says when the wait ended and when the work did.
WITH trace AS (
    SELECT role, block, first, "end", ready_s, end_s, role = 'compute' AS around,
           CASE role WHEN 'compute' THEN 'copy-in' WHEN 'copy-out' THEN 'compute' END AS source
    FROM blp_timeline WHERE variant = 'blp' AND benchmark = 'conv2d'),
done AS (SELECT role, first, "end", max(end_s) AS at FROM trace GROUP BY role, first, "end"),
early AS (
    SELECT total(EXISTS (SELECT 1 FROM done AS d WHERE d.role = t.source AND d.first < t."end" + around
                         AND d."end" > t.first - around AND d.at > t.ready_s)) AS works,
           total(role = 'compute') AS tasks, count(DISTINCT iif(role = 'copy-in', block, NULL)) = 4
               AND count(DISTINCT iif(role = 'copy-out', block, NULL)) = 4 AS has_four
    FROM trace AS t)
SELECT 'cui-c-313' AS id, iif(works OR has_four, works, NULL) AS value, NULL AS low, NULL AS high,
       iif(works OR has_four, printf('of %d tasks and their copies out too early', tasks),
           'the trace was not taken with four copy blocks per direction') AS words
FROM early WHERE tasks > 0;

-- When tasks begin to compute, and when the last data arrives. Tasks that need the last data cannot be earlier.
WITH trace AS (SELECT * FROM blp_timeline WHERE variant = 'blp'),
whole AS (SELECT max(end_s) AS end_s, max(iif(role = 'copy-in', end_s, NULL)) AS arrived_s FROM trace),
task AS (SELECT task, min(ready_s) AS ready_s FROM trace WHERE role = 'compute' GROUP BY task)
SELECT 'cui-c-309/first' AS id, min(ready_s) / end_s AS value, NULL AS low, NULL AS high,
       'of the time until the first task computes' AS words
FROM task, whole HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-309/early', avg(ready_s < arrived_s), NULL, NULL, 'of the tasks begin before all data is there'
FROM task, whole HAVING count(*) > 0;

-- What the host does, and how blocks are shared out when nobody says. Of gemm the tiles need more blocks, which is this
-- suite's choice.
SELECT 'cui-c-145/launches' AS id, launches AS value, NULL AS low, NULL AS high, 'in ' || benchmark AS words
FROM blp_datasets_median WHERE variant = 'blp'
UNION ALL
SELECT 'cui-c-145/copies', copies, NULL, NULL, 'by the host, ' || benchmark
FROM blp_datasets_median WHERE variant = 'blp'
UNION ALL
SELECT 'cui-c-307', 1.0 * blocks / machine.value, NULL, NULL, 'blocks per multiprocessor, ' || benchmark
FROM blp_datasets_median, machine
WHERE variant = 'blp' AND benchmark <> 'gemm' AND name = 'device0_multiprocessors';

WITH blp AS (
    SELECT copy_in_blocks, copy_out_blocks, link, CAST(value AS INTEGER) AS multiprocessors
    FROM blp_conv2d_median, machine WHERE variant = 'blp' AND name = 'device0_multiprocessors')
SELECT 'cui-c-146' AS id, iif(multiprocessors < 10, NULL, 1.0 * max(copy_in_blocks, copy_out_blocks) / multiprocessors)
           AS value, NULL AS low, NULL AS high,
       iif(multiprocessors < 10, 'one copy block is too large a share of so few multiprocessors',
           printf('of the multiprocessors: %d blocks copy in, %d out', copy_in_blocks, copy_out_blocks)) AS words
FROM blp
UNION ALL
SELECT 'cui-c-213', copy_in_blocks, NULL, NULL, 'copy blocks in, link: ' || link FROM blp;

-- Blocks per multiprocessor, and threads of a block, around the fastest setting of each loop.
WITH run AS (
    SELECT benchmark, variant, blocks_per_sm, threads, copy_in_blocks, time_s AS mid, time_low_s AS low,
           time_high_s AS high
    FROM blp_blocks_median WHERE time_s > 0),
doubled AS (
    SELECT benchmark, min(o.mid) AS mid, t.mid / o.mid AS ratio, t.low / o.high AS low, t.high / o.low AS high
    FROM run AS o JOIN run AS t USING (benchmark, variant, threads, copy_in_blocks)
    WHERE variant = 'blp' AND o.blocks_per_sm = 1 AND t.blocks_per_sm = 2 GROUP BY benchmark),
best AS (
    SELECT benchmark, variant, min(mid) AS mid, low, high, blocks_per_sm, copy_in_blocks
    FROM run GROUP BY benchmark, variant),
spread AS (
    SELECT variant, max(r.mid) / b.mid AS mid, r.low / b.high AS low, r.high / b.low AS high
    FROM best AS b JOIN run AS r USING (benchmark, variant)
    WHERE r.blocks_per_sm IS b.blocks_per_sm AND r.copy_in_blocks IS b.copy_in_blocks GROUP BY benchmark, variant)
SELECT 'cui-c-211' AS id, avg(ratio) AS value, avg(low) AS low, avg(high) AS high,
       printf('times as long with two blocks per multiprocessor as with one, mean of %d loops', count(*)) AS words
FROM doubled HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-301/' || variant, median(mid), median(low), median(high),
       printf('times as long with the worst block size, median of %d loops', count(*))
FROM spread GROUP BY variant;

-- More copy blocks than ATAX needs, with the same blocks and threads: four times as many as at the knee. Of the
-- settings measured so, those of the fastest run.
WITH pair AS (
    SELECT k.copy_blocks AS few, m.copy_in_blocks AS many, m.time_s / k.mid AS mid, m.time_low_s / k.high AS low,
           m.time_high_s / k.low AS high
    FROM blp_copy_knee AS k JOIN blp_blocks_median AS m USING (benchmark, threads, blocks_per_sm)
    WHERE benchmark = 'atax' AND m.variant = 'blp' AND m.time_s > 0 AND m.copy_in_blocks >= 4 * k.copy_blocks
    ORDER BY k.best, m.copy_in_blocks LIMIT 1)
SELECT 'cui-c-209' AS id, mid AS value, low, high,
       iif(mid > 0, printf('times as long with %d copy blocks as with the %d of the knee, ATAX', many, few),
           'four times as many copy blocks as at the knee were not measured') AS words
FROM (SELECT 1 FROM blp_copy_knee WHERE benchmark = 'atax' LIMIT 1) LEFT JOIN pair;

-- The host's part: CPU time of the calling thread, and what a loop on the same core gets done meanwhile, one
-- measurement per setting, good to 0.02. The software GPU computes on the host's cores: only the CPU time counts.
WITH run AS (
    SELECT benchmark, variant, median(time_s) AS time_s, median(host_cpu_s) AS mid, interval_low(host_cpu_s) AS low,
           interval_high(host_cpu_s) AS high, max(1 - max(free_share), 1e-9) AS busy
    FROM blp_host WHERE status = 'pass' AND variant IN ('async', 'blp')
    GROUP BY benchmark, variant, streams, chunks, task_size),
fastest AS (
    SELECT benchmark, variant, min(time_s) AS time_s, mid, low, high, busy FROM run GROUP BY benchmark, variant),
pair AS (
    SELECT benchmark, b.mid / a.mid AS mid, b.low / a.high AS low, b.high / a.low AS high, b.busy / a.busy AS busy,
           (b.busy - 0.02) / a.busy AS busy_low
    FROM fastest AS a JOIN fastest AS b USING (benchmark) WHERE a.variant = 'async' AND b.variant = 'blp')
SELECT 'cui-c-299' AS id, mid AS value, low, high, 'times the CPU time of async, ' || benchmark AS words FROM pair
UNION ALL
SELECT 'cui-c-299', busy, busy_low, busy, 'times the share of a core that async takes from another loop, ' || benchmark
FROM pair WHERE EXISTS (SELECT 1 FROM machine WHERE name = 'device0_kind' AND value = 'cuda');

-- More blocks than multiprocessors at once.
SELECT 'cui-c-302' AS id, sum(NOT resident OR errors) AS value, NULL AS low, NULL AS high,
       printf('launches of %d blocks, two per multiprocessor, did not all meet', max(blocks)) AS words
FROM blp_residency WHERE variant = 'barrier' AND blocks_per_sm = 2 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-303', t.time_s / o.time_s, t.time_low_s / o.time_high_s, t.time_high_s / o.time_low_s,
       'times as long with two blocks per multiprocessor as with one, following pointers'
FROM blp_residency_median AS o JOIN blp_residency_median AS t USING (variant, access)
WHERE variant = 'latency-bound' AND access = 'chase' AND o.blocks_per_sm = 1 AND t.blocks_per_sm = 2;

-- Rates of flag operations: add, and, or against exchange, compare-and-swap, increment; of latencies the reciprocal.
WITH rate AS (
    SELECT variant, writers, operation, operation IN ('add', 'and', 'or') AS good, speed AS mid,
           speed * time_s / time_high_s AS low, speed * time_s / time_low_s AS high
    FROM (SELECT *, coalesce(operations_per_s, 1 / latency_s) AS speed FROM blp_flags_median
          WHERE variant IN ('throughput', 'latency')
                AND operation IN ('add', 'and', 'or', 'exchange', 'cas', 'inc')))
SELECT 'cui-c-142' AS id, g.mid / o.mid AS value, g.low / o.high AS low, g.high / o.low AS high,
       printf('times the rate of %s: %s, %s, writers: %d', o.operation, g.operation, variant, writers) AS words
FROM rate AS g JOIN rate AS o USING (variant, writers) WHERE g.good AND NOT o.good;

-- Of races and stale reads that were not seen, too few trials say nothing: one more is possible.
WITH lost AS (
    SELECT total(iif(operation = 'volatile', 0, lost_updates)) AS atomics,
           max(iif(operation = 'volatile', lost_updates, 0)) AS plain, writers
    FROM blp_flags WHERE variant = 'lost-updates' GROUP BY writers ORDER BY writers DESC LIMIT 1)
SELECT 'cui-c-143/atomics' AS id, atomics AS value, NULL AS low, NULL AS high,
       printf('updates lost, %d writers', writers) AS words
FROM lost
UNION ALL
SELECT 'cui-c-143/volatile', plain, plain, max(plain, 1), printf('updates lost at worst, %d writers', writers)
FROM lost;

WITH pair AS (
    SELECT sum(handoffs) AS handoffs, total(stale_reads) AS stale
    FROM blp_flags WHERE variant = 'handoff' GROUP BY role, operation)
SELECT 'cui-c-144' AS id, sum(stale) AS value, sum(stale) AS low,
       sum(stale) + (min(handoffs) < 1e6 OR count(*) <> 15) AS high,
       printf('stale words in %d hand-offs with each of %d pairs of operations', min(handoffs), count(*)) AS words
FROM pair HAVING count(*) > 0;
