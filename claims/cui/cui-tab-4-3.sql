-- Data larger than the device memory that may be used: ring buffers against managed memory. With a real GPU managed memory is not
-- held below the data's size, as that would take the memory of a whole device; its rows have no budget then. As in the thesis the
-- rings have about 14 % of the data's size for the 2D convolution, and 25 % for ATAX.
WITH run AS (
    SELECT benchmark, variant, budget_bytes, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_oversubscribed_median
    WHERE variant = 'um-prefetch' OR (variant = 'blp-buffer' AND abs(1.0 * budget_bytes / footprint_bytes - iif(benchmark = 'atax', 0.25, 0.14)) < 0.05)),
link AS (SELECT total(link LIKE 'NVLink%') > 0 AS is_nvlink FROM blp_oversubscribed_median),
ratio AS (
    SELECT u.benchmark, u.mid / b.mid AS mid, u.low / b.high AS low, u.high / b.low AS high, u.budget_bytes IS NULL AS has_all
    FROM run AS u JOIN run AS b USING (benchmark) WHERE u.variant = 'um-prefetch' AND b.variant = 'blp-buffer'),
bounds(id, benchmark, nvlink, twin, bound) AS ( -- twin: makes the same claim of the other node; one of them is judged, for the link of this machine
    VALUES ('cui-c-196', 'conv2d', 1, 'cui-c-197', '> 1.2 (thesis, NVLink2: 1.89)'), ('cui-c-197', 'conv2d', 0, 'cui-c-196', '> 1.2 (thesis, PCI-E: 1.63)'),
           ('cui-c-198', 'atax', 0, 'cui-c-199', '> 1.2 (thesis, PCI-E: 4.55)'), ('cui-c-199', 'atax', 1, 'cui-c-198', '> 1.2 (thesis, NVLink2: 166)'))
SELECT id, printf('%.2f', mid) AS measured, bound,
       CASE WHEN has_all OR nvlink <> is_nvlink THEN 'waived' WHEN low > 1.2 THEN 1 WHEN high <= 1.2 THEN 0 END AS ok,
       CASE WHEN has_all THEN 'managed memory was not over-subscribed here'
            WHEN nvlink <> is_nvlink THEN printf('the same rows and bound as %s, which is judged, as this GPU is %sbehind NVLink', twin, iif(is_nvlink, '', 'not '))
            ELSE '' END AS reason
FROM bounds JOIN ratio USING (benchmark), link;

-- The two nodes of the thesis differ in their link alone. A second machine is shown where one is recorded, but it has another GPU as well.
WITH run AS (
    SELECT benchmark, variant, max(iif(node = 1, time_s, NULL)) AS here, max(iif(node = 2, time_s, NULL)) AS there
    FROM (SELECT 1 AS node, benchmark, variant, time_s, budget_bytes, footprint_bytes FROM blp_oversubscribed_median
          UNION ALL SELECT 2, benchmark, variant, time_s, budget_bytes, footprint_bytes FROM partner_blp_oversubscribed_median)
    WHERE variant <> 'blp-buffer' OR abs(1.0 * budget_bytes / footprint_bytes - iif(benchmark = 'atax', 0.25, 0.14)) < 0.05
    GROUP BY benchmark, variant)
SELECT 'cui-c-200' AS id, printf('%.3g s; second machine: %s', here, iif(there, printf('%.3g s', there), 'not measured')) AS measured,
       'slower over NVLink2 than over PCI-E' AS bound, 'waived' AS ok,
       iif(there IS NULL, 'it compares two machines, and no second one with a CUDA GPU is recorded', 'compares one GPU behind two links; two machines are shown') AS reason
FROM run WHERE benchmark = 'atax' AND variant = 'um-prefetch' AND here > 0
UNION ALL
SELECT 'cui-c-201', group_concat(printf('%s %.3g s; second machine: %s', benchmark, here, iif(there, printf('%.3g s', there), 'not measured')), ', '),
       'faster over NVLink2 than over PCI-E', 'waived', iif(count(there) = 0, 'it compares two machines, and no second one with a CUDA GPU is recorded', 'compares one GPU behind two links; two machines are shown')
FROM run WHERE benchmark IN ('conv2d', 'atax') AND variant = 'blp-buffer' AND here > 0 HAVING count(*) = 2;

-- The time of sync for data that does not fit, on the line through those that do; fits of the medians and of both ends of the intervals.
WITH fit AS (
    SELECT line_slope(footprint_bytes, time_s) AS mid, line_intercept(footprint_bytes, time_s) AS mid_0, line_slope(footprint_bytes, time_low_s) AS low,
           line_intercept(footprint_bytes, time_low_s) AS low_0, line_slope(footprint_bytes, time_high_s) AS high,
           line_intercept(footprint_bytes, time_high_s) AS high_0, line_r2(footprint_bytes, time_s) AS mid_r2, line_r2(footprint_bytes, time_low_s) AS low_r2,
           line_r2(footprint_bytes, time_high_s) AS high_r2, count(*) AS n
    FROM blp_oversubscribed_median WHERE variant = 'sync' AND benchmark = 'conv2d'),
theory AS (
    SELECT variant, budget_bytes, (mid * footprint_bytes + mid_0) / time_s AS mid, (low * footprint_bytes + low_0) / time_high_s AS low,
           (high * footprint_bytes + high_0) / time_low_s AS high, mid * footprint_bytes + mid_0 AS sync_s
    FROM blp_oversubscribed_median, fit WHERE fit.n > 2 AND benchmark = 'conv2d'
      AND (variant = 'um-prefetch' OR (variant = 'blp-buffer' AND abs(1.0 * budget_bytes / footprint_bytes - 0.14) < 0.05)))
SELECT 'cui-c-205' AS id, printf('R2 = %.4f over %d sizes', mid_r2, n) AS measured, '>= 0.99' AS bound,
       CASE WHEN min(low_r2, mid_r2, high_r2) >= 0.99 THEN 1 WHEN max(low_r2, mid_r2, high_r2) < 0.99 THEN 0 END AS ok, '' AS reason
FROM fit WHERE fit.n > 2
UNION ALL
SELECT 'cui-c-206', printf('%.2f (sync would take %.3g s)', mid, sync_s), '> 1 (thesis: 1.3, 1.2..1.4)',
       CASE WHEN low > 1 THEN 1 WHEN high <= 1 THEN 0 END, ''
FROM theory WHERE variant = 'blp-buffer'
UNION ALL
SELECT 'cui-c-207', printf('%.2f', mid), '< 1 (thesis: 0.68, 0.60..0.75)',
       CASE WHEN budget_bytes IS NULL THEN 'waived' WHEN high < 1 THEN 1 WHEN low >= 1 THEN 0 END,
       iif(budget_bytes IS NULL, 'managed memory was not over-subscribed here', '')
FROM theory WHERE variant = 'um-prefetch';
