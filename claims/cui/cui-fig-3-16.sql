-- The matrix product: algorithms naive and block, with and without managed memory, sizes from a tenth to twice the device memory.
WITH t AS (SELECT iif(variant LIKE 'naive%', 'naive', 'block') AS algorithm,
                  CASE WHEN variant IN ('naive', 'block') THEN 'copies' WHEN variant LIKE '%-um' THEN 'um' WHEN variant LIKE '%-um-prefetch' THEN 'hints'
                       ELSE variant END AS way,
                  size, rounds, footprint_bytes / capacity_bytes > 1 AS beyond, oversubscribed, footprint_bytes AS footprint,
                  bytes_to_device + bytes_from_device AS moved, time_s, time_low_s AS low, time_high_s AS high,
                  dense_rank() OVER (ORDER BY share_of_capacity) AS place FROM unified_memory_matmul_median),
ratio AS (SELECT a.algorithm AS algorithm, a.way AS slow, b.way AS fast, a.rounds AS rounds, a.place AS place, a.beyond AS beyond,
                 a.time_s / b.time_s AS mid, a.low / b.high AS low, a.high / b.low AS high
          FROM t AS a JOIN t AS b USING (algorithm, rounds, place)),
-- um / copies where data fit
cost AS (SELECT * FROM ratio WHERE slow = 'um' AND fast = 'copies'),
loss AS (SELECT median(mid) FILTER (WHERE place <= 2) AS mid_small, median(low) FILTER (WHERE place <= 2) AS low_small,
                median(high) FILTER (WHERE place <= 2) AS high_small, median(mid) FILTER (WHERE place > 2) AS mid_large,
                median(low) FILTER (WHERE place > 2) AS low_large, median(high) FILTER (WHERE place > 2) AS high_large FROM cost WHERE rounds = 1),
-- Beyond the device naive copies cannot be measured: their time at the largest size that fits grows with the size cubed.
largest AS (SELECT * FROM t WHERE algorithm = 'naive' AND way = 'copies' AND rounds = 1 ORDER BY size DESC LIMIT 1),
falls AS (SELECT a.place AS place, a.time_s / l.time_s / pow(1.0 * a.size / l.size, 3) AS mid, a.low / l.high / pow(1.0 * a.size / l.size, 3) AS low,
                 a.high / l.low / pow(1.0 * a.size / l.size, 3) AS high
          FROM t AS a, largest AS l WHERE a.algorithm = 'naive' AND a.way = 'um' AND a.rounds = 1 AND a.beyond),
block AS (SELECT * FROM ratio WHERE algorithm = 'block' AND slow = 'um' AND fast = 'framework' AND rounds = 1),
worse AS (SELECT b.place AS place, b.mid AS block, f.mid AS naive, b.mid / f.mid AS mid, b.low / f.high AS low, b.high / f.low AS high
          FROM block AS b JOIN falls AS f USING (place)),
steps AS (SELECT *, lag(mid) OVER (ORDER BY place) AS mid_before, lag(low) OVER (ORDER BY place) AS low_before FROM block),
waste AS (SELECT b.place AS place, b.moved / b.footprint AS block, n.moved / n.footprint AS naive FROM t AS b JOIN t AS n USING (place, rounds)
          WHERE b.algorithm = 'block' AND n.algorithm = 'naive' AND b.way = 'um' AND n.way = 'um' AND b.beyond AND rounds = 1),
again AS (SELECT median(m.mid / o.mid) AS mid, median(m.low / o.high) AS low, median(m.high / o.low) AS high, max(m.rounds) AS rounds
          FROM cost AS m JOIN cost AS o USING (algorithm, place) WHERE m.rounds > 1 AND o.rounds = 1 HAVING count(*) > 0),
filled AS (SELECT max(oversubscribed) AS real, iif(max(oversubscribed), '', 'the device was not filled up (--oversubscribe): nothing was evicted') AS why
           FROM t WHERE way = 'um' AND beyond),
machine_is AS (SELECT EXISTS (SELECT 1 FROM machine WHERE name = 'device0_name' AND value LIKE '%P100%') AS same)
SELECT 'cui-c-115' AS id, printf('naive / block %.2f to %.2f where data fit', min(n.time_s / b.time_s), max(n.time_s / b.time_s)) AS measured,
       '>= 1.3 (thesis: 1.6 to 2.2)' AS bound, CASE WHEN min(n.low / b.high) >= 1.3 THEN 1 WHEN min(n.high / b.low) < 1.3 THEN 0 END AS ok, '' AS reason
FROM t AS n JOIN t AS b USING (way, place, rounds) WHERE n.algorithm = 'naive' AND b.algorithm = 'block' AND way = 'copies' AND rounds = 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-116', printf('um / prefetched %.3f, median over sizes and algorithms', median(mid)), '< 1.02',
       CASE WHEN median(high) < 1.02 THEN 1 WHEN median(low) >= 1.02 THEN 0 END, ''
FROM ratio WHERE slow = 'um' AND fast = 'hints' AND rounds = 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-117', printf('copies / um %.3f to %.3f in sets 1 and 2', min(1 / mid), max(1 / mid)), '0.94..1.01',
       CASE WHEN same THEN min(1 / mid) >= 0.94 AND max(1 / mid) <= 1.01 ELSE 'waived' END, iif(same, '', 'measured on other hardware than the Tesla P100 of the thesis')
FROM cost, machine_is WHERE place <= 2 AND rounds = 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-118', printf('um / copies %.3f in sets 3 and 4, %.3f in sets 1 and 2, medians', mid_large, mid_small), 'larger in sets 3 and 4 (thesis: 1.3)',
       CASE WHEN low_large > high_small THEN 1 WHEN high_large < low_small THEN 0 END, '' FROM loss WHERE mid_large > 0
UNION ALL
SELECT 'cui-c-119', printf('naive um / naive copies %.2f to %.2f beyond the device', min(mid), max(mid)), '1.8..5.5',
       CASE WHEN same AND max(real) THEN min(mid) >= 1.8 AND max(mid) <= 5.5 ELSE 'waived' END,
       iif(same, why, 'measured on other hardware than the Tesla P100 of the thesis') FROM falls, machine_is, filled HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-120', printf('block um %.2f to %.2f, naive um %.2f to %.2f times the reference beyond the device', min(block), max(block), min(naive), max(naive)),
       'block um > 2 x naive um (thesis: 10.3 to 28.3)',
       CASE WHEN NOT max(real) THEN 'waived' WHEN min(low) > 2 THEN 1 WHEN min(high) <= 2 THEN 0 END, why FROM worse, filled HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-121', printf('block um %.2f to %.2f, naive um %.2f to %.2f times the reference beyond the device', min(block), max(block), min(naive), max(naive)),
       'block um > naive um', CASE WHEN NOT max(real) THEN 'waived' WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END, why FROM worse, filled HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-122', printf('um / copies with %d rounds is %.3f of that with one, median', rounds, mid), '0.9..1.1',
       CASE WHEN low >= 0.9 AND high <= 1.1 THEN 1 WHEN high < 0.9 OR low > 1.1 THEN 0 END, '' FROM again
UNION ALL
SELECT 'cui-c-123', printf('um / prefetched %.3f with %d rounds, median over sizes and algorithms', median(mid), max(rounds)), '0.97..1.05',
       CASE WHEN median(low) >= 0.97 AND median(high) <= 1.05 THEN 1 WHEN median(high) < 0.97 OR median(low) > 1.05 THEN 0 END, ''
FROM ratio WHERE slow = 'um' AND fast = 'hints' AND rounds > 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-124', printf('block um / framework %s', group_concat(printf('%.2f', mid), ', ')), 'no step down by more than 5 %',
       CASE WHEN NOT max(real) THEN 'waived' WHEN min(coalesce(mid >= 0.95 * mid_before, 1)) THEN 1 WHEN max(coalesce(high < 0.95 * low_before, 0)) THEN 0 END, why
FROM (SELECT * FROM steps ORDER BY place), filled HAVING count(*) > 1
UNION ALL
SELECT 'cui-c-304', printf('block um moves %.2f to %.2f, naive um %.2f to %.2f times its data', min(block), max(block), min(naive), max(naive)),
       'block um more', CASE WHEN NOT max(real) OR count(block) < count(*) THEN 'waived' ELSE min(block > naive) END,
       iif(max(real) AND count(block) < count(*), 'traffic of managed memory could not be counted, see the log', why) FROM waste, filled HAVING count(*) > 0;
