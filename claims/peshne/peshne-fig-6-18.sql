-- GET, work on the GPU, PUT: with copies between page-locked main memory and the GPU (staged) against straight into and out of the
-- GPU, by CUDA-aware MPI if that was measured, else by the faster of the paths to the server's page-locked memory.
WITH way AS (
    SELECT variant, block_elements AS n, median(time_s) AS mid, interval_low(time_s) AS low, interval_high(time_s) AS high,
           median(messages_s) AS messages, interval_low(messages_s) AS messages_low, interval_high(messages_s) AS messages_high
    FROM rdma_total WHERE status = 'pass' GROUP BY variant, block_elements),
direct AS (
    SELECT *, row_number() OVER (PARTITION BY n ORDER BY variant <> 'cuda-aware', mid) AS nth
    FROM way WHERE variant IN ('cuda-aware', 'peer-copy', 'peer-store')),
pair AS (
    SELECT s.n AS n, d.variant AS variant, s.mid / d.mid AS mid, s.low / d.high AS low, s.high / d.low AS high, p.mid / d.mid AS pageable,
           s.mid - d.mid AS gain, 1 - (s.messages - d.messages) / (s.mid - d.mid) AS share,
           -- the claim's inequality as a difference, which is at least 0 where it holds
           (0.5 * (s.mid - d.mid) - (s.messages - d.messages)) / s.mid AS excess,
           (0.5 * (s.low - d.high) - (s.messages_high - d.messages_low)) / s.mid AS excess_low,
           (0.5 * (s.high - d.low) - (s.messages_low - d.messages_high)) / s.mid AS excess_high
    FROM way AS s JOIN direct AS d USING (n) JOIN way AS p USING (n)
    WHERE s.variant = 'staged' AND p.variant = 'staged-pageable' AND nth = 1),
near AS (SELECT * FROM pair WHERE n = 3025),
first AS (SELECT * FROM pair WHERE n = (SELECT min(n) FROM pair))
SELECT 'peshne-c-083' AS id,
       printf('the copies are %.2f of the gain at 3025 elements (%s), %.2f in the median of %d sizes', (SELECT share FROM near),
              (SELECT variant FROM near), median(share), count(*)) AS measured,
       '>= 0.5 of the gain' AS bound,
       CASE WHEN median(gain) <= 0 THEN 0 WHEN median(excess_low) >= 0 THEN 1 WHEN median(excess_high) < 0 THEN 0 END AS ok, '' AS reason
FROM pair HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-084',
       printf('%.2f at %d elements, ', first.mid, first.n) || group_concat(printf('%.2f at %d', pair.mid, pair.n), ', '),
       'above 2000 elements >= 1.5 and not below the first',
       CASE WHEN min(pair.low) >= max(1.5, first.high) THEN 1 WHEN min(pair.high) < max(1.5, first.low) THEN 0 END, ''
FROM pair, first WHERE pair.n > 2000 HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-085', printf('%.2f by %s (%.2f of staged-pageable)', mid, variant, pageable), '>= 2 at 3025 elements (thesis: about 5)',
       CASE WHEN low >= 2 THEN 1 WHEN high < 2 THEN 0 END, ''
FROM near;
