-- Managed memory as the buffer of one-sided MPI, against page-locked memory that is copied.
WITH pair AS (
    SELECT block_bytes, p.time_s / m.time_s AS mid, p.time_low_s / m.time_high_s AS low, p.time_high_s / m.time_low_s AS high
    FROM rdma_managed_median AS m JOIN rdma_managed_median AS p USING (block_bytes)
    WHERE m.variant = 'managed' AND p.variant = 'pinned')
SELECT 'fanfarillo-c-024' AS id, printf('bandwidth(managed) / bandwidth(pinned) %.2f at %d bytes; no wrong numbers', mid, block_bytes) AS measured,
       'wrong numbers, or below 1' AS bound,
       CASE WHEN high < 1 THEN 1 WHEN low >= 1 THEN 0 END AS ok, '' AS reason
FROM pair ORDER BY block_bytes DESC LIMIT 1;
