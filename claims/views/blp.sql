-- Block-level pipelining.

-- What a loop takes, per setting of each version.
CREATE VIEW blp_run AS
SELECT experiment, parameter(parameters, 'benchmark') AS benchmark, parameter(parameters, 'dataset') AS dataset,
       CAST(parameter(parameters, 'size') AS INTEGER) AS size, variant,
       CAST(parameter(parameters, 'streams') AS INTEGER) AS streams,
       CAST(parameter(parameters, 'chunks') AS INTEGER) AS chunks, parameter(parameters, 'link') AS link,
       median_s AS mid, low_s AS low, high_s AS high
FROM configurations
WHERE median_s > 0 AND experiment IN ('blp_conv2d', 'blp_conv3d', 'blp_gemm', 'blp_fdtd2d', 'blp_atax', 'blp_datasets',
                                      'blp_dynamic');

-- The fastest setting of each version; place: of the data set among those of the loop, from the smallest on.
CREATE VIEW blp_fastest AS
SELECT experiment, benchmark, dataset, size, variant, streams, chunks, min(mid) AS mid, low, high,
       dense_rank() OVER (PARTITION BY experiment, benchmark ORDER BY size) AS place
FROM blp_run GROUP BY experiment, benchmark, size, variant;

-- How many times as fast one version is as another one, each with its fastest setting.
CREATE VIEW blp_gain AS
SELECT experiment, benchmark, f.dataset, size, f.place, s.variant AS slower, f.variant AS faster,
       s.mid / f.mid AS value, s.low / f.high AS low, s.high / f.low AS high,
       printf('times as fast as %s: %s, %s (%s)', s.variant, f.variant, benchmark, f.dataset) AS words
FROM blp_fastest AS s JOIN blp_fastest AS f USING (experiment, benchmark, size);

-- Every setting of async: how many times as fast as sync, and beside blp.
CREATE VIEW blp_cell AS
SELECT experiment, benchmark, size, a.streams, a.chunks, s.mid / a.mid AS value, s.low / a.high AS low,
       s.high / a.low AS high, b.mid / a.mid AS beside, b.low / a.high AS beside_low, b.high / a.low AS beside_high
FROM blp_run AS a JOIN blp_fastest AS s USING (experiment, benchmark, size)
JOIN blp_fastest AS b USING (experiment, benchmark, size)
WHERE a.variant = 'async' AND s.variant = 'sync' AND b.variant = 'blp';

-- Hybrid executions, each version with its fastest setting: how many times as long as another one takes.
CREATE VIEW blp_hybrid_ratio AS
WITH fastest AS (
    SELECT experiment, parameter(parameters, 'benchmark') AS benchmark, parameter(parameters, 'dataset') AS dataset,
           CAST(parameter(parameters, 'size') AS INTEGER) AS size, variant, min(median_s) AS mid, low_s AS low,
           high_s AS high
    FROM configurations WHERE median_s > 0 AND experiment IN ('blp_hybrid', 'blp_hybrid_chunks', 'blp_hybrid_large')
    GROUP BY experiment, benchmark, dataset, variant)
SELECT experiment, benchmark, dataset, size, v.variant, o.variant AS beside, v.mid / o.mid AS mid, v.low / o.high AS low,
       v.high / o.low AS high
FROM fastest AS v JOIN fastest AS o USING (experiment, benchmark, dataset, size);

-- Claims of one node that a twin makes of the other, with the same bound, are judged once: for the link of this
-- machine. The others, with the reason.
CREATE VIEW blp_twin AS
WITH pair(nvlink, pcie) AS (
    VALUES ('cui-c-147', 'cui-c-156'), ('cui-c-170', 'cui-c-173'), ('cui-c-171', 'cui-c-174'),
           ('cui-c-172', 'cui-c-175'), ('cui-c-179', 'cui-c-181'), ('cui-c-193', 'cui-c-194'),
           ('cui-c-196', 'cui-c-197'), ('cui-c-199', 'cui-c-198')),
node AS (SELECT max(link LIKE 'NVLink%') AS is_nvlink FROM blp_run)
SELECT iif(is_nvlink, pcie, nvlink) AS id,
       printf('the same rows and bound as %s, which is judged, as this GPU is %sbehind NVLink',
              iif(is_nvlink, nvlink, pcie), iif(is_nvlink, '', 'not ')) AS reason
FROM pair, node;

-- Bandwidth of copies, in GB/s.
CREATE VIEW blp_rate AS
SELECT *, 1e-9 * bytes / median_s AS mid, 1e-9 * bytes / high_s AS low, 1e-9 * bytes / low_s AS high
FROM (SELECT experiment, variant, parameter(parameters, 'direction') AS direction, median_s, low_s, high_s,
             CAST(parameter(parameters, 'bytes') AS REAL) AS bytes,
             CAST(parameter(parameters, 'chunks') AS INTEGER) AS chunks,
             CAST(parameter(parameters, 'blocks') AS INTEGER) AS blocks,
             CAST(parameter(parameters, 'threads') AS INTEGER) AS threads,
             CAST(parameter(parameters, 'vector_bits') AS INTEGER) AS bits
      FROM configurations
      WHERE experiment IN ('blp_bandwidth_threads', 'blp_bandwidth_chunks', 'blp_bandwidth_tiles',
                           'blp_bandwidth_arrays'));

-- Both directions at once, by blocks in and blocks out: the rate of each split beside the fastest one, and beside the
-- one of twice as many blocks each way.
CREATE VIEW blp_split AS
WITH split AS (
    SELECT CAST(parameter(parameters, 'blocks') AS INTEGER) AS blocks_in,
           CAST(coalesce(parameter(parameters, 'out_blocks'), parameter(parameters, 'blocks')) AS INTEGER) AS blocks_out,
           1 / median_s AS mid, 1 / high_s AS low, 1 / low_s AS high
    FROM configurations WHERE experiment = 'blp_bandwidth_splits' AND variant = 'direct'),
peak AS (SELECT max(mid) AS mid, low, high FROM split)
SELECT s.blocks_in, s.blocks_out, s.mid / p.mid AS mid, s.low / p.high AS low, s.high / p.low AS high,
       d.mid / s.mid AS twice, d.low / s.high AS twice_low, d.high / s.low AS twice_high
FROM split AS s, peak AS p
LEFT JOIN split AS d ON d.blocks_in = 2 * s.blocks_in AND d.blocks_out = 2 * s.blocks_out;

-- The fewest blocks, in and out together, that reach 95 % of the fastest split. Low are the fewest that may, high the
-- fewest that surely do.
CREATE VIEW blp_split_knee AS
SELECT s.*, blocks_in + blocks_out AS blocks, blocks_low, blocks_high
FROM blp_split AS s, (SELECT min(blocks_in + blocks_out) FILTER (WHERE high >= 0.95) AS blocks_low,
                             min(blocks_in + blocks_out) FILTER (WHERE low >= 0.95 OR mid = 1) AS blocks_high
                      FROM blp_split)
WHERE mid >= 0.95 ORDER BY blocks, mid DESC LIMIT 1;

-- The peak of a curve over blocks, and its knee: the fewest threads and blocks that reach 95 % of the peak. Low are the
-- fewest that may, high the fewest that surely do.
CREATE VIEW blp_knee AS
SELECT experiment, variant, direction, bits, peak, peak_low, peak_high, max(threads) AS most_threads,
       max(blocks) AS most_blocks, min(threads) FILTER (WHERE mid >= 0.95 * peak) AS threads,
       min(threads) FILTER (WHERE high >= 0.95 * peak_low) AS threads_low,
       min(threads) FILTER (WHERE low >= 0.95 * peak_high OR mid = peak) AS threads_high,
       min(blocks) FILTER (WHERE mid >= 0.95 * peak) AS blocks,
       min(blocks) FILTER (WHERE high >= 0.95 * peak_low) AS blocks_low,
       min(blocks) FILTER (WHERE low >= 0.95 * peak_high OR mid = peak) AS blocks_high
FROM (SELECT *, first_value(mid) OVER falling AS peak, first_value(low) OVER falling AS peak_low,
             first_value(high) OVER falling AS peak_high
      FROM blp_rate WINDOW falling AS (PARTITION BY experiment, variant, direction, bits ORDER BY mid DESC))
GROUP BY experiment, variant, direction, bits;

-- Data larger than the memory that may be used. As in the thesis, rings have about 14 % of the data's size for the 2D
-- convolution and 25 % for ATAX. Managed memory has no budget on a real GPU, whose memory is not filled up.
-- own_bytes: what rings allocate, or the most in use, less CUDA's context (what sync uses beyond its arrays).
CREATE VIEW blp_beyond AS
SELECT benchmark, variant, budget_bytes, footprint_bytes, time_s AS mid, time_low_s AS low, time_high_s AS high,
       iif(variant = 'blp-buffer', device_bytes, used_bytes - context) AS own_bytes
FROM blp_oversubscribed_median, (SELECT coalesce(min(used_bytes - device_bytes), 0) AS context
                                 FROM blp_oversubscribed_median WHERE variant = 'sync')
WHERE variant <> 'blp-buffer'
      OR abs(1.0 * budget_bytes / footprint_bytes - iif(benchmark = 'atax', 0.25, 0.14)) < 0.05;

-- Per loop, threads and blocks of blp the fewest copy blocks that take at most 1 / 0.95 of the least time.
CREATE VIEW blp_copy_knee AS
SELECT benchmark, threads, blocks_per_sm, min(copy_in_blocks) AS copy_blocks, time_s AS mid, time_low_s AS low,
       time_high_s AS high, best
FROM (SELECT *, min(time_s) OVER (PARTITION BY benchmark, threads, blocks_per_sm) AS best
      FROM blp_blocks_median WHERE variant = 'blp' AND time_s > 0)
WHERE time_s <= best / 0.95 GROUP BY benchmark, threads, blocks_per_sm;
