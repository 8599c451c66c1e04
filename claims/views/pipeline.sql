-- Quantities of the pipelining experiments that claims and figures share; value, low and high: a ratio of times.

-- Each version of each data set, as fast as it gets; largest: whether this is the benchmark's largest data set.
CREATE VIEW pipeline_fastest AS
SELECT *, size = max(size) OVER (PARTITION BY benchmark) AS largest
FROM (SELECT *, min(time_s) FROM pipeline_versions_median GROUP BY benchmark, size, variant);

-- pair: 'naive / pipeline', both as fast as they get; streams: of the latter; memory: ratio of what they allocated.
CREATE VIEW pipeline_speedups AS
SELECT benchmark, size, f.largest, s.variant || ' / ' || f.variant AS pair, f.streams, s.time_s / f.time_s AS value,
       s.time_low_s / f.time_high_s AS low, s.time_high_s / f.time_low_s AS high,
       1.0 * s.device_bytes / f.device_bytes AS memory
FROM pipeline_fastest AS s JOIN pipeline_fastest AS f USING (benchmark, size);

-- The same for the matrix product, which has other versions; largest: of the sizes that both can run.
CREATE VIEW pipeline_matmul_speedups AS
SELECT size, s.variant || ' / ' || f.variant AS pair,
       size = max(size) OVER (PARTITION BY s.variant, f.variant) AS largest,
       s.time_s / f.time_s AS value, s.time_low_s / f.time_high_s AS low, s.time_high_s / f.time_low_s AS high,
       1.0 * s.device_bytes / f.device_bytes AS memory
FROM pipeline_matmul_median AS s JOIN pipeline_matmul_median AS f USING (size);

-- Device memory of each version with the smallest chunks and two streams, as in the thesis: own is what it allocated,
-- used what the whole program takes, CUDA's context included (where it can be told).
CREATE VIEW pipeline_memory AS
SELECT benchmark, size, size = max(size) OVER (PARTITION BY benchmark) AS largest, variant, device_bytes AS own,
       coalesce(used_bytes, device_bytes) AS used, used_bytes - device_bytes AS context
FROM (SELECT *, row_number() OVER (PARTITION BY benchmark, size, variant
                                   ORDER BY chunk_size, streams < 2, streams) AS nth
      FROM pipeline_versions_median WHERE variant IN ('naive', 'pipeline', 'framework'))
WHERE nth = 1;

-- Times and memory by number of streams: the largest data set, the smallest chunks.
CREATE VIEW pipeline_by_streams AS
SELECT benchmark, variant, streams, time_s AS mid, time_low_s AS low, time_high_s AS high,
       coalesce(used_bytes, device_bytes) AS used
FROM (SELECT *, max(size) OVER w AS largest, min(chunk_size) OVER w AS finest
      FROM pipeline_streams_median WINDOW w AS (PARTITION BY benchmark))
WHERE size = largest AND (variant = 'naive' OR chunk_size = finest);

-- Two versions with their numbers of streams: times (value) and memory, slower / variant.
CREATE VIEW pipeline_stream_ratios AS
SELECT benchmark, s.variant AS slower, s.streams AS slower_streams, f.variant, f.streams, s.mid / f.mid AS value,
       s.low / f.high AS low, s.high / f.low AS high, 1.0 * s.used / f.used AS memory
FROM pipeline_by_streams AS s JOIN pipeline_by_streams AS f USING (benchmark);

-- The least time over streams, and the fewest streams that are within 2 % of it: low may be, high surely is.
CREATE VIEW pipeline_knees AS
SELECT benchmark, variant, b.mid AS best_s, b.low AS best_low_s, b.high AS best_high_s,
       min(streams) FILTER (WHERE s.mid <= 1.02 * b.mid) AS value,
       min(streams) FILTER (WHERE s.low <= 1.02 * b.high) AS low,
       coalesce(min(streams) FILTER (WHERE s.high <= 1.02 * b.low), max(streams)) AS high
FROM pipeline_by_streams AS s
JOIN (SELECT benchmark, variant, min(mid) AS mid, min(low) AS low, min(high) AS high
      FROM pipeline_by_streams WHERE variant <> 'naive' GROUP BY benchmark, variant) AS b USING (benchmark, variant)
GROUP BY benchmark, variant;

-- The version pipeline by number of chunks, with the best number of streams for each: value is the speedup over naive.
-- finest: the most chunks, one per iteration; best: whether this number of chunks is.
CREATE VIEW pipeline_by_chunks AS
SELECT benchmark, p.chunks, n.time_s / p.time_s AS value, n.time_low_s / p.time_high_s AS low,
       n.time_high_s / p.time_low_s AS high, p.time_s AS mid_s, p.time_low_s AS low_s, p.time_high_s AS high_s,
       p.api_calls, n.bandwidth_to_device_gbs / p.bandwidth_to_device_gbs AS rate_lost,
       1.0 * p.bytes_to_device / n.bytes_to_device AS moved_in,
       1.0 * p.bytes_from_device / n.bytes_from_device AS moved_out,
       max(p.chunks) OVER w AS finest, p.time_s = min(p.time_s) OVER w AS best
FROM (SELECT *, max(size) OVER (PARTITION BY benchmark) AS largest FROM pipeline_chunk_count_median) AS n
JOIN (SELECT *, min(time_s) FROM pipeline_chunk_count_median WHERE variant = 'pipeline'
      GROUP BY benchmark, size, chunks) AS p USING (benchmark, size)
WHERE n.variant = 'naive' AND size = n.largest WINDOW w AS (PARTITION BY benchmark);

-- Each version and the automatic choice at its fastest: what link and kernels need at least / its time.
CREATE VIEW pipeline_bounds AS
SELECT benchmark, dataset, size, variant, min(time_s) AS time_s, time_low_s, time_high_s, bound_share AS mid,
       bound_share * time_s / time_high_s AS low, bound_share * time_s / time_low_s AS high
FROM pipeline_auto_median GROUP BY benchmark, size, variant;

-- Loops on several GPUs, as fast as they get, beside one, with the library's way of waiting and its threads.
CREATE VIEW pipeline_gpu_speedups AS
WITH fastest AS (
    SELECT *, min(time_s) FROM pipeline_gpus_median WHERE variant = 'several' AND time_s > 0
    GROUP BY benchmark, size, devices)
SELECT benchmark, dataset, size, m.devices, o.time_s / m.time_s AS mid, o.time_low_s / m.time_high_s AS low,
       o.time_high_s / m.time_low_s AS high
FROM fastest AS m JOIN fastest AS o USING (benchmark, dataset, size) WHERE o.devices = 1;

-- The same at their fastest: what their links, while all are busy, and the kernels need at least / the time.
CREATE VIEW pipeline_gpu_bounds AS
SELECT benchmark, dataset, size, devices, min(time_s) AS time_s, bound_share AS mid,
       bound_share * time_s / time_high_s AS low, bound_share * time_s / time_low_s AS high
FROM pipeline_gpus_median WHERE variant = 'several' AND time_s > 0 GROUP BY benchmark, size, devices;
