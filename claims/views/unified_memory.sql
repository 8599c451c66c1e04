-- Quantities of the experiments with managed memory that claims and figures share. `pair` is 'um / framework', and value
-- the ratio of their times; beyond: data larger than the device memory; real: not so, or that memory was filled up to be so
-- small; words: the pair and where, or that it is not real.

CREATE VIEW unified_memory_rounds_ratios AS
SELECT s.variant || ' / ' || f.variant AS pair, rounds, s.time_s / f.time_s AS value,
       s.time_low_s / f.time_high_s AS low, s.time_high_s / f.time_low_s AS high
FROM unified_memory_rounds_median AS s JOIN unified_memory_rounds_median AS f USING (rounds);

CREATE VIEW unified_memory_ladder_ratios AS
SELECT s.variant || ' / ' || f.variant AS pair, share_of_capacity AS share, s.footprint_bytes > s.capacity_bytes AS beyond,
       s.footprint_bytes <= s.capacity_bytes OR s.oversubscribed AS real,
       iif(s.footprint_bytes <= s.capacity_bytes OR s.oversubscribed,
           printf('%s / %s, %s of the device memory', s.variant, f.variant, share_of_capacity),
           'the device was not filled up (--oversubscribe): nothing was evicted') AS words,
       s.time_s / f.time_s AS value, s.time_low_s / f.time_high_s AS low, s.time_high_s / f.time_low_s AS high
FROM unified_memory_ladder_median AS s JOIN unified_memory_ladder_median AS f USING (share_of_capacity);

-- The matrix product with two algorithms, each with copies, with managed memory (um) and that with hints; the framework
-- has the algorithm block. place: 1 for the smallest data.
CREATE VIEW unified_memory_matmul_ways AS
SELECT iif(variant LIKE 'naive%', 'naive', 'block') AS algorithm,
       CASE WHEN variant LIKE '%-prefetch' THEN 'hints' WHEN variant LIKE '%-um' THEN 'um'
            WHEN variant = 'framework' THEN variant ELSE 'copies' END AS way,
       size, rounds, dense_rank() OVER (ORDER BY share_of_capacity) AS place, footprint_bytes > capacity_bytes AS beyond,
       footprint_bytes <= capacity_bytes OR oversubscribed AS real, (bytes_to_device + bytes_from_device) / footprint_bytes AS moved, time_s, time_low_s,
       time_high_s
FROM unified_memory_matmul_median;

CREATE VIEW unified_memory_matmul_ratios AS
SELECT algorithm, s.way || ' / ' || f.way AS pair, rounds, place, s.beyond, s.real,
       iif(s.real, printf('%s / %s, %s, set %d', s.way, f.way, algorithm, place),
           'the device was not filled up (--oversubscribe): nothing was evicted') AS words, s.time_s / f.time_s AS value,
       s.time_low_s / f.time_high_s AS low, s.time_high_s / f.time_low_s AS high
FROM unified_memory_matmul_ways AS s JOIN unified_memory_matmul_ways AS f USING (algorithm, rounds, place);

CREATE VIEW unified_memory_benchmark_ratios AS
SELECT benchmark, s.variant || ' / ' || f.variant AS pair, s.time_s / f.time_s AS value,
       s.time_low_s / f.time_high_s AS low, s.time_high_s / f.time_low_s AS high
FROM unified_memory_benchmarks_median AS s JOIN unified_memory_benchmarks_median AS f USING (benchmark, size);
