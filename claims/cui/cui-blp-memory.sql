-- Ring buffers against managed memory, with data larger than the memory.
WITH asked(id, benchmark) AS (
    VALUES ('cui-c-196', 'conv2d'), ('cui-c-197', 'conv2d'), ('cui-c-198', 'atax'), ('cui-c-199', 'atax')),
ratio AS (
    SELECT benchmark, u.mid / b.mid AS mid, u.low / b.high AS low, u.high / b.low AS high,
           iif(u.budget_bytes IS NULL, (SELECT why FROM not_oversubscribed), NULL) AS has_all
    FROM blp_beyond AS u JOIN blp_beyond AS b USING (benchmark)
    WHERE u.variant = 'um-prefetch' AND b.variant = 'blp-buffer')
SELECT id, iif(coalesce(has_all, reason) IS NULL, mid, NULL) AS value, low, high,
       coalesce(has_all, reason, 'times as fast as um-prefetch: blp-buffer, ' || benchmark) AS words
FROM asked JOIN ratio USING (benchmark) LEFT JOIN blp_twin USING (id);

-- Device memory.
SELECT iif(benchmark = 'conv2d', 'cui-c-202', 'cui-c-203') AS id, 1 - b.own_bytes / u.own_bytes AS value,
       NULL AS low, NULL AS high, printf('of %.4g MB saved, %s', 1e-6 * u.own_bytes, benchmark) AS words
FROM blp_beyond AS u JOIN blp_beyond AS b USING (benchmark)
WHERE u.variant = 'um-prefetch' AND b.variant = 'blp-buffer' AND u.own_bytes IS NOT NULL;

-- What sync and async allocate per byte of the arrays where they fit (their refusal alone would follow from the limit
-- that the program is given), and what blp-buffer allocates and um-prefetch uses of that limit; managed memory comes in
-- whole pages, 1 % more.
WITH memory AS (
    SELECT benchmark, size, min(budget_bytes) AS bytes FROM blp_oversubscribed
    WHERE variant IN ('sync', 'async') AND budget_bytes > 0 GROUP BY benchmark, size),
large AS (
    SELECT variant, benchmark, 1.0 * iif(variant = 'blp-buffer', max(device_bytes), max(used_bytes) / 1.01) / bytes
               AS share, max(budget_bytes) IS NOT NULL AS limited, 1.0 * bytes / min(footprint_bytes) AS memory,
           total(outcome <> 'ok') + total(errors) AS failed
    FROM blp_oversubscribed JOIN memory USING (benchmark, size)
    WHERE variant IN ('blp-buffer', 'um-prefetch') GROUP BY variant, benchmark, size),
whole AS (
    SELECT benchmark, variant, 1.0 * min(device_bytes / footprint_bytes) AS share
    FROM (SELECT * FROM blp_conv2d UNION ALL SELECT * FROM blp_atax)
    WHERE variant IN ('sync', 'async') AND outcome = 'ok' GROUP BY benchmark, variant)
SELECT 'cui-c-204/whole' AS id, w.share / max(memory) AS value, NULL AS low, NULL AS high,
       printf('times the memory: %s, %s', w.variant, w.benchmark) AS words
FROM whole AS w, large AS l WHERE l.variant = 'blp-buffer' GROUP BY w.benchmark, w.variant
UNION ALL
SELECT 'cui-c-204/limited', share, NULL, NULL, printf('of the memory: %s, %s', variant, benchmark)
FROM large WHERE limited
UNION ALL
SELECT 'cui-c-204/failed', failed, NULL, NULL, printf('runs refused or wrong: %s, %s', variant, benchmark) FROM large;

-- The time of sync for data that does not fit, on the line through those that do; fits of the medians and of both ends
-- of the intervals.
WITH fit AS (
    SELECT line_slope(footprint_bytes, mid) AS mid, line_intercept(footprint_bytes, mid) AS mid_0,
           line_slope(footprint_bytes, low) AS low, line_intercept(footprint_bytes, low) AS low_0,
           line_slope(footprint_bytes, high) AS high, line_intercept(footprint_bytes, high) AS high_0,
           line_r2(footprint_bytes, mid) AS r2, line_r2(footprint_bytes, low) AS r2_low,
           line_r2(footprint_bytes, high) AS r2_high, count(*) AS n
    FROM blp_beyond WHERE variant = 'sync' AND benchmark = 'conv2d' HAVING count(*) > 2)
SELECT 'cui-c-205' AS id, r2 AS value, min(r2, r2_low, r2_high) AS low, max(r2, r2_low, r2_high) AS high,
       printf('is R2 of the time of sync over %d sizes', n) AS words
FROM fit
UNION ALL
SELECT iif(variant = 'blp-buffer', 'cui-c-206', 'cui-c-207'),
       iif(variant = 'blp-buffer' OR budget_bytes > 0, (f.mid * footprint_bytes + mid_0) / b.mid, NULL),
       (f.low * footprint_bytes + low_0) / b.high, (f.high * footprint_bytes + high_0) / b.low,
       iif(variant = 'blp-buffer' OR budget_bytes > 0,
           printf('times as fast as sync, which would take %.3g s: %s', f.mid * footprint_bytes + mid_0, variant),
           (SELECT why FROM not_oversubscribed))
FROM blp_beyond AS b, fit AS f WHERE benchmark = 'conv2d' AND variant IN ('blp-buffer', 'um-prefetch');

-- Device memory in use by whole arrays, CUDA's context included. The text gives no dimensions: these data sets were
-- chosen to come near.
WITH asked(id, benchmark, dataset) AS (
    VALUES ('cui-c-183', 'conv2d', 'default'), ('cui-c-184', 'conv3d', 'default'),
           ('cui-c-185', 'gemm', 'default'), ('cui-c-186', 'fdtd2d', 'default'),
           ('cui-c-187', 'atax', 'default'), ('cui-c-188', 'conv2d', 'medium'),
           ('cui-c-189', 'conv3d', 'medium'), ('cui-c-190', 'fdtd2d', 'medium'),
           ('cui-c-191', 'atax', 'medium')),
used AS (
    SELECT benchmark, dataset, size, coalesce(used_bytes, device_bytes) / 1073741824.0 AS gib
    FROM blp_datasets_median WHERE variant = 'sync')
SELECT id, gib AS value, NULL AS low, NULL AS high,
       iif(gib > 0, printf('GiB in use, size %d', size), 'no such data set was measured') AS words
FROM asked LEFT JOIN used USING (benchmark, dataset) WHERE EXISTS (SELECT 1 FROM used);
