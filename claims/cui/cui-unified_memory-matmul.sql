-- Figure 3.16: the matrix product with two algorithms, with and without managed memory, up to twice the memory.
WITH r AS (SELECT *, printf('%s, %s of the device memory', pair, share) AS words FROM unified_memory_ratios
           WHERE experiment = 'unified_memory_matmul'),
once AS (SELECT * FROM r WHERE rounds = 1),
cost AS (SELECT * FROM r WHERE pair IN ('naive-um / naive', 'block-um / block')),
loss AS (SELECT share > 0.5 AS large, median(value) AS value, median(low) AS low, median(high) AS high
         FROM cost WHERE rounds = 1 GROUP BY large),
-- Beyond the device naive copies cannot be measured: their time at the largest size that fits grows with its cube.
t AS (SELECT *, pow(size, 3) AS work FROM unified_memory_matmul_median WHERE rounds = 1),
naive AS (SELECT u.share_of_capacity AS share, u.time_s / u.work / n.time_s * n.work AS value,
                 u.time_low_s / u.work / n.time_high_s * n.work AS low,
                 u.time_high_s / u.work / n.time_low_s * n.work AS high
          FROM t AS u, (SELECT *, max(size) FROM t WHERE variant = 'naive' GROUP BY variant) AS n
          WHERE u.variant = 'naive-um' AND u.share_of_capacity > 1),
block AS (SELECT *, lag(value) OVER w AS before, lag(low) OVER w AS low_before, lag(high) OVER w AS high_before
          FROM once WHERE pair = 'block-um / framework' WINDOW w AS (ORDER BY share)),
moved AS (SELECT variant, share_of_capacity AS share, (bytes_to_device + bytes_from_device) / footprint_bytes AS moved
          FROM t),
beyond AS (
    SELECT 'cui-c-119' AS id, value, low, high, 'naive-um / naive' AS words FROM naive
    UNION ALL
    SELECT column1, b.value / n.value, b.low / n.high, b.high / n.low, 'slowdown of block-um / of naive-um'
    FROM block AS b JOIN naive AS n USING (share), (VALUES ('cui-c-120'), ('cui-c-121'))
    UNION ALL
    SELECT 'cui-c-124', value / before, low / high_before, high / low_before, 'of the set before: ' || words
    FROM block WHERE before IS NOT NULL
    UNION ALL
    SELECT 'cui-c-304', b.moved / n.moved, NULL, NULL,
           iif(b.moved / n.moved IS NULL, 'traffic of managed memory could not be counted, see the log',
               'bytes, block-um / naive-um')
    FROM moved AS b JOIN moved AS n USING (share) WHERE b.variant = 'block-um' AND n.variant = 'naive-um' AND share > 1)
SELECT 'cui-c-115', value, low, high, words FROM once WHERE pair = 'naive / block'
UNION ALL
SELECT iif(rounds = 1, 'cui-c-116', 'cui-c-123'), median(value), median(low), median(high),
       'um / prefetched, median over sizes and algorithms, rounds: ' || rounds
FROM r WHERE pair IN ('naive-um / naive-um-prefetch', 'block-um / block-um-prefetch') GROUP BY rounds
UNION ALL
SELECT 'cui-c-117', value, low, high, words FROM once
WHERE pair IN ('naive / naive-um', 'block / block-um') AND share < 0.5
UNION ALL
SELECT 'cui-c-118', b.value / s.value, b.low / s.high, b.high / s.low,
       'um / copies in sets 3 and 4, over that in 1 and 2, medians'
FROM loss AS s, loss AS b WHERE NOT s.large AND b.large
UNION ALL
SELECT 'cui-c-122', median(m.value / o.value), median(m.low / o.high), median(m.high / o.low),
       printf('um / copies with %d rounds / with one, median', max(m.rounds))
FROM cost AS m JOIN cost AS o USING (pair, share) WHERE m.rounds > 1 AND o.rounds = 1 HAVING count(*) > 0
UNION ALL
SELECT id, iif(real, value, NULL), low, high,
       iif(real, words, (SELECT why FROM not_oversubscribed))
FROM beyond, (SELECT max(oversubscribed) AS real FROM t WHERE variant LIKE '%-um');
