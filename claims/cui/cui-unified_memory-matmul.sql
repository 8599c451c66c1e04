-- Figure 3.16: the matrix product with two algorithms, with and without managed memory, from a tenth to twice the device memory.
WITH r AS (SELECT *, algorithm || ', set ' || place AS at FROM unified_memory_matmul_ratios),
t AS (SELECT * FROM unified_memory_matmul_ways WHERE rounds = 1),
unfilled AS (SELECT 'the device was not filled up (--oversubscribe): nothing was evicted' AS why),
cost AS (SELECT * FROM r WHERE slow = 'um' AND fast = 'copies'),
loss AS (SELECT place > 2 AS large, median(value) AS value, median(low) AS low, median(high) AS high FROM cost WHERE rounds = 1 GROUP BY large),
-- Beyond the device naive copies cannot be measured: their time at the largest size that fits grows with the size cubed.
largest AS (SELECT *, max(size) FROM t WHERE algorithm = 'naive' AND way = 'copies' GROUP BY way),
falls AS (SELECT t.place, t.real, t.time_s / l.time_s / growth AS value, t.time_low_s / l.time_high_s / growth AS low,
                 t.time_high_s / l.time_low_s / growth AS high
          FROM (SELECT *, pow(1.0 * size / (SELECT size FROM largest), 3) AS growth FROM t) AS t, largest AS l
          WHERE t.algorithm = 'naive' AND t.way = 'um' AND t.beyond),
block AS (SELECT * FROM r WHERE algorithm = 'block' AND slow = 'um' AND fast = 'framework' AND rounds = 1),
step AS (SELECT place, max(real) OVER () AS real, value / lag(value) OVER w AS value, low / lag(high) OVER w AS low,
                high / lag(low) OVER w AS high
         FROM block WINDOW w AS (ORDER BY place))
SELECT 'cui-c-115' AS id, n.time_s / b.time_s AS value, n.time_low_s / b.time_high_s AS low, n.time_high_s / b.time_low_s AS high,
       'naive / block, set ' || place AS words
FROM t AS n JOIN t AS b USING (way, place) WHERE n.algorithm = 'naive' AND b.algorithm = 'block' AND way = 'copies'
UNION ALL
SELECT iif(rounds = 1, 'cui-c-116', 'cui-c-123'), median(value), median(low), median(high),
       printf('um / prefetched, median over sizes and algorithms, rounds: %d', rounds)
FROM r WHERE slow = 'um' AND fast = 'hints' GROUP BY rounds
UNION ALL
SELECT 'cui-c-117', 1 / value, 1 / high, 1 / low, 'copies / um, ' || at FROM cost WHERE place <= 2 AND rounds = 1
UNION ALL
SELECT 'cui-c-118', b.value / s.value, b.low / s.high, b.high / s.low, 'um / copies in sets 3 and 4, over that in 1 and 2, medians'
FROM loss AS s, loss AS b WHERE NOT s.large AND b.large
UNION ALL
SELECT 'cui-c-119', iif(real, value, NULL), low, high, iif(real, 'naive um / naive copies, set ' || place, why) FROM falls, unfilled
UNION ALL
SELECT column1, iif(b.real, b.value / f.value, NULL), b.low / f.high, b.high / f.low,
       iif(b.real, 'slowdown of block um / of naive um, set ' || place, why)
FROM block AS b JOIN falls AS f USING (place), unfilled, (VALUES ('cui-c-120'), ('cui-c-121'))
UNION ALL
SELECT 'cui-c-122', median(m.value / o.value), median(m.low / o.high), median(m.high / o.low),
       printf('um / copies with %d rounds / with one, median', max(m.rounds))
FROM cost AS m JOIN cost AS o USING (algorithm, place) WHERE m.rounds > 1 AND o.rounds = 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-124', iif(real, value, NULL), low, high, iif(real, 'block um / framework in set ' || place || ' over that before', why)
FROM step, unfilled WHERE value IS NOT NULL
UNION ALL
SELECT 'cui-c-304', iif(b.real, b.moved / n.moved, NULL), NULL, NULL,
       CASE WHEN NOT b.real THEN why WHEN b.moved / n.moved IS NULL THEN 'traffic of managed memory could not be counted, see the log'
            ELSE 'bytes moved, block um / naive um, set ' || place END
FROM t AS b JOIN t AS n USING (way, place), unfilled WHERE way = 'um' AND b.algorithm = 'block' AND n.algorithm = 'naive' AND b.beyond;
