-- Transfers of a block by each way, and `direct`: by CUDA-aware MPI if that was measured, else by the faster of the
-- paths between GPUs, or between the GPU and the server's page-locked memory. bytes is NULL where blocks are counted.
CREATE VIEW rdma_ways AS
SELECT experiment, parameters, iif(rank = 0, variant, 'direct') AS way, variant, mid, low, high,
       CAST(parameter(parameters, 'block_elements') AS INTEGER) AS elements,
       CAST(parameter(parameters, 'bytes') AS INTEGER) AS bytes
FROM (SELECT experiment, parameters, variant, median_s AS mid, low_s AS low, high_s AS high, 0 AS rank
      FROM configurations
      WHERE experiment GLOB 'rdma_*'
      UNION ALL SELECT experiment, parameters, variant, median_s, low_s, high_s,
             row_number() OVER (PARTITION BY experiment, parameters ORDER BY variant <> 'cuda-aware', median_s)
      FROM configurations WHERE experiment GLOB 'rdma_*' AND variant IN ('cuda-aware', 'peer-copy', 'peer-store'))
WHERE rank < 2;

-- Times of two ways, a / b, under the same conditions; variant is what b is.
CREATE VIEW rdma_ratios AS
SELECT experiment, parameters, a.elements AS elements, a.bytes AS bytes, a.way AS a, b.way AS b, b.variant AS variant,
       a.mid / b.mid AS mid, a.low / b.high AS low, a.high / b.low AS high
FROM rdma_ways AS a JOIN rdma_ways AS b USING (experiment, parameters);

-- Whole cycles of GET, work and PUT: what the direct way saves against staged copies, all in all (gain) and in messages
-- alone (messages), in seconds, with the time of the staged cycle.
CREATE VIEW rdma_savings AS
WITH way AS (
    SELECT variant, block_elements AS elements, median(time_s) AS mid, interval_low(time_s) AS low,
           interval_high(time_s) AS high, median(messages_s) AS messages, interval_low(messages_s) AS messages_low,
           interval_high(messages_s) AS messages_high
    FROM rdma_total WHERE status = 'pass' GROUP BY variant, block_elements),
direct AS (
    SELECT *, row_number() OVER (PARTITION BY elements ORDER BY variant <> 'cuda-aware', mid) AS nth
    FROM way WHERE variant IN ('cuda-aware', 'peer-copy', 'peer-store'))
SELECT elements, d.variant AS variant, s.mid AS staged, s.mid - d.mid AS gain, s.low - d.high AS gain_low,
       s.high - d.low AS gain_high, s.messages - d.messages AS messages, s.messages_low
       - d.messages_high AS messages_low,
       s.messages_high - d.messages_low AS messages_high
FROM way AS s JOIN direct AS d USING (elements) WHERE s.variant = 'staged' AND nth = 1;
