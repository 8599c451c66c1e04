-- Lattice QCD: where the naive version's time goes, and what overlapping gains, by size; the fastest configuration of each.
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY size, variant ORDER BY time_s) AS nth FROM pipeline_versions_median WHERE benchmark = 'qcd'),
run AS (SELECT * FROM ranked WHERE nth = 1),
share AS (
    SELECT size, median((to_device_s + from_device_s) / time_s) AS mid, interval_low((to_device_s + from_device_s) / time_s) AS low,
           interval_high((to_device_s + from_device_s) / time_s) AS high
    FROM pipeline_versions WHERE benchmark = 'qcd' AND variant = 'naive' AND status = 'pass' GROUP BY size ORDER BY size),
gain AS (
    SELECT size, n.time_s / p.time_s AS mid, n.time_low_s / p.time_high_s AS low, n.time_high_s / p.time_low_s AS high, p.streams,
           n.time_s / max(n.to_device_s + n.from_device_s, n.kernel_s) AS limit_here, row_number() OVER (ORDER BY size) AS place
    FROM run AS n JOIN run AS p USING (size) WHERE n.variant = 'naive' AND p.variant = 'pipeline' ORDER BY size),
small AS (SELECT * FROM gain ORDER BY size = 12 DESC, size LIMIT 1)
SELECT 'cui-c-033' AS id, 'share of transfers: ' || group_concat(printf('%.2f at n = %d', mid, size), ', ') AS measured,
       '> 0.2 at every size (thesis: 0.40..0.55)' AS bound, CASE WHEN min(low) > 0.2 THEN 1 WHEN min(high) <= 0.2 THEN 0 END AS ok, '' AS reason
FROM share HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-034', printf('%.2f at n = %d with %d streams', mid, size, streams), '>= 1.2 (thesis: 1.6, 1.45..1.75)',
       CASE WHEN low >= 1.2 THEN 1 WHEN high < 1.2 THEN 0 END, iif(size = 12, '', 'the smallest size that was measured')
FROM small
UNION ALL
SELECT 'cui-c-035', group_concat(printf('%.2f at n = %d', a.mid, a.size), ', '), 'each at least 0.98 of the smaller one''s',
       CASE WHEN count(*) = 1 THEN 'waived' WHEN min(coalesce(b.low >= 0.98 * a.high, 1)) THEN 1
            WHEN max(coalesce(b.high < 0.98 * a.low, 0)) THEN 0 END,
       iif(count(*) = 1, 'only one size was measured', '')
FROM gain AS a LEFT JOIN gain AS b ON b.place = a.place + 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-036', group_concat(printf('%.2f at n = %d (bound %.2f)', mid, size, min(2, limit_here)), ', '),
       '<= 1.02 * 2 and 1.02 * naive / longest of copies and kernels',
       CASE WHEN min(high <= 1.02 * min(2, limit_here)) THEN 1 WHEN max(low > 1.02 * min(2, limit_here)) THEN 0 END,
       'the bound of the thesis has one engine for copies in both directions'
FROM gain HAVING count(*) > 0;
