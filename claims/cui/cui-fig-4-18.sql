-- All versions on the smaller (default) and larger (medium) data set of each benchmark; async by its fastest setting.
WITH run AS (
    SELECT benchmark, dataset, size, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high,
           dense_rank() OVER (PARTITION BY benchmark ORDER BY size) AS place
    FROM blp_datasets_median WHERE time_s > 0 GROUP BY benchmark, size, variant),
pair AS ( -- two versions on both data sets: in the same order, or within 2 % on one; surely in opposite order
    SELECT a.benchmark,
           (a.mid < b.mid) = (c.mid < d.mid) OR abs(a.mid / b.mid - 1) <= 0.02 OR abs(c.mid / d.mid - 1) <= 0.02 AS alike,
           (a.high < b.low AND d.high < c.low) OR (b.high < a.low AND c.high < d.low) AS opposite
    FROM run AS a JOIN run AS b ON b.benchmark = a.benchmark AND b.place = 1 AND b.variant > a.variant
    JOIN run AS c ON c.benchmark = a.benchmark AND c.place = 2 AND c.variant = a.variant
    JOIN run AS d ON d.benchmark = a.benchmark AND d.place = 2 AND d.variant = b.variant
    WHERE a.place = 1),
loop AS (SELECT benchmark, min(alike) AS alike, max(opposite) AS opposite FROM pair GROUP BY benchmark),
ratio AS (
    SELECT benchmark, dataset, a.place, a.mid / b.mid AS mid, a.low / b.high AS low, a.high / b.low AS high
    FROM run AS a JOIN run AS b USING (benchmark, dataset, size) WHERE a.variant = 'async' AND b.variant = 'blp' ORDER BY benchmark, size),
link AS (SELECT total(link LIKE 'NVLink%') > 0 AS is_nvlink FROM blp_datasets_median)
SELECT 'cui-c-192' AS id, printf('order alike for %d of %d, surely different for %d', total(alike), count(*), total(opposite)) AS measured,
       '>= 80 % of the benchmarks' AS bound,
       CASE WHEN count(*) = 0 THEN 'waived' WHEN sum(alike) >= 0.8 * count(*) THEN 1 WHEN count(*) - sum(opposite) < 0.8 * count(*) THEN 0 END AS ok,
       iif(count(*) = 0, 'no second data sets were measured', 'within 2 % counts as alike') AS reason
FROM loop WHERE EXISTS (SELECT 1 FROM run)
UNION ALL
SELECT 'cui-c-193', coalesce(group_concat(printf('%s %.2f', benchmark, mid), ', '), 'not measured'), 'least >= 0.85 (thesis, NVLink2: 0.95..1.14)',
       CASE WHEN count(benchmark) = 0 OR NOT is_nvlink THEN 'waived' WHEN min(low) >= 0.85 THEN 1 WHEN min(high) < 0.85 THEN 0 END,
       CASE WHEN count(benchmark) = 0 THEN 'no second data sets were measured'
            WHEN NOT is_nvlink THEN 'the same rows and bound as cui-c-194, which is judged, as this GPU is not behind NVLink' ELSE '' END
FROM link LEFT JOIN ratio ON place = 2 WHERE EXISTS (SELECT 1 FROM run)
UNION ALL
SELECT 'cui-c-195', group_concat(printf('%s %s %.2f', benchmark, dataset, mid), ', '), 'least >= 0.85 (thesis: 0.94)',
       CASE WHEN min(low) >= 0.85 THEN 1 WHEN min(high) < 0.85 THEN 0 END, ''
FROM ratio HAVING count(*) > 0;
