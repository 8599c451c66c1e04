-- What the loop of a sweep measures, one row per repetition and quantity: hits (share of the accesses that do not
-- wait), first (wait of the first iteration), later (mean wait of the others), mean (mean wait), in seconds.
CREATE VIEW prefetch_length_values AS
SELECT q.name AS quantity, variant, network, rep, index_length AS length, prefetch_blocks AS blocks,
       CASE q.name WHEN 'hits' THEN hit_ratio WHEN 'first' THEN first_wait_s WHEN 'later' THEN later_wait_s
       ELSE mean_wait_s
       END AS value
FROM prefetch_wait_length,
     (SELECT 'hits' AS name UNION ALL SELECT 'first' UNION ALL SELECT 'later' UNION ALL SELECT 'mean') AS q
WHERE status = 'pass' AND iteration = 0;

-- The same by block size.
CREATE VIEW prefetch_size_values AS
SELECT q.name AS quantity, variant, network, rep, block_elements AS elements,
       CASE q.name WHEN 'first' THEN first_wait_s WHEN 'later' THEN later_wait_s ELSE mean_wait_s END AS value
FROM prefetch_wait_size, (SELECT 'first' AS name UNION ALL SELECT 'later' UNION ALL SELECT 'mean') AS q
WHERE status = 'pass' AND iteration = 0;

-- The same by the number of blocks to prefetch; judged is the longest index range.
CREATE VIEW prefetch_all_block_values AS
SELECT q.name AS quantity, network, rep, index_length AS length, prefetch_blocks AS blocks,
       CASE q.name WHEN 'hits' THEN hit_ratio WHEN 'first' THEN first_wait_s ELSE mean_wait_s END AS value
FROM prefetch_wait_blocks, (SELECT 'hits' AS name UNION ALL SELECT 'first' UNION ALL SELECT 'mean') AS q
WHERE status = 'pass' AND iteration = 0;

CREATE VIEW prefetch_block_values AS
SELECT * FROM prefetch_all_block_values WHERE length = (SELECT max(index_length) FROM prefetch_wait_blocks);

-- Medians with intervals. via says in words what carried the messages.
CREATE VIEW prefetch_lengths AS
SELECT quantity, variant, length, max(blocks) AS blocks, median(value) AS mid, interval_low(value, rep) AS low,
       interval_high(value, rep) AS high, ', network: ' || max(network) AS via
FROM prefetch_length_values GROUP BY quantity, variant, length;

CREATE VIEW prefetch_sizes AS
SELECT quantity, variant, elements, median(value) AS mid, interval_low(value, rep) AS low,
       interval_high(value, rep) AS high,
       ', network: ' || max(network) AS via
FROM prefetch_size_values GROUP BY quantity, variant, elements;

CREATE VIEW prefetch_all_blocks AS
SELECT quantity, blocks, length, median(value) AS mid, interval_low(value, rep) AS low,
       interval_high(value, rep) AS high,
       ', network: ' || max(network) AS via
FROM prefetch_all_block_values GROUP BY quantity, length, blocks;

CREATE VIEW prefetch_blocks AS
SELECT * FROM prefetch_all_blocks WHERE length = (SELECT max(index_length) FROM prefetch_wait_blocks);

-- With prefetching / without.
CREATE VIEW prefetch_length_ratios AS
SELECT quantity, length, p.mid / w.mid AS mid, p.low / w.high AS low, p.high / w.low AS high, p.via AS via
FROM prefetch_lengths AS p JOIN prefetch_lengths AS w USING (quantity, length)
WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch';

CREATE VIEW prefetch_size_ratios AS
SELECT quantity, elements, p.mid / w.mid AS mid, p.low / w.high AS low, p.high / w.low AS high, p.via AS via
FROM prefetch_sizes AS p JOIN prefetch_sizes AS w USING (quantity, elements)
WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch';

-- Slopes over the block size in each repetition, in seconds per element: with prefetching (p) and without (w).
CREATE VIEW prefetch_slopes AS
SELECT rep, max(network) AS network, line_slope(elements, value) FILTER (WHERE quantity = 'first'
       AND variant = 'prefetch') AS first_p,
       line_slope(elements, value) FILTER (WHERE quantity = 'first' AND variant = 'no-prefetch') AS first_w,
       line_slope(elements, value) FILTER (WHERE quantity = 'later' AND variant = 'prefetch') AS later_p,
       line_slope(elements, value) FILTER (WHERE quantity = 'later' AND variant = 'no-prefetch') AS later_w,
       line_slope(elements, value) FILTER (WHERE quantity = 'mean' AND variant = 'prefetch') AS mean_p,
       line_slope(elements, value) FILTER (WHERE quantity = 'mean' AND variant = 'no-prefetch') AS mean_w
FROM prefetch_size_values GROUP BY rep;

-- From this number of blocks on, the hit ratio stays as it is, but for two points in a hundred.
CREATE VIEW prefetch_critical AS
SELECT min(blocks) AS blocks FROM prefetch_blocks AS b
WHERE quantity = 'hits' AND NOT EXISTS (
    SELECT 1 FROM prefetch_blocks AS l WHERE l.quantity = 'hits' AND l.blocks > b.blocks AND abs(l.mid - b.mid) > 0.02);

-- Run times of the programs, which stand in for others, by the number of servers: with prefetching (p) and without (w).
-- Shares of the run without: barrier_share of the wait that is at barriers, block_share of the time that waits for
-- blocks.
CREATE VIEW prefetch_programs AS
SELECT program, servers, p.time_s AS p, p.time_low_s AS p_low, p.time_high_s AS p_high, w.time_s AS w,
       w.time_low_s AS w_low,
       w.time_high_s AS w_high, w.barrier_wait_s / w.wait_s AS barrier_share,
       w.block_wait_s / w.runtime_s AS block_share,
       min(servers) OVER () AS few, max(servers) OVER () AS many, ', network: ' || network AS via
FROM prefetch_servers_median AS p JOIN prefetch_servers_median AS w USING (program, servers, network)
WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch';

-- Block operations on the GPU, with copies (gpu-transfers) or without (gpu), against the host: how many times longer.
CREATE VIEW prefetch_devices AS
SELECT operation, segment, g.variant AS variant, h.time_s - g.time_s AS gap, g.time_s / h.time_s AS mid,
       g.time_low_s / h.time_high_s AS low, g.time_high_s / h.time_low_s AS high, min(segment) OVER () AS least,
       max(segment) OVER () AS most
FROM prefetch_device_median AS h JOIN prefetch_device_median AS g USING (operation, segment)
WHERE h.variant = 'host' AND g.variant <> 'host';
