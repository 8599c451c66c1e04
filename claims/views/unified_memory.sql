-- The experiments with managed memory: the time of one version over that of another one with the same data.
-- pair: 'um / framework'; data: the parameters that do not say how the version works; share: of the device memory that
-- the data take; slow_streams and streams: of the first and of the second version.
CREATE VIEW unified_memory_ratios AS
WITH t AS (
    SELECT *, replace(substr(parameters, 1, instr(parameters || ' chunk_size', ' chunk_size') - 1),
                      '_naive', '') AS data
    FROM configurations WHERE experiment GLOB 'unified_memory_*')
SELECT experiment, s.variant || ' / ' || f.variant AS pair, data, CAST(parameter(data, 'rounds') AS INTEGER) AS rounds,
       CAST(parameter(data, 'share_of_capacity') AS REAL) AS share,
       CAST(parameter(s.parameters, 'streams') AS INTEGER) AS slow_streams,
       CAST(parameter(f.parameters, 'streams') AS INTEGER) AS streams,
       s.median_s / f.median_s AS value, s.low_s / f.high_s AS low, s.high_s / f.low_s AS high
FROM t AS s JOIN t AS f USING (experiment, data);

-- One array on the device and back, by pattern, size and way.
CREATE VIEW unified_memory_sizes AS
SELECT pattern, bytes, printf('gib%d', bytes >> 30) AS size, variant, time_s AS mid, time_low_s AS low,
       time_high_s AS high
FROM unified_memory_large_median
UNION ALL
SELECT pattern, bytes, printf('gib%d', bytes >> 30), variant, time_s, time_low_s, time_high_s
FROM unified_memory_huge_median;

-- Where the time of a loop goes whose data the host changes between rounds: phases in their order, the last is the rest.
CREATE VIEW unified_memory_parts AS
WITH run AS (
    SELECT variant, rep, time_s, to_device_s, kernel_s, between_s, from_device_s, read_s
    FROM unified_memory_phases WHERE status = 'pass'),
part(variant, rep, place, name, part_s, time_s) AS (
    SELECT variant, rep, 1, 'to device', to_device_s, time_s FROM run
    UNION ALL SELECT variant, rep, 2, 'kernels', kernel_s, time_s FROM run
    UNION ALL SELECT variant, rep, 3, 'to host', from_device_s, time_s FROM run
    UNION ALL SELECT variant, rep, 4, 'host updates', between_s, time_s FROM run
    UNION ALL SELECT variant, rep, 5, 'host reads', read_s, time_s FROM run
    UNION ALL
    SELECT variant, rep, 6, 'rest', time_s - to_device_s - kernel_s - from_device_s - between_s - read_s, time_s
    FROM run)
SELECT variant, place, name, median(part_s) AS mid, interval_low(part_s, rep) AS low,
       interval_high(part_s, rep) AS high, median(part_s / time_s) AS share,
       interval_low(part_s / time_s, rep) AS share_low, interval_high(part_s / time_s, rep) AS share_high
FROM part GROUP BY variant, place;

-- Why claims about more managed memory than the device has are not judged where it has no limit of its own.
CREATE VIEW not_oversubscribed AS
SELECT 'a real card is not over-subscribed, as that can hang it for all its users; judged on the software GPU' AS why;
