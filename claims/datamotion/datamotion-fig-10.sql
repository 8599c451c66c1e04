-- The suite's own targets for strided puts and gets on one node: against OpenCoarrays at stride 2, and a direct loop at all.
WITH pair AS (
    SELECT operation, elements AS n, stride, other.variant AS peer, own.time_s / other.time_s AS mid, own.time_low_s / other.time_high_s AS low,
           own.time_high_s / other.time_low_s AS high, own.time_s AS own, other.time_s AS other
    FROM coarrays_strided_median AS own JOIN coarrays_strided_median AS other USING (operation, elements, stride)
    WHERE own.variant = 'datamotion' AND stride > 1),
worst AS (SELECT * FROM pair WHERE peer = 'memcpy' ORDER BY mid DESC LIMIT 1)
SELECT 'datamotion-c-013' AS id, group_concat(printf('%s of %d doubles %.0f times faster (%.3g against %.3g us)', operation, n, 1 / mid,
       1e6 * own, 1e6 * other), ', ') AS measured,
       '>= 100' AS bound, CASE WHEN max(high) <= 0.01 THEN 1 WHEN max(low) > 0.01 THEN 0 END AS ok, '' AS reason
FROM pair WHERE stride = 2 AND peer = 'opencoarrays' HAVING count(*) >= 2
UNION ALL
SELECT 'datamotion-c-014', printf('%.2f to %.2f times over %d strides, most for %s at stride %d', min(pair.mid), max(pair.mid),
       count(DISTINCT pair.stride),
                                  worst.operation, worst.stride), '<= 2',
       CASE WHEN max(pair.high) <= 2 THEN 1 WHEN max(pair.low) > 2 THEN 0 END, ''
FROM pair, worst WHERE pair.peer = 'memcpy' HAVING count(*) > 0;
