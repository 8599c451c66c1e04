-- Managed memory as the buffer of one-sided MPI, against page-locked memory that is copied; no wrong numbers were seen.
SELECT 'fanfarillo-c-024' AS id, p.time_s / m.time_s AS value, p.time_low_s / m.time_high_s AS low,
       p.time_high_s / m.time_low_s AS high,
       printf('of the bandwidth of page-locked memory, %d bytes', block_bytes) AS words
FROM rdma_managed_median AS m JOIN rdma_managed_median AS p USING (block_bytes)
WHERE m.variant = 'managed' AND p.variant = 'pinned' ORDER BY block_bytes DESC LIMIT 1;
