-- GET of a block into pageable and page-locked main memory and straight into the memory of a GPU, by CUDA-aware MPI if that was
-- measured, else by the faster of the paths between the GPU and the server's page-locked memory. Medians over the sizes.
WITH way AS (SELECT variant, block_elements AS n, time_s AS mid, time_low_s AS low, time_high_s AS high FROM rdma_get_median),
direct AS (
    SELECT *, row_number() OVER (PARTITION BY n ORDER BY variant <> 'cuda-aware', mid) AS nth
    FROM way WHERE variant IN ('cuda-aware', 'peer-copy', 'peer-store')),
pinning AS (
    SELECT a.mid / p.mid AS mid, a.low / p.high AS low, a.high / p.low AS high
    FROM way AS a JOIN way AS p USING (n) WHERE a.variant = 'host-pageable' AND p.variant = 'host-pinned'),
gpu AS (
    SELECT d.variant AS variant, p.mid / d.mid AS mid, p.low / d.high AS low, p.high / d.low AS high
    FROM way AS p JOIN direct AS d USING (n) WHERE p.variant = 'host-pinned' AND nth = 1),
step AS (SELECT median(mid) AS mid, median(low) AS low, median(high) AS high, count(*) AS sizes FROM pinning),
last AS (SELECT group_concat(DISTINCT variant) AS variant, median(mid) AS mid, median(low) AS low, median(high) AS high FROM gpu)
SELECT 'peshne-c-079' AS id,
       printf('pageable / page-locked %.2f, page-locked / GPU memory %.2f (%s), medians of %d sizes', step.mid, last.mid, last.variant, sizes) AS measured,
       'both >= 1' AS bound,
       CASE WHEN step.low >= 1 AND last.low >= 1 THEN 1 WHEN step.high < 1 OR last.high < 1 THEN 0 END AS ok,
       CASE WHEN last.mid < 1 THEN 'between two processes of one host MPI copies from host memory to host memory, without a GPU' ELSE '' END AS reason
FROM step, last WHERE last.variant IS NOT NULL AND sizes > 0
UNION ALL
SELECT 'peshne-c-080', printf('median pageable / page-locked %.2f over %d sizes', mid, sizes), '>= 1',
       CASE WHEN low >= 1 THEN 1 WHEN high < 1 THEN 0 END, ''
FROM step WHERE sizes > 0;
