-- Partitioned programs: quantities that claims and figures share. A row of these experiments is one run of a program
-- as it is (variant original, one device), written by hand for several devices (by-hand) or partitioned.

-- Whole run times of the three applications; mode: how inputs are sent, dependencies found, what else was asked for.
CREATE VIEW partition_times AS
SELECT experiment, variant, parameter(parameters, 'app') AS app, CAST(parameter(parameters, 'size') AS INTEGER) AS size,
    CAST(parameter(parameters, 'devices') AS INTEGER) AS devices,
    CAST(parameter(parameters, 'iterations') AS INTEGER) AS iterations, parameter(parameters, 'block_x') AS block_x,
    parameter(parameters, 'htod') || ' ' || parameter(parameters, 'resolution') || ' '
        || parameter(parameters, 'options') AS mode, median_s AS mid, low_s AS low, high_s AS high
FROM configurations
WHERE experiment IN ('partition_matmul', 'partition_stencil', 'partition_nbody', 'partition_thesis')
    AND parameter(parameters, 'app') IN ('matmul', 'stencil', 'nbody');

-- Time of the original / of the same work partitioned; share: by the number of devices. In published_mode everything
-- is sent to every device, and of each buffer the last launch that wrote it is remembered.
CREATE VIEW partition_speedups AS
SELECT *, mid / devices AS share, low / devices AS share_low, high / devices AS share_high,
    max(devices) OVER (PARTITION BY published_mode) = devices AS most,
    max(size) OVER (PARTITION BY app, published_mode) = size AS largest
FROM (SELECT app, size, iterations, p.devices AS devices, p.mode = 'broadcast last-writer -' AS published_mode,
        o.mid / p.mid AS mid, o.low / p.high AS low, o.high / p.low AS high
    FROM partition_times AS o JOIN partition_times AS p USING (experiment, app, size, iterations, block_x)
    WHERE o.variant = 'original' AND p.variant = 'partitioned');

-- Time of an iteration's launches.
CREATE VIEW partition_launches AS
SELECT app, variant, devices, size, iterations, median(app_kernel_s / iterations) AS mid,
    interval_low(app_kernel_s / iterations, rep) AS low, interval_high(app_kernel_s / iterations, rep) AS high,
    dense_rank() OVER (PARTITION BY app ORDER BY size DESC) AS nth
FROM (SELECT * FROM partition_matmul UNION ALL SELECT * FROM partition_stencil
    UNION ALL SELECT * FROM partition_nbody)
WHERE status = 'pass' AND app IN ('matmul', 'stencil', 'nbody') GROUP BY app, variant, devices, size;

-- Power of the size that it follows, from `least` on, where three sizes are there. A slope is least where the times of
-- larger sizes are at their low ends and those of smaller ones at their high ends.
CREATE VIEW partition_powers AS
WITH used AS (SELECT *, iif(size >= least, ln(size), NULL) AS x FROM partition_launches
    JOIN (SELECT 'matmul' AS app, 4096 AS least UNION ALL VALUES ('stencil', 8192), ('nbody', 65536)) USING (app)),
point AS (SELECT *, avg(x) OVER (PARTITION BY app, variant, devices) AS centre FROM used)
SELECT app, variant, devices, least, iif(count(x) > 2, line_slope(x, ln(mid)), NULL) AS mid,
    line_slope(x, ln(iif(x > centre, low, high))) AS low, line_slope(x, ln(iif(x > centre, high, low))) AS high
FROM point GROUP BY app, variant, devices;

-- Speedup of the launches alone, of programs that were partitioned or written by hand.
CREATE VIEW partition_launch_speedups AS
SELECT app, p.variant AS variant, size, p.nth AS nth, p.devices AS devices, o.mid / p.mid AS mid, o.low / p.high AS low,
    o.high / p.low AS high FROM partition_launches AS o JOIN partition_launches AS p USING (app, size)
WHERE o.variant = 'original' AND p.variant <> 'original';

-- Bandwidth of the stencil: five numbers of 4 bytes for each cell and launch.
CREATE VIEW partition_bandwidths AS
SELECT app, variant, devices, size, nth, 20.0 * size * size / mid AS mid, 20.0 * size * size / high AS low,
    20.0 * size * size / low AS high FROM partition_launches WHERE app = 'stencil';

-- Memory bandwidth of the first device in bytes/s by its data sheet; NULL where none is listed.
CREATE VIEW partition_peak AS
SELECT max(bandwidth) AS bandwidth FROM machine
JOIN (SELECT '%H200%' AS device, 4.8e12 AS bandwidth UNION ALL VALUES ('%H100%', 3.35e12), ('%K80%', 240e9))
WHERE name = 'device0_name' AND value LIKE device;

-- Spans of runs that wait after each step. `name` is a quotient of two spans or a span in seconds, nth is 1 at the
-- largest size, most where all devices take part. Judged are those with everything sent to every device.
CREATE VIEW partition_all_spans AS
WITH run AS (SELECT *, kernel_s + dep_calc_s + sync_comm_s AS resolved_s FROM partition_spans
    WHERE status = 'pass' AND variant = 'partitioned'),
part(name) AS (VALUES ('overhead / all'), ('kernels / all'), ('copies to devices / all, in 1000 iterations'),
    ('copies to the host / kernels'), ('copies / kernels'), ('between devices / kernels'), ('dependencies / kernels'),
    ('to devices / launches'), ('in no span / launches'), ('all'), ('launches'), ('kernels'), ('to devices'),
    ('to the host'), ('resolved'), ('partitions')),
long AS (SELECT app, htod, size, devices, iterations, rep, name, CASE name
    WHEN 'overhead / all' THEN (dep_calc_s + sync_comm_s) / time_s
    WHEN 'kernels / all' THEN kernel_s / time_s
    WHEN 'copies to devices / all, in 1000 iterations'
        THEN app_htod_s / (time_s + app_kernel_s * (1000.0 / iterations - 1))
    WHEN 'copies to the host / kernels' THEN app_dtoh_s / kernel_s
    WHEN 'copies / kernels' THEN (app_htod_s + app_dtoh_s) / kernel_s
    WHEN 'between devices / kernels' THEN sync_comm_s / kernel_s
    WHEN 'dependencies / kernels' THEN (sync_comm_s + dep_calc_s - interval_s) / kernel_s
    WHEN 'to devices / launches' THEN app_htod_s / app_kernel_s
    WHEN 'in no span / launches' THEN abs(app_kernel_s - resolved_s) / app_kernel_s
    WHEN 'all' THEN time_s WHEN 'launches' THEN app_kernel_s WHEN 'kernels' THEN kernel_s
    WHEN 'to devices' THEN app_htod_s WHEN 'to the host' THEN app_dtoh_s WHEN 'resolved' THEN resolved_s
    ELSE partition_s END AS value FROM run, part)
SELECT app, htod, size, devices, iterations, name, median(value) AS mid, interval_low(value, rep) AS low,
    interval_high(value, rep) AS high, dense_rank() OVER (PARTITION BY app, htod ORDER BY size DESC) AS nth,
    max(devices) OVER (PARTITION BY app, htod) = devices AS most
FROM long GROUP BY app, htod, size, devices, iterations, name;

CREATE VIEW partition_spans_of AS SELECT * FROM partition_all_spans WHERE htod = 'broadcast';

-- The least number of devices with which a span is within `tolerance` of its least time.
CREATE VIEW partition_knees AS
SELECT app, size, nth, name, tolerance, min(devices) AS devices
FROM (SELECT *, min(mid) OVER (PARTITION BY app, size, name) AS least FROM partition_spans_of)
JOIN (SELECT 'stencil' AS app, 0.05 AS tolerance UNION ALL VALUES ('nbody', 0.03)) USING (app)
WHERE name IN ('all', 'kernels') AND mid <= (1 + tolerance) * least GROUP BY app, size, name;

-- The stencil's copies between host and devices; htod: everything sent to every device, parts, or parts when read.
CREATE VIEW partition_host_copies AS
SELECT app, variant, htod, size, devices, median(app_htod_s) AS mid, interval_low(app_htod_s, rep) AS low,
    interval_high(app_htod_s, rep) AS high, median(app_dtoh_s) AS back, interval_low(app_dtoh_s, rep) AS back_low,
    interval_high(app_dtoh_s, rep) AS back_high, max(htod_bytes) AS bytes, median(time_s) AS total,
    interval_low(time_s, rep) AS total_low, interval_high(time_s, rep) AS total_high,
    dense_rank() OVER (ORDER BY size DESC) AS nth
FROM partition_htod WHERE status = 'pass' AND app = 'stencil' AND variant IN ('original', 'partitioned')
GROUP BY variant, htod, size, devices;

-- Exchange of halos by the stencils: its time, copies and bytes, by the split and what else was asked for.
CREATE VIEW partition_halos AS
SELECT app, size, devices, split, options, median(sync_comm_s) AS mid, interval_low(sync_comm_s, rep) AS low,
    interval_high(sync_comm_s, rep) AS high, median(d2d_copies) AS copies, median(d2d_bytes) AS bytes,
    median(app_kernel_s) AS launches, max(stale_elements) AS wrong
FROM partition_variants WHERE status = 'pass' AND variant = 'partitioned' AND app IN ('stencil', 'stencil9')
    AND resolution = 'exact' AND one_device = 0 GROUP BY app, size, devices, split, options;

-- Counters of the run time, of all programs in the modes of daily use.
CREATE VIEW partition_counters AS
SELECT * FROM partition_htod_median UNION ALL SELECT * FROM partition_spans_median
UNION ALL SELECT * FROM partition_programs_median;

-- One step of the n-body program with many sizes: plateaus, where its time changes by less than 2 %, and steps, where
-- the time of a particle rises by more than 10 %; distance: of the steps, in particles.
CREATE VIEW partition_plateaus AS
SELECT devices, sum(abs(time / before - 1) < 0.02) AS plateaus,
    1.0 * (max(size) FILTER (WHERE jump) - min(size) FILTER (WHERE jump)) / (sum(jump) - 1) AS distance
FROM (SELECT *, time / size > 1.1 * before / size_before AS jump
    FROM (SELECT devices, size, app_kernel_s AS time, lag(app_kernel_s) OVER at AS before,
            lag(size) OVER at AS size_before FROM partition_nbody_steps_median WHERE variant = 'partitioned'
        WINDOW at AS (PARTITION BY devices ORDER BY size)))
GROUP BY devices;

-- Waves of resident blocks: the time of one kernel on one device with so many blocks.
CREATE VIEW partition_wave AS
SELECT blocks, capacity, multiprocessors, time_s AS mid, time_low_s AS low, time_high_s AS high
FROM partition_waves_median WHERE variant = 'blocks';

-- Programs that nvcc built: time as they are / by libpartition.so on so many devices, by paired repetitions; different:
-- whether any run had other bits than the original.
CREATE VIEW partition_binary_runs AS
SELECT * FROM partition_binaries UNION ALL SELECT * FROM partition_binaries_speed;
CREATE VIEW partition_binary_speedups AS
SELECT o.experiment AS experiment, o.app AS app, o.arguments AS arguments, p.devices AS devices,
    median(o.time_s) / median(p.time_s) AS mid, ratio_low(o.time_s, p.time_s, o.rep) AS low,
    ratio_high(o.time_s, p.time_s, o.rep) AS high, max(p.different) AS different, max(p.launches) AS launches,
    max(p.one_device) AS one_device, max(p.devices) OVER () = p.devices AS most
FROM partition_binary_runs AS o JOIN partition_binary_runs AS p USING (experiment, app, arguments, rep)
WHERE o.variant = 'original' AND p.variant = 'partitioned' GROUP BY o.experiment, o.app, o.arguments, p.devices;
