-- Copies of a block between the memories of two GPUs. Between two nodes: the normal path (staged-pageable) and page-locked buffers
-- (staged). The thesis does not say whether two sets of copies are saved at each end or in total; the latter is judged. Counts are
-- bytes moved / bytes of the block; rounding leaves out the headers of messages.
WITH path AS (
    SELECT variant, round(median(sender_copies), 1) AS sender, round(median(receiver_copies), 1) AS receiver, round(median(copies), 1) AS copies
    FROM rdma_copies_network WHERE status = 'pass' AND roles = 'peers' AND pair = 'D D' GROUP BY variant)
SELECT 'peshne-c-075' AS id, printf('%g at the sender, %g at the receiver, %g in total', sender, receiver, copies) AS measured,
       '3, 3 and 6' AS bound, sender = 3 AND receiver = 3 AND copies = 6 AS ok, '' AS reason
FROM path WHERE variant = 'staged-pageable'
UNION ALL
SELECT 'peshne-c-076',
       printf('%g fewer in total: %g fewer at the sender, %g at the receiver; %g of %g are left', n.copies - d.copies, n.sender - d.sender,
              n.receiver - d.receiver, d.copies, n.copies),
       '2 fewer in total', n.copies - d.copies = 2, 'one set at each end'
FROM path AS n JOIN path AS d WHERE n.variant = 'staged-pageable' AND d.variant = 'staged';

-- The direct path: CUDA-aware MPI, or where there is none, or what its library asks of the CUDA driver was not seen, the paths that write
-- into the memory of the other GPU.
WITH path AS (
    SELECT variant, round(median(copies), 1) AS copies FROM rdma_copies
    WHERE status = 'pass' AND roles = 'peers' AND pair = 'D D' AND variant IN ('cuda-aware', 'peer-copy', 'peer-store')
        AND engine_copies + kernel_copies > 0 GROUP BY variant),
direct AS (SELECT * FROM path WHERE variant = 'cuda-aware' OR NOT EXISTS (SELECT 1 FROM path WHERE variant = 'cuda-aware'))
SELECT 'peshne-c-077' AS id, group_concat(printf('%g by %s', copies, variant), ', ') AS measured, '1' AS bound,
       min(copies) = 1 AND max(copies) = 1 AS ok, '' AS reason
FROM direct HAVING count(*) > 0;
