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
