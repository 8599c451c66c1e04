-- Blocks by element, which has as many messages as the thesis's Intel, and by libcaf-mpi, the thesis's GFortran.

-- Puts on one node.
SELECT 'fanfarillo-c-098' || iif(elements <= 4, '/small', '/large') AS id, value, low, high,
       printf('times the time of libcaf-mpi at %d doubles', elements) AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_put' AND a = 'element' AND b = 'libcaf-mpi' AND elements <= 512;

WITH line AS (
    SELECT line_slope(ln(elements), ln(mid)) AS slope, line_r2(ln(elements), ln(mid)) AS r2 FROM coarrays_times
    WHERE experiment = 'coarrays_put' AND variant = 'element' AND elements BETWEEN 5 AND 512 HAVING count(*) > 2)
SELECT 'fanfarillo-c-099/slope' AS id, slope AS value, NULL AS low, NULL AS high,
       'of time over size, both in logarithms' AS words
FROM line
UNION ALL
SELECT 'fanfarillo-c-099/r2', r2, NULL, NULL, 'of that line' FROM line
UNION ALL
SELECT 'fanfarillo-c-101/' || variant, line_slope(ln(elements), ln(elements / mid)), NULL, NULL,
       'slope of bandwidth over size, both in logarithms'
FROM coarrays_times
WHERE experiment = 'coarrays_put' AND variant IN ('element', 'libcaf-mpi') AND elements BETWEEN 5 AND 512
GROUP BY variant HAVING count(*) > 2;

SELECT 'fanfarillo-c-100' AS id, last.mid / four.mid AS value, last.low / four.high AS low,
       last.high / four.low AS high,
       printf('times the time of 4 doubles at %d', max(last.elements)) AS words
FROM coarrays_times AS four JOIN coarrays_times AS last USING (experiment, variant)
WHERE experiment = 'coarrays_put' AND variant = 'libcaf-mpi' AND four.elements = 4
    AND last.elements BETWEEN 5 AND 512
HAVING count(*) > 0;

WITH big AS (
    SELECT * FROM coarrays_ratios
    WHERE experiment = 'coarrays_put' AND a = 'element' AND b = 'libcaf-mpi' AND elements > 512)
SELECT id, value, low, high, printf('times the time of libcaf-mpi at %d doubles', elements) AS words
FROM big, (SELECT 'fanfarillo-c-102/ratio' AS id UNION ALL SELECT 'fanfarillo-c-103')
UNION ALL
SELECT 'fanfarillo-c-102/rank', spearman(elements, value), NULL, NULL, 'rank correlation of that with the size'
FROM big HAVING count(*) > 2;

-- Each of two puts at once.
SELECT 'fanfarillo-c-104' || iif(elements <= 8, '/small', '/large') AS id, value, low, high,
       printf('times faster than libcaf-mpi at %d doubles', elements) AS words
FROM coarrays_ratios WHERE experiment = 'coarrays_put_multi' AND a = 'libcaf-mpi' AND b = 'element';

-- The largest block at which element is faster: for certain, by the medians, and at the most.
WITH crossing AS (
    SELECT experiment, coalesce(max(elements) FILTER (WHERE low > 1), 0) AS low,
           coalesce(max(elements) FILTER (WHERE value > 1), 0) AS mid,
           coalesce(max(elements) FILTER (WHERE high > 1), 0) AS high
    FROM coarrays_ratios
    WHERE experiment IN ('coarrays_put', 'coarrays_put_multi') AND a = 'libcaf-mpi' AND b = 'element'
    GROUP BY experiment)
SELECT 'fanfarillo-c-105' AS id, two.mid - one.mid AS value, two.low - one.high AS low, two.high - one.low AS high,
       'doubles further up goes the advantage of element in two puts at once' AS words
FROM crossing AS one JOIN crossing AS two ON one.experiment < two.experiment;

-- coarrays_put beside coarrays_put_multi.
WITH element AS (
    SELECT * FROM coarrays_at_once WHERE experiment = 'coarrays_put' AND variant = 'element'),
block AS (
    SELECT * FROM coarrays_at_once WHERE experiment = 'coarrays_put' AND variant = 'libcaf-mpi')
SELECT 'fanfarillo-c-106' AS id, (max(lost) - min(lost)) / median(alone) AS value,
       max(0, max(lost_low) - min(lost_high)) / median(alone) AS low,
       (max(lost_high) - min(lost_low)) / median(alone) AS high, 'of the bandwidth alone' AS words
FROM element HAVING count(*) > 2
UNION ALL
SELECT 'fanfarillo-c-107', spearman(elements, lost), NULL, NULL, 'rank correlation with the size'
FROM block HAVING count(*) > 2
UNION ALL
SELECT 'fanfarillo-c-108', e.mid / b.mid, e.low / b.high, e.high / b.low, 'times the share that libcaf-mpi keeps'
FROM (SELECT median(kept) AS mid, median(kept_low) AS low, median(kept_high) AS high FROM element) AS e,
     (SELECT median(kept) AS mid, median(kept_low) AS low, median(kept_high) AS high FROM block) AS b
WHERE e.mid / b.mid IS NOT NULL;

-- Alone against two at once (coarrays_put_multi, coarrays_get_multi), every coarray variant and size.
SELECT 'fanfarillo-c-197' AS id, 1 / kept AS value, 1 / kept_high AS low, 1 / kept_low AS high,
       printf('times the bandwidth of two at once, %s of %s at %d doubles', substr(experiment, 10), variant, elements)
       AS words
FROM coarrays_at_once
WHERE experiment IN ('coarrays_put', 'coarrays_get')
    AND variant IN ('datamotion', 'opencoarrays', 'libcaf-mpi', 'element')
    AND EXISTS (SELECT 1 FROM coarrays_put_multi, coarrays_get_multi);

-- Strided puts on one node: against element, which has no strided support, and against the best of all others.
SELECT 'fanfarillo-c-110' AS id, value, low, high, printf('times faster than element at stride %d', stride) AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_strided' AND a = 'element' AND b = 'libcaf-mpi' AND operation = 'put'
UNION ALL
SELECT 'fanfarillo-c-111', max(value), low, high, printf('times the time of %s at stride %d', b, stride)
FROM coarrays_ratios
WHERE experiment = 'coarrays_strided' AND a = 'libcaf-mpi' AND b IN ('datamotion', 'element', 'opencoarrays')
    AND operation = 'put' AND stride > 1
GROUP BY stride;

-- Puts between two nodes, at 512 doubles or the largest block up to that; then at all, where one double may tie.
SELECT 'fanfarillo-c-112' AS id, value, low, high, printf('times the time of libcaf-mpi at %d doubles', max(elements))
       AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_put_nodes' AND a = 'element' AND b = 'libcaf-mpi' AND elements <= 512
HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-113', many.mid / one.mid / many.elements, many.low / one.high / many.elements,
       many.high / one.low / many.elements, printf('times the time of 1 double for each of %d', max(many.elements))
FROM coarrays_times AS one JOIN coarrays_times AS many USING (experiment, variant)
WHERE experiment = 'coarrays_put_nodes' AND variant = 'element' AND one.elements = 1
    AND many.elements BETWEEN 2 AND 512
HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-114' || iif(elements = 1, '/one', '/block'), iif(elements = 1, high, value),
       iif(elements = 1, high, low), high,
       iif(elements = 1, 'at most ', '') || printf('times faster than element at %d doubles', elements)
FROM coarrays_ratios WHERE experiment = 'coarrays_put_nodes' AND a = 'element' AND b = 'libcaf-mpi';

SELECT 'fanfarillo-c-115' AS id, median(put.mid / get.mid) AS value, median(put.low / get.high) AS low,
       median(put.high / get.low) AS high, 'times the bandwidth of put, libcaf-mpi, median over the sizes' AS words
FROM coarrays_times AS put JOIN coarrays_times AS get USING (variant, elements)
WHERE put.experiment = 'coarrays_put' AND get.experiment = 'coarrays_get' AND variant = 'libcaf-mpi'
HAVING count(*) > 0;

-- Within a node element surely wins at no block as large as one at which it surely loses; between nodes it loses all.
WITH pair AS (
    SELECT *, experiment LIKE '%nodes' AS remote FROM coarrays_ratios
    WHERE experiment IN ('coarrays_put', 'coarrays_get', 'coarrays_put_nodes', 'coarrays_get_nodes')
        AND a = 'element' AND b = 'libcaf-mpi' AND EXISTS (SELECT partners FROM coarrays_put_nodes)
        AND EXISTS (SELECT partners FROM coarrays_get_nodes)),
loss AS (SELECT min(elements) AS first FROM pair WHERE NOT remote AND low > 1)
SELECT 'fanfarillo-c-148/within' AS id, sum(high < 1 AND elements >= coalesce(first, 0)) AS value,
       sum(high < 1 AND elements >= coalesce(first, 1e9)) AS low, NULL AS high,
       'blocks of sure advantage at or above the first sure disadvantage' AS words
FROM pair, loss WHERE NOT remote HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-148/between', value, low, high,
       printf('times the time of libcaf-mpi between nodes, %s of %d doubles', operation, elements)
FROM pair WHERE remote AND elements > 1;
