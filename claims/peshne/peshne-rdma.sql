-- Two GPUs: the direct path (CUDA-aware MPI if that was measured, else the faster of the peer paths) against staged, page-locked.
WITH way AS (
    SELECT mode, bytes, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM rdma_pingpong_median WHERE pair = 'D D' AND stress = 0),
direct AS (
    SELECT *, row_number() OVER (PARTITION BY mode, bytes ORDER BY variant <> 'cuda-aware', mid) AS nth
    FROM way WHERE variant IN ('cuda-aware', 'peer-copy', 'peer-store')),
ratio AS ( -- time of direct / staged
    SELECT mode, bytes, d.variant AS variant, d.mid / s.mid AS mid, d.low / s.high AS low, d.high / s.low AS high
    FROM direct AS d JOIN way AS s USING (mode, bytes) WHERE nth = 1 AND s.variant = 'staged')
SELECT 'peshne-c-010' AS id,
       printf('%.0f %% at 4 bytes by %s, %.0f %% at 128 KiB by %s', 100 * (1 - small.mid), small.variant, 100 * (1 - big.mid), big.variant) AS measured,
       '> 0, more at 4 bytes (cited: 69 and 32 %)' AS bound,
       CASE WHEN small.high < 1 AND big.high < 1 AND small.high < big.low THEN 1
            WHEN small.low >= 1 OR big.low >= 1 OR small.low >= big.high THEN 0 END AS ok, '' AS reason
FROM ratio AS small JOIN ratio AS big USING (mode) WHERE mode = 'latency' AND small.bytes = 4 AND big.bytes = 131072
UNION ALL
SELECT 'peshne-c-011',
       printf('%.2f at 4 KiB by %s, %.2f at 64 KiB by %s', 1 / small.mid, small.variant, 1 / big.mid, big.variant),
       '> 1, more at 4 KiB (cited: 2 and 1.35)',
       CASE WHEN small.high < 1 AND big.high < 1 AND small.high < big.low THEN 1
            WHEN small.low >= 1 OR big.low >= 1 OR small.low >= big.high THEN 0 END, ''
FROM ratio AS small JOIN ratio AS big USING (mode) WHERE mode = 'bandwidth' AND small.bytes = 4096 AND big.bytes = 65536;

-- What threads that copy through host memory cost both: time with them / without.
WITH way AS (
    SELECT stress, variant, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM rdma_stress_median WHERE pair = 'D D' AND mode = 'bandwidth' AND bytes = (SELECT max(bytes) FROM rdma_stress_median)),
slow AS (
    SELECT variant, busy.stress AS stress, busy.mid / quiet.mid AS mid, busy.low / quiet.high AS low, busy.high / quiet.low AS high, quiet.mid AS quiet
    FROM way AS busy JOIN way AS quiet USING (variant) WHERE quiet.stress = 0 AND busy.stress = (SELECT max(stress) FROM way) AND busy.stress > 0),
direct AS (SELECT * FROM slow WHERE variant IN ('cuda-aware', 'peer-copy', 'peer-store') ORDER BY variant <> 'cuda-aware', quiet LIMIT 1)
SELECT 'peshne-c-078' AS id,
       printf('%.2f times as long with %d threads per rank by staged, %.2f by %s', s.mid, s.stress, d.mid, d.variant) AS measured,
       'staged not less than direct' AS bound, CASE WHEN s.low >= d.high THEN 1 WHEN s.high < d.low THEN 0 END AS ok,
       CASE WHEN EXISTS (SELECT 1 FROM machine WHERE name = 'device0_kind' AND value = 'soft')
            THEN 'the memory of the software GPU is host memory, and the threads take its cores' ELSE '' END AS reason
FROM slow AS s JOIN direct AS d WHERE s.variant = 'staged';

-- All copies of a GET and a PUT between a worker with a GPU and a server without: two are between GPU and main memory when staged. What
-- CUDA-aware MPI asks of the CUDA driver may not be seen; then it is not counted here.
WITH moved AS (
    SELECT variant, pair IN ('D H', 'D P') AS put, instr(pair, 'P') > 0 AS pinned, round(median(copies), 1) AS copies
    FROM rdma_copies WHERE status = 'pass' AND roles = 'server' AND engine_copies + kernel_copies > 0 GROUP BY variant, pair),
kept AS (SELECT *, row_number() OVER (PARTITION BY variant, put ORDER BY pinned) AS nth FROM moved),
cycle AS (SELECT variant, sum(copies) AS copies FROM kept WHERE nth = 1 GROUP BY variant HAVING count(*) = 2),
direct AS (
    SELECT * FROM cycle WHERE variant IN ('cuda-aware', 'peer-copy', 'peer-store') ORDER BY variant <> 'cuda-aware', copies, variant LIMIT 1)
SELECT 'peshne-c-104' AS id, printf('%g by %s, %g by staged', d.copies, d.variant, s.copies) AS measured, 'at least 2 fewer' AS bound,
       d.copies <= s.copies - 2 AS ok, '' AS reason
FROM cycle AS s JOIN direct AS d WHERE s.variant = 'staged';

-- Time per number at the smallest and at the largest block: GET of a block into page-locked memory, and copy of a block to the GPU.
WITH per AS (
    SELECT 'GET' AS name, block_elements AS n, time_s / block_elements AS mid, time_low_s / block_elements AS low, time_high_s / block_elements AS high
    FROM rdma_get_median WHERE variant = 'host-pinned'
    UNION ALL SELECT 'copy to the GPU', block_elements, time_s / block_elements, time_low_s / block_elements, time_high_s / block_elements
    FROM pinning_copy_median WHERE variant = 'pinned' AND direction = 'h2d'),
few AS (SELECT name, min(n) AS n, mid, low, high FROM per GROUP BY name),
many AS (SELECT name, max(n) AS n, mid, low, high FROM per GROUP BY name)
SELECT 'peshne-c-106' AS id,
       group_concat(printf('%s: %.3g ns with %d, %.3g ns with %d', name, 1e9 * few.mid, few.n, 1e9 * many.mid, many.n), '; ') AS measured,
       'less per number in the largest block' AS bound,
       CASE WHEN min(many.high < few.low) THEN 1 WHEN max(many.low >= few.high) THEN 0 END AS ok, '' AS reason
FROM few JOIN many USING (name) HAVING count(*) = 2;
