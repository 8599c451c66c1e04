-- A block of 1 MiB out of the window, within a node.
WITH ways AS (
    SELECT variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM prefetch_transport_median
    WHERE size_bytes = 1048576 AND compute_ratio = 0 AND network = 'shared memory')
SELECT iif(o.variant = 'recv', 'datamotion-c-007', 'datamotion-c-008') AS id, w.mid / o.mid AS value,
       w.low / o.high AS low, w.high / o.low AS high, printf('times the %.1f us of %s', 1e6 * o.mid, o.variant) AS words
FROM ways AS w, ways AS o WHERE w.variant = 'window' AND o.variant IN ('recv', 'memcpy');

SELECT 'datamotion-c-009' AS id, median(instruction_ns) AS value, interval_low(instruction_ns) AS low,
       interval_high(instruction_ns) AS high, 'ns, ' || kind AS words
FROM prefetch_interpreter WHERE status = 'pass' GROUP BY kind;

-- Per index length the best number of blocks to prefetch, against the wait without in the same experiment.
WITH wait AS (
    SELECT 'length' AS experiment, variant, network, index_length AS length, time_s AS mid, time_low_s AS low,
           time_high_s AS high
    FROM prefetch_wait_length_median WHERE iteration = 0 AND index_length >= 9
    UNION ALL
    SELECT 'blocks', variant, network, index_length, time_s, time_low_s, time_high_s
    FROM prefetch_wait_blocks_median WHERE iteration = 0 AND index_length >= 9)
SELECT 'datamotion-c-010' AS id, iif(min(w.network LIKE 'cluster%'), max(w.mid / p.mid), NULL) AS value,
       max(w.low / p.high) AS low, max(w.high / p.low) AS high,
       iif(min(w.network LIKE 'cluster%'),
           printf('times shorter with length %d, numbers of blocks: %d, %s', length, count(*), w.network),
           'a target for the virtual cluster; this network is ' || w.network) AS words
FROM wait AS p JOIN wait AS w USING (experiment, length)
WHERE p.variant = 'prefetch' AND w.variant = 'no-prefetch' GROUP BY length;
