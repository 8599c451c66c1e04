-- Product of matrices: 2D copies hardly gain from streams.
WITH run AS (SELECT variant, streams, time_s AS mid, time_low_s AS low, time_high_s AS high FROM blp_gemm_median WHERE time_s > 0),
sync AS (SELECT * FROM run WHERE variant = 'sync'),
blp AS (SELECT * FROM run WHERE variant = 'blp'),
best AS (SELECT * FROM run WHERE variant = 'async' ORDER BY mid LIMIT 1),
ratio AS (SELECT b.mid / v.mid AS mid, b.low / v.high AS low, b.high / v.low AS high, s.mid / v.mid AS blp, s.mid / b.mid AS async FROM sync AS s, blp AS v, best AS b)
SELECT 'cui-c-162' AS id, printf('%.3f with %d streams', s.mid / b.mid, b.streams) AS measured, '<= 1.05 (thesis, NVLink2: <= 1.02)' AS bound,
       CASE WHEN s.high / b.low <= 1.05 THEN 1 WHEN s.low / b.high > 1.05 THEN 0 END AS ok, '' AS reason
FROM sync AS s, best AS b
UNION ALL
SELECT 'cui-c-163', printf('blp %.3f, async %.3f', blp, async), 'blp faster than the best async (thesis, NVLink2: 1.05, 1.03..1.07)',
       CASE WHEN low > 1 THEN 1 WHEN high <= 1 THEN 0 END, ''
FROM ratio
UNION ALL
SELECT 'cui-c-165', printf('%.3f', mid), '>= 0.98 (thesis, PCI-E: 1.04, 1.01..1.08)', CASE WHEN low >= 0.98 THEN 1 WHEN high < 0.98 THEN 0 END, ''
FROM ratio;

WITH node AS (
    SELECT (SELECT max(s.time_s / v.time_s) FROM blp_gemm_median AS s, blp_gemm_median AS v WHERE s.variant = 'sync' AND v.variant = 'blp') AS here,
           (SELECT max(s.time_s / v.time_s) FROM partner_blp_gemm_median AS s, partner_blp_gemm_median AS v
            WHERE s.variant = 'sync' AND v.variant = 'blp') AS there)
SELECT 'cui-c-164' AS id, printf('blp %.2f; second machine: %s', here, iif(there, printf('%.2f', there), 'not measured')) AS measured,
       'more on PCI-E than on NVLink2' AS bound, 'waived' AS ok,
       iif(there IS NULL, 'it compares two machines, and no second one with a CUDA GPU is recorded', 'compares one GPU behind two links; two machines are shown') AS reason
FROM node WHERE here > 0;

WITH kept AS (
    SELECT 1 AS node, o.time_s / m.time_s AS share FROM blp_bandwidth_chunks_median AS o JOIN blp_bandwidth_chunks_median AS m USING (variant, direction)
    WHERE variant = 'memcpy2d' AND direction = 'in' AND o.chunks = 1 AND m.chunks = 64
    UNION ALL
    SELECT 2, o.time_s / m.time_s FROM partner_blp_bandwidth_chunks_median AS o JOIN partner_blp_bandwidth_chunks_median AS m USING (variant, direction)
    WHERE variant = 'memcpy2d' AND direction = 'in' AND o.chunks = 1 AND m.chunks = 64),
node AS (SELECT max(iif(node = 1, share, NULL)) AS here, max(iif(node = 2, share, NULL)) AS there FROM kept)
SELECT 'cui-c-166' AS id,
       printf('%.2f of the bandwidth left with 64 chunks; second machine: %s', here, iif(there, printf('%.2f', there), 'not measured')) AS measured,
       'more on PCI-E than on NVLink2' AS bound, 'waived' AS ok,
       iif(there IS NULL, 'it compares two machines, and no second one with a CUDA GPU is recorded', 'compares one GPU behind two links; two machines are shown') AS reason
FROM node WHERE here > 0;
