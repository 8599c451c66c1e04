-- Figure 3.16: the matrix product with two algorithms, with and without managed memory, from a tenth to twice the device
-- memory.
WITH r AS (SELECT * FROM unified_memory_matmul_ratios),
t AS (SELECT * FROM unified_memory_matmul_ways WHERE rounds = 1),
cost AS (SELECT * FROM r WHERE pair = 'um / copies'),
loss AS (SELECT place > 2 AS large, median(value) AS value, median(low) AS low, median(high) AS high FROM cost
         WHERE rounds = 1 GROUP BY large),
-- Beyond the device naive copies cannot be measured: their time at the largest size that fits grows with the size cubed.
fitting AS (SELECT *, max(size) FROM t WHERE algorithm = 'naive' AND way = 'copies' GROUP BY way),
naive AS (SELECT t.place, t.time_s / f.time_s / pow(1.0 * t.size / f.size, 3) AS value,
                 t.time_low_s / f.time_high_s / pow(1.0 * t.size / f.size, 3) AS low,
                 t.time_high_s / f.time_low_s / pow(1.0 * t.size / f.size, 3) AS high
          FROM t JOIN fitting AS f USING (algorithm) WHERE t.way = 'um' AND t.beyond),
block AS (SELECT *, lag(value) OVER w AS before, lag(low) OVER w AS low_before, lag(high) OVER w AS high_before
          FROM r WHERE algorithm = 'block' AND pair = 'um / framework' AND rounds = 1 WINDOW w AS (ORDER BY place))
SELECT 'cui-c-115', n.time_s / b.time_s, n.time_low_s / b.time_high_s, n.time_high_s / b.time_low_s, 'naive / block, set ' || place
FROM t AS n JOIN t AS b USING (way, place) WHERE n.algorithm = 'naive' AND b.algorithm = 'block' AND way = 'copies'
UNION ALL
SELECT iif(rounds = 1, 'cui-c-116', 'cui-c-123'), median(value), median(low), median(high),
       'um / prefetched, median over sizes and algorithms, rounds: ' || rounds
FROM r WHERE pair = 'um / hints' GROUP BY rounds
UNION ALL
SELECT 'cui-c-117', 1 / value, 1 / high, 1 / low, 'inverse of ' || words FROM cost WHERE place <= 2 AND rounds = 1
UNION ALL
SELECT 'cui-c-118', b.value / s.value, b.low / s.high, b.high / s.low, 'um / copies in sets 3 and 4, over that in 1 and 2, medians'
FROM loss AS s, loss AS b WHERE NOT s.large AND b.large
UNION ALL
SELECT 'cui-c-119', iif(b.real, n.value, NULL), n.low, n.high, iif(b.real, 'um / copies, naive, set ' || place, words)
FROM naive AS n JOIN block AS b USING (place)
UNION ALL
SELECT column1, iif(b.real, b.value / n.value, NULL), b.low / n.high, b.high / n.low,
       iif(b.real, 'of the slowdown of naive um: ', '') || words
FROM naive AS n JOIN block AS b USING (place), (VALUES ('cui-c-120'), ('cui-c-121'))
UNION ALL
SELECT 'cui-c-122', median(m.value / o.value), median(m.low / o.high), median(m.high / o.low),
       printf('um / copies with %d rounds / with one, median', max(m.rounds))
FROM cost AS m JOIN cost AS o USING (algorithm, place) WHERE m.rounds > 1 AND o.rounds = 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-124', iif(real, value / before, NULL), low / high_before, high / low_before,
       iif(real, 'of the set before: ', '') || words
FROM block WHERE before IS NOT NULL
UNION ALL
SELECT 'cui-c-304', iif(block.real, b.moved / n.moved, NULL), NULL, NULL,
       CASE WHEN NOT block.real THEN words WHEN b.moved / n.moved IS NULL THEN 'traffic of managed memory could not be counted, see the log'
            ELSE 'bytes moved, block um / naive um, set ' || place END
FROM block JOIN t AS b USING (place) JOIN t AS n USING (way, place)
WHERE block.beyond AND way = 'um' AND b.algorithm = 'block' AND n.algorithm = 'naive';
