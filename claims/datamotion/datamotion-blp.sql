-- Block-level pipelining as it is against the best of all settings of async that were measured, with about 1 GiB of data each.
WITH run AS (
    SELECT benchmark AS name, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_datasets_median WHERE dataset = 'gib'),
best AS (SELECT name, min(mid) AS mid, low, high FROM run WHERE variant = 'async' GROUP BY name),
ratio AS (SELECT name, v.mid / b.mid AS mid, v.low / b.high AS low, v.high / b.low AS high FROM run AS v JOIN best AS b USING (name) WHERE v.variant = 'blp'),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-025' AS id, iif(count(name), group_concat(printf('%s %.2f', name, mid), ', '), 'not measured with 1 GiB') AS measured, '<= 1.12 for each' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN max(high) <= 1.12 THEN 1 WHEN max(low) > 1.12 THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes with 1 GiB of data; this is the software GPU') AS reason
FROM gpu LEFT JOIN ratio WHERE EXISTS (SELECT 1 FROM blp_datasets_median) HAVING count(name) = 5 OR NOT real;

-- Copy blocks against the copy engines, one direction at a time.
WITH rate AS (
    SELECT variant, direction, blocks, 1 / time_s AS mid, 1 / time_high_s AS low, 1 / time_low_s AS high FROM blp_bandwidth_threads_median
    WHERE direction <> 'both' AND (variant = 'memcpy' OR blocks <= 8)),
peak AS (SELECT variant, direction, max(mid) AS mid, low, high, blocks FROM rate GROUP BY variant, direction),
ratio AS (
    SELECT direction, d.blocks, d.mid / e.mid AS mid, d.low / e.high AS low, d.high / e.low AS high
    FROM peak AS d JOIN peak AS e USING (direction) WHERE d.variant = 'direct' AND e.variant = 'memcpy'),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-026' AS id, group_concat(printf('%s %.2f with %d blocks', direction, mid, blocks), ', ') AS measured, '>= 0.92 in and out' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN min(low) >= 0.92 THEN 1 WHEN min(high) < 0.92 THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM ratio, gpu HAVING count(*) = 2;

-- Rings in a quarter of the memory.
WITH run AS (SELECT benchmark, variant, budget_bytes, footprint_bytes, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_oversubscribed_median),
ratio AS (
    SELECT benchmark, b.mid / v.mid AS mid, b.low / v.high AS low, b.high / v.low AS high
    FROM run AS b JOIN run AS v USING (benchmark)
    WHERE b.variant = 'blp-buffer' AND abs(1.0 * b.budget_bytes / b.footprint_bytes - 0.25) < 0.01 AND v.variant = 'blp' ORDER BY benchmark),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-027' AS id, group_concat(printf('%s %.2f', benchmark, mid), ', ') AS measured, '<= 1.1 for each' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN max(high) <= 1.1 THEN 1 WHEN max(low) > 1.1 THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM ratio, gpu HAVING count(*) = 2;

-- The host's CPU time with the fewest and with the most tasks.
WITH run AS (
    SELECT benchmark, chunks, median(host_cpu_s) AS mid, interval_low(host_cpu_s) AS low, interval_high(host_cpu_s) AS high
    FROM blp_host WHERE variant = 'blp' AND status = 'pass' GROUP BY benchmark, chunks),
few AS (SELECT benchmark, min(chunks) AS chunks, mid, low, high FROM run GROUP BY benchmark),
many AS (SELECT benchmark, max(chunks) AS chunks, mid, low, high FROM run GROUP BY benchmark),
pair AS (
    SELECT benchmark, f.chunks AS few, m.chunks AS many, m.mid / f.mid AS ratio,
           m.mid / f.mid <= 1.25 OR max(m.high, f.high) < 1e-3 AS good, m.low / f.high > 1.25 AND max(m.low, f.low) >= 1e-3 AS bad
    FROM few AS f JOIN many AS m USING (benchmark) WHERE m.chunks > f.chunks)
SELECT 'datamotion-c-028' AS id, group_concat(printf('%s %.2f (%d / %d tasks)', benchmark, ratio, many, few), ', ') AS measured,
       '<= 1.25, or both below 1 ms' AS bound, CASE WHEN max(bad) THEN 0 WHEN min(good) THEN 1 END AS ok, '' AS reason
FROM pair HAVING count(*) > 0;
