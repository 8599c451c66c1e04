-- Three arrays read at once: a block for each, or all by every thread (interleaved); 128 bits per access. The fewest blocks that
-- reach 95 % of the variant's peak: by medians, those that may, those that surely do.
WITH rate AS (
    SELECT variant, blocks, 1e-9 * bytes / time_s AS mid, 1e-9 * bytes / time_high_s AS low, 1e-9 * bytes / time_low_s AS high
    FROM blp_bandwidth_arrays_median WHERE direction = 'in' AND vector_bits = 128),
peak AS (SELECT variant, max(mid) AS mid, low, high, blocks FROM rate GROUP BY variant),
knee AS (
    SELECT variant, min(CASE WHEN r.mid >= 0.95 * p.mid THEN r.blocks END) AS mid, min(CASE WHEN r.high >= 0.95 * p.low THEN r.blocks END) AS low,
           min(CASE WHEN r.low >= 0.95 * p.high OR r.blocks = p.blocks THEN r.blocks END) AS high
    FROM rate AS r JOIN peak AS p USING (variant) GROUP BY variant),
all_peak AS (SELECT max(mid) AS mid, low, high FROM peak)
SELECT 'cui-c-167' AS id, printf('%d blocks interleaved, %d per array', i.mid, p.mid) AS measured,
       'interleaved at least as many (thesis, NVLink2: 5)' AS bound,
       CASE WHEN i.low >= p.high THEN 1 WHEN i.high < p.low THEN 0 END AS ok, '' AS reason
FROM knee AS i, knee AS p WHERE i.variant = 'interleaved' AND p.variant = 'per-array'
UNION ALL
SELECT 'cui-c-168', printf('%.2f of the peak (%.2f GB/s)', r.mid / p.mid, p.mid), '>= 0.95 with 3 blocks',
       CASE WHEN r.low / p.high >= 0.95 THEN 1 WHEN r.high / p.low < 0.95 THEN 0 END, ''
FROM rate AS r, all_peak AS p WHERE variant = 'per-array' AND blocks = 3;

WITH rate AS (
    SELECT 1 AS node, blocks, bytes / time_s AS mid FROM blp_bandwidth_arrays_median
    WHERE variant = 'interleaved' AND direction = 'in' AND vector_bits = 128
    UNION ALL
    SELECT 2, blocks, bytes / time_s FROM partner_blp_bandwidth_arrays_median WHERE variant = 'interleaved' AND direction = 'in' AND vector_bits = 128),
peak AS (SELECT node, max(mid) AS mid FROM rate GROUP BY node),
knee AS (SELECT node, min(CASE WHEN r.mid >= 0.95 * p.mid THEN blocks END) AS blocks FROM rate AS r JOIN peak AS p USING (node) GROUP BY node),
both AS (SELECT max(iif(node = 1, blocks, NULL)) AS here, max(iif(node = 2, blocks, NULL)) AS there FROM knee)
SELECT 'cui-c-169' AS id, printf('%d blocks; second machine: %s', here, coalesce(there, 'not measured')) AS measured,
       'PCI-E: 2, at most as many as on NVLink2' AS bound, 'waived' AS ok,
       iif(there IS NULL, 'it compares two machines, and no second one with a CUDA GPU is recorded', 'compares one GPU behind two links; two machines are shown') AS reason
FROM both WHERE here > 0;
