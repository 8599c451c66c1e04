-- Convolution with host updates between rounds, sizes from a quarter to twice the device memory. Sets are those
-- of unified_memory_ladder; managed memory beyond the device is only judged where the device was really that small.
WITH t AS (SELECT variant, share_of_capacity AS share, footprint_bytes / capacity_bytes > 1 AS beyond, oversubscribed, footprint_bytes AS bytes,
                  time_s, time_low_s AS low, time_high_s AS high FROM unified_memory_ladder_median),
ratio AS (SELECT a.variant AS slow, b.variant AS fast, share, a.beyond AS beyond, a.time_s / b.time_s AS mid, a.low / b.high AS low,
                 a.high / b.low AS high FROM t AS a JOIN t AS b USING (share)),
filled AS (SELECT max(oversubscribed) AS real FROM t WHERE variant = 'um' AND beyond),
um AS (SELECT beyond, min(mid) AS least, max(mid) AS most, min(low) AS low, max(low) AS low_most, min(high) AS high,
              max(high) AS high_most FROM ratio WHERE slow = 'um' AND fast = 'framework' GROUP BY beyond),
hint AS (SELECT fast, median(mid) AS mid, median(low) AS low, median(high) AS high FROM ratio
         WHERE slow = 'um' AND fast LIKE 'um-%' GROUP BY fast),
outcome AS (SELECT variant, sum(share_of_capacity < 1 AND outcome = 'ok') > 0 AS small, sum(share_of_capacity >= 1 AND outcome = 'ok') AS large,
                   sum(outcome <> 'ok') AS refused, count(DISTINCT share_of_capacity) AS sets, sum(errors) AS errors
            FROM unified_memory_ladder WHERE share_of_capacity IS NOT NULL GROUP BY variant),
rate AS (SELECT max(time_s / bytes) / min(time_s / bytes) AS mid, max(low / bytes) / min(high / bytes) AS low,
                max(high / bytes) / min(low / bytes) AS high FROM t WHERE variant = 'framework')
SELECT 'cui-c-107' AS id, printf('naive / pipeline %.2f or more where data fit', min(mid)) AS measured, '>= 1.05 (thesis: 1.2)' AS bound,
       CASE WHEN min(low) >= 1.05 THEN 1 WHEN min(high) < 1.05 THEN 0 END AS ok, '' AS reason
FROM ratio WHERE slow = 'naive' AND fast = 'pipeline' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-108', printf('framework / pipeline %.3f to %.3f where data fit', min(mid), max(mid)), '0.95..1.05',
       CASE WHEN min(low) >= 0.95 AND max(high) <= 1.05 THEN 1 WHEN min(high) < 0.95 OR max(low) > 1.05 THEN 0 END, ''
FROM ratio WHERE slow = 'framework' AND fast = 'pipeline' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-109', printf('naive %s, pipeline %s, framework %s beyond the device; its time per byte varies by %.2f',
                           iif(n.large, 'runs', 'fails'), iif(p.large, 'runs', 'fails'), iif(f.refused, 'fails', 'runs'), rate.mid),
       'fails, fails, runs, <= 1.15',
       CASE WHEN n.large OR p.large OR f.refused OR f.errors OR rate.low > 1.15 THEN 0 WHEN rate.high <= 1.15 THEN 1 END, ''
FROM outcome AS n, outcome AS p, outcome AS f, rate WHERE n.variant = 'naive' AND p.variant = 'pipeline' AND f.variant = 'framework'
UNION ALL
SELECT 'cui-c-110', printf('%d sets, %d wrong elements', sets, errors), '5 sets, none',
       CASE WHEN sets < 5 OR errors OR refused THEN 0 WHEN real THEN 1 ELSE 'waived' END,
       iif(real, '', 'the device was not filled up (--oversubscribe): sets 3 to 5 were not beyond its memory')
FROM outcome, filled WHERE variant = 'um'
UNION ALL
SELECT 'cui-c-111', printf('um / framework %.2f to %.2f where data fit', least, most), '> 1 (thesis: 1.9)',
       CASE WHEN low > 1 THEN 1 WHEN high <= 1 THEN 0 END, '' FROM um WHERE NOT beyond
UNION ALL
SELECT 'cui-c-112', printf('um / framework %.2f to %.2f beyond the device, %.2f at most where data fit', b.least, b.most, s.most),
       'larger beyond (thesis: 3.6 to 6.5)',
       CASE WHEN NOT real THEN 'waived' WHEN b.low > s.high_most THEN 1 WHEN b.high < s.low_most THEN 0 END,
       iif(real, '', 'the device was not filled up (--oversubscribe): nothing was evicted')
FROM um AS s, um AS b, filled WHERE NOT s.beyond AND b.beyond
UNION ALL
SELECT 'cui-c-113', printf('um / um-gpu-prefetch %.2f, um / um-cpu-prefetch %.2f, medians over sets', g.mid, c.mid), 'both > 1',
       CASE WHEN g.low > 1 AND c.low > 1 THEN 1 WHEN g.high <= 1 OR c.high <= 1 THEN 0 END, ''
FROM hint AS g, hint AS c WHERE g.fast = 'um-gpu-prefetch' AND c.fast = 'um-cpu-prefetch'
UNION ALL
SELECT 'cui-c-114', printf('um / um-prefetch %.2f, median over sets; um-prefetch-all %.2f', b.mid, a.mid), '>= 1.2 (thesis: 1.6)',
       CASE WHEN b.low >= 1.2 THEN 1 WHEN b.high < 1.2 THEN 0 END, ''
FROM hint AS b, hint AS a WHERE b.fast = 'um-prefetch' AND a.fast = 'um-prefetch-all';
