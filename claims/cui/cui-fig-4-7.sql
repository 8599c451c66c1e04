-- The two nodes of the thesis differ in their link alone. A second machine is shown where one is recorded, but it has another GPU as well.
WITH rate AS (
    SELECT 1 AS node, blocks, 1e-9 * bytes / time_s AS mid FROM blp_bandwidth_threads_median
    WHERE variant = 'direct' AND direction = 'in' AND vector_bits = 128
    UNION ALL
    SELECT 2, blocks, 1e-9 * bytes / time_s FROM partner_blp_bandwidth_threads_median
    WHERE variant = 'direct' AND direction = 'in' AND vector_bits = 128),
peak AS (SELECT node, max(mid) AS mid FROM rate GROUP BY node),
node AS (
    SELECT node, p.mid AS peak, min(CASE WHEN r.mid >= 0.95 * p.mid THEN blocks END) AS blocks
    FROM rate AS r JOIN peak AS p USING (node) GROUP BY node),
both AS (
    SELECT max(iif(node = 1, blocks, NULL)) AS blocks, max(iif(node = 2, blocks, NULL)) AS other_blocks, max(iif(node = 1, peak, NULL)) AS peak,
           max(iif(node = 2, peak, NULL)) AS other_peak
    FROM node)
SELECT 'cui-c-136' AS id, printf('%d blocks; second machine: %s', blocks, coalesce(other_blocks, 'not measured')) AS measured,
       '1 block on PCI-E 3.0, fewer than on NVLink2' AS bound, 'waived' AS ok,
       iif(other_blocks IS NULL, 'it compares two machines, and no second one with a CUDA GPU is recorded', 'compares one GPU behind two links; two machines are shown') AS reason
FROM both WHERE blocks > 0
UNION ALL
SELECT 'cui-c-137', printf('%.1f GB/s; second machine: %s', peak, iif(other_peak, printf('%.1f GB/s', other_peak), 'not measured')),
       'PCI-E < 0.5 of NVLink2', 'waived',
       iif(other_peak IS NULL, 'it compares two machines, and no second one with a CUDA GPU is recorded', 'compares one GPU behind two links; two machines are shown')
FROM both WHERE blocks > 0;
