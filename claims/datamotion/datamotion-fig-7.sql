-- The suite's own targets for contiguous puts and gets on one node.
WITH transfer AS (
    SELECT 'put' AS operation, elements AS n, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_put_median
    UNION ALL SELECT 'get', elements, variant, time_s, time_low_s, time_high_s FROM coarrays_get_median),
pair AS (
    SELECT operation, n, other.variant AS peer, own.mid / other.mid AS mid, own.low / other.high AS low, own.high / other.low AS high,
           own.mid AS own, own.low AS own_low, own.high AS own_high, other.mid AS other
    FROM transfer AS own JOIN transfer AS other USING (operation, n) WHERE own.variant = 'datamotion')
SELECT 'datamotion-c-011' AS id, group_concat(printf('%s %.2f times (%.0f against %.0f ns)', operation, mid, 1e9 * own, 1e9 * other),
       ', ') AS measured,
       '<= 0.25' AS bound, CASE WHEN max(high) <= 0.25 THEN 1 WHEN max(low) > 0.25 THEN 0 END AS ok, '' AS reason
FROM pair WHERE n = 1 AND peer = 'opencoarrays' HAVING count(*) = 2
UNION ALL
SELECT 'datamotion-c-012', group_concat(printf('%s %.1f ns', operation, 1e9 * own), ', '), '<= 60 ns',
       CASE WHEN max(own_high) <= 60e-9 THEN 1 WHEN max(own_low) > 60e-9 THEN 0 END, ''
FROM pair WHERE n = 1 AND peer = 'datamotion' HAVING count(*) = 2
UNION ALL
SELECT 'datamotion-c-015', group_concat(printf('%s %.3f (%.1f against %.1f us)', operation, 1 / mid, 1e6 * own, 1e6 * other), ', '), '>= 0.95',
       CASE WHEN max(high) <= 1 / 0.95 THEN 1 WHEN max(low) > 1 / 0.95 THEN 0 END, ''
FROM pair WHERE n = 131072 AND peer = 'memcpy' HAVING count(*) = 2;
