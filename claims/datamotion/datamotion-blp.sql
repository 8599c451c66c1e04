-- Block-level pipelining as it is beside the best of all settings of async, with about 1 GiB of data each.
WITH gain AS (SELECT * FROM blp_gain WHERE experiment = 'blp_datasets' AND slower = 'blp' AND faster = 'async')
SELECT 'datamotion-c-025/' || benchmark AS id, value, low, high, 'times as long as the best async' AS words
FROM gain WHERE dataset = 'gib'
UNION ALL
SELECT 'datamotion-c-025', NULL, NULL, NULL, 'no data sets of 1 GiB were measured'
FROM gain GROUP BY experiment HAVING NOT max(dataset = 'gib');

-- Copy blocks against the copy engines, one direction at a time.
WITH peak AS (
    SELECT variant, direction, max(mid) AS mid, low, high, blocks FROM blp_rate
    WHERE experiment = 'blp_bandwidth_threads' AND direction <> 'both' AND (variant = 'memcpy' OR blocks <= 8)
    GROUP BY variant, direction)
SELECT 'datamotion-c-026/' || direction AS id, d.mid / e.mid AS value, d.low / e.high AS low, d.high / e.low AS high,
       printf('of the copy engine, %d blocks', d.blocks) AS words
FROM peak AS d JOIN peak AS e USING (direction) WHERE d.variant = 'direct' AND e.variant = 'memcpy';

-- Rings in a quarter of the memory.
SELECT 'datamotion-c-027/' || benchmark AS id, b.time_s / v.time_s AS value, b.time_low_s / v.time_high_s AS low,
       b.time_high_s / v.time_low_s AS high, 'times as long as with whole arrays' AS words
FROM blp_oversubscribed_median AS b JOIN blp_oversubscribed_median AS v USING (benchmark)
WHERE b.variant = 'blp-buffer' AND abs(1.0 * b.budget_bytes / b.footprint_bytes - 0.25) < 0.01 AND v.variant = 'blp';

-- The host's CPU time with the most tasks beside that with the fewest, by medians; surely more where the intervals say
-- so. Below 1 ms it counts as equal.
WITH run AS (
    SELECT benchmark, chunks, median(host_cpu_s) AS mid, interval_low(host_cpu_s) AS low,
           interval_high(host_cpu_s) AS high, min(chunks) OVER loop AS least, max(chunks) OVER loop AS most
    FROM blp_host WHERE variant = 'blp' AND status = 'pass' GROUP BY benchmark, chunks
    WINDOW loop AS (PARTITION BY benchmark)),
pair AS (
    SELECT benchmark, f.chunks AS few, m.chunks AS many, m.mid / f.mid AS mid, m.low / f.high AS low,
           max(m.high, f.high) < 1e-3 AS equal
    FROM run AS f JOIN run AS m USING (benchmark)
    WHERE f.chunks = f.least AND m.chunks = m.most AND m.chunks > f.chunks)
SELECT 'datamotion-c-028' AS id, iif(equal, 1, mid) AS value, iif(equal, 1, low) AS low, iif(equal, 1, mid) AS high,
       printf('times as long with %d tasks as with %d, %s%s', many, few, benchmark, iif(equal, ', below 1 ms', ''))
           AS words
FROM pair;

-- Who copies is chosen by measured rates of copies and computing: beside the best of all settings of async, and beside
-- blocks alone; with about 1 GiB of data, and with about 4.
WITH aim(experiment, beside, claim) AS (
    VALUES ('blp_hybrid', 'async', 'datamotion-c-066'), ('blp_hybrid', 'blp', 'datamotion-c-067'),
           ('blp_hybrid_chunks', 'async', 'datamotion-c-068'), ('blp_hybrid_large', 'async', 'datamotion-c-085'),
           ('blp_hybrid_large', 'blp', 'datamotion-c-086')),
ratio AS (
    SELECT *, iif(experiment = 'blp_hybrid_large', dataset IN ('medium', '16384'), dataset = 'gib') AS full
    FROM blp_hybrid_ratio JOIN aim USING (experiment, beside) WHERE variant = 'blp-hybrid')
SELECT claim || '/' || benchmark AS id, mid AS value, low, high,
       'times as long as ' || iif(beside = 'async', 'the best async', 'blp') AS words
FROM ratio WHERE full
UNION ALL
SELECT claim, NULL, NULL, NULL,
       printf('no data sets of %d GiB were measured', iif(experiment = 'blp_hybrid_large', 4, 1))
FROM ratio GROUP BY claim HAVING NOT max(full);
