-- Two GPUs: the direct path against staged, page-locked: latency at 4 bytes and 128 KiB, bandwidth at 4 and 64 KiB.
WITH ratio AS (
    SELECT iif(bytes IN (4, 131072), 'peshne-c-010', 'peshne-c-011') AS id, bytes IN (4, 4096) AS small, *
    FROM rdma_ratios
    WHERE experiment = 'rdma_pingpong' AND a = 'staged' AND b = 'direct' AND parameters LIKE '%pair=D D %'
      AND parameter(parameters, 'stress') = '0'
      AND (parameters LIKE 'mode=latency %' AND bytes IN (4, 131072) OR parameters LIKE 'mode=bandwidth %'
           AND bytes IN (4096, 65536)))
SELECT id || iif(small, '/small', '/large') AS id, mid AS value, low, high,
       printf('times faster, %d bytes by %s', bytes, variant) AS words
FROM ratio
UNION ALL
SELECT id || '/more', s.mid / l.mid, s.low / l.high, s.high / l.low, 'times that of the large message'
FROM ratio AS s JOIN ratio AS l USING (id) WHERE s.small AND NOT l.small;

-- What threads that copy through host memory cost both. On the software GPU its memory is host memory, and the threads
-- take its cores.
WITH way AS (
    SELECT stress, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM rdma_stress_median
    WHERE pair = 'D D' AND mode = 'bandwidth' AND bytes = (SELECT max(bytes) FROM rdma_stress_median)),
slow AS (
    SELECT variant, busy.stress AS stress, busy.mid / quiet.mid AS mid, busy.low / quiet.high AS low,
           busy.high / quiet.low AS high, quiet.mid AS quiet
    FROM way AS busy JOIN way AS quiet USING (variant)
    WHERE quiet.stress = 0 AND busy.stress = (SELECT max(stress) FROM way) AND busy.stress > 0)
SELECT 'peshne-c-078' AS id, s.mid / d.mid AS value, s.low / d.high AS low, s.high / d.low AS high,
       printf('times the slowdown of %s by staged, %d threads per rank', d.variant, s.stress) AS words
FROM slow AS s JOIN slow AS d WHERE s.variant = 'staged' AND d.variant IN ('cuda-aware', 'peer-copy', 'peer-store')
ORDER BY d.variant <> 'cuda-aware', d.quiet LIMIT 1;

-- All copies of a GET and a PUT between a worker with a GPU and a server without: two are between GPU and main memory
-- when staged. What CUDA-aware MPI asks of the CUDA driver may not be seen; then it is not counted here.
WITH moved AS (
    SELECT variant, pair IN ('D H', 'D P') AS put, instr(pair, 'P') > 0 AS pinned, round(median(copies), 1) AS copies
    FROM rdma_copies WHERE status = 'pass' AND roles = 'server' AND engine_copies + kernel_copies > 0 GROUP BY variant,
    pair),
kept AS (SELECT *, row_number() OVER (PARTITION BY variant, put ORDER BY pinned) AS nth FROM moved),
cycle AS (SELECT variant, sum(copies) AS copies FROM kept WHERE nth = 1 GROUP BY variant HAVING count(*) = 2)
SELECT 'peshne-c-104' AS id, s.copies - d.copies AS value, NULL AS low, NULL AS high,
       printf('copies fewer than the %g of staged by %s', s.copies, d.variant) AS words
FROM cycle AS s JOIN cycle AS d WHERE s.variant = 'staged' AND d.variant IN ('cuda-aware', 'peer-copy', 'peer-store')
ORDER BY d.variant <> 'cuda-aware', d.copies, d.variant LIMIT 1;

-- Time per number at the largest block against the smallest: GET of a block into page-locked memory, and copy to the
-- GPU.
WITH per AS (
    SELECT 'get' AS name, block_elements AS n, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM rdma_get_median WHERE variant = 'host-pinned'
    UNION ALL SELECT 'copy', block_elements, time_s, time_low_s, time_high_s
    FROM pinning_copy_median WHERE variant = 'pinned' AND direction = 'h2d')
SELECT 'peshne-c-106/' || name AS id, m.mid * f.n / (f.mid * m.n) AS value, m.low * f.n / (f.high * m.n) AS low,
       m.high * f.n / (f.low * m.n) AS high, printf('times as long per number with %d as with %d', m.n, f.n) AS words
FROM (SELECT name, min(n) AS n, mid, low, high FROM per GROUP BY name) AS f
JOIN (SELECT name, max(n) AS n, mid, low, high FROM per GROUP BY name) AS m USING (name);

-- Copies of a block between the memories of two GPUs on two nodes: the normal path (staged-pageable) and page-locked
-- buffers (staged). Whether two sets of copies are saved at each end or in total is not said; the latter is judged.
-- Counts are bytes moved / bytes of the block; rounding leaves out the headers of messages.
WITH path AS (
    SELECT variant, round(median(sender_copies), 1) AS sender, round(median(receiver_copies), 1) AS receiver,
           round(median(copies), 1) AS total
    FROM rdma_copies_network WHERE status = 'pass' AND roles = 'peers' AND pair = 'D D' GROUP BY variant),
normal AS (SELECT * FROM path WHERE variant = 'staged-pageable')
SELECT 'peshne-c-075/sender' AS id, sender AS value, NULL AS low, NULL AS high, 'copies at the sender' AS words
FROM normal
UNION ALL SELECT 'peshne-c-075/receiver', receiver, NULL, NULL, 'at the receiver' FROM normal
UNION ALL SELECT 'peshne-c-075/total', total, NULL, NULL, 'in total' FROM normal
UNION ALL
SELECT 'peshne-c-076', n.total - d.total, NULL, NULL,
       printf('copies fewer in total, %g at the sender, %g at the receiver', n.sender - d.sender, n.receiver
              - d.receiver)
FROM normal AS n JOIN path AS d WHERE d.variant = 'staged';

-- The direct path: CUDA-aware MPI, or where there is none, or what its library asks of the CUDA driver was not seen,
-- the paths that write into the memory of the other GPU.
WITH path AS (
    SELECT variant, round(median(copies), 1) AS copies FROM rdma_copies
    WHERE status = 'pass' AND roles = 'peers' AND pair = 'D D' AND variant IN ('cuda-aware', 'peer-copy', 'peer-store')
      AND engine_copies + kernel_copies > 0 GROUP BY variant)
SELECT 'peshne-c-077' AS id, copies AS value, NULL AS low, NULL AS high, 'copies by ' || variant AS words
FROM path WHERE variant = 'cuda-aware' OR NOT EXISTS (SELECT 1 FROM path WHERE variant = 'cuda-aware');

-- GET of a block into pageable and page-locked main memory and straight into the memory of a GPU, medians over the
-- sizes. Between two processes of one host MPI copies from host memory to host memory, without a GPU.
WITH step AS (
    SELECT b = 'direct' AS gpu, median(mid) AS mid, median(low) AS low, median(high) AS high,
           printf('%s, median of %d sizes', group_concat(DISTINCT variant), count(*)) AS words
    FROM rdma_ratios
    WHERE experiment = 'rdma_get' AND (a = 'host-pageable' AND b = 'host-pinned' OR a = 'host-pinned' AND b = 'direct')
    GROUP BY b)
SELECT iif(gpu, 'peshne-c-079/gpu', 'peshne-c-079/pinned') AS id, mid AS value, low, high,
       iif(gpu, 'times faster than page-locked is ', 'times faster than pageable is ') || words AS words
FROM step
UNION ALL
SELECT 'peshne-c-080', mid, low, high, 'times faster than pageable is ' || words FROM step WHERE NOT gpu;

-- PUT of a block out of the three kinds of memory: slowest / fastest.
WITH spread AS (
    SELECT elements, max(mid) AS mid, max(low) AS low, max(high) AS high FROM rdma_ratios
    WHERE experiment = 'rdma_put' AND a IN ('host-pageable', 'host-pinned', 'direct')
      AND b IN ('host-pageable', 'host-pinned', 'direct') AND a <> b
    GROUP BY elements HAVING count(DISTINCT a) = 3)
SELECT 'peshne-c-081' AS id, median(mid) AS value, median(low) AS low, median(high) AS high,
       printf('times the fastest kind of memory takes the slowest, median of %d sizes', count(*)) AS words
FROM spread HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-082', mid, low, high, printf('times the fastest kind takes the slowest, %d elements', elements)
FROM spread;

-- GET, work on the GPU, PUT: straight into and out of the GPU against copies between page-locked main memory and the
-- GPU. What the copies save is the gain less what the messages save.
SELECT 'peshne-c-083/gain' AS id, median(gain) AS value, NULL AS low, NULL AS high,
       printf('s saved, median of %d sizes', count(*)) AS words
FROM rdma_savings HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-083/copies', median((gain - 2 * messages) / staged), median((gain_low - 2 * messages_high) / staged),
       median((gain_high - 2 * messages_low) / staged),
       'of the staged time saved by the copies more than by the messages'
FROM rdma_savings HAVING count(*) > 0;

WITH ratio AS (SELECT * FROM rdma_ratios WHERE experiment = 'rdma_total' AND a = 'staged' AND b = 'direct')
SELECT 'peshne-c-084/ratio' AS id, mid AS value, low, high,
       printf('times faster by %s, %d elements', variant, elements) AS words
FROM ratio WHERE elements > 2000
UNION ALL
SELECT 'peshne-c-084/growth', l.mid / s.mid, l.low / s.high, l.high / s.low,
       printf('times that at %d elements, %d elements', s.elements, l.elements)
FROM ratio AS s JOIN ratio AS l ON l.elements > 2000 WHERE s.elements = (SELECT min(elements) FROM ratio)
UNION ALL
SELECT 'peshne-c-085', mid, low, high, printf('times faster by %s, %d elements', variant, elements)
FROM ratio WHERE elements = 3025;
