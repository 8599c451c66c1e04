-- Versions beside each other, each with its fastest setting.
WITH asked(id, loop, slower, faster) AS (
    VALUES ('cui-c-147', 'conv2d', 'sync', 'blp'), ('cui-c-148', 'conv2d', 'sync', 'async'),
           ('cui-c-149', 'conv2d', 'async', 'blp'), ('cui-c-155', 'conv2d', 'async', 'blp'),
           ('cui-c-156', 'conv2d', 'sync', 'blp'), ('cui-c-157', 'conv3d', 'sync', 'blp'),
           ('cui-c-158', 'conv3d', 'sync', 'async'), ('cui-c-159', 'conv3d', 'async', 'blp'),
           ('cui-c-160', 'conv3d', 'async', 'blp'), ('cui-c-161', 'conv3d', 'async', 'blp'),
           ('cui-c-162', 'gemm', 'sync', 'async'), ('cui-c-165', 'gemm', 'async', 'blp'),
           ('cui-c-170', 'fdtd2d', 'sync', 'async'), ('cui-c-171', 'fdtd2d', 'sync', 'blp'),
           ('cui-c-172', 'fdtd2d', 'async', 'blp'), ('cui-c-173', 'fdtd2d', 'sync', 'async'),
           ('cui-c-174', 'fdtd2d', 'sync', 'blp'), ('cui-c-175', 'fdtd2d', 'async', 'blp'),
           ('cui-c-177', 'atax', 'sync', 'async'), ('cui-c-178', 'atax', 'sync', 'blp'),
           ('cui-c-179', 'atax', 'async', 'blp'), ('cui-c-180', 'atax', 'sync', 'blp'),
           ('cui-c-181', 'atax', 'async', 'blp'), ('cui-c-182', 'atax', 'sync', 'async'),
           ('cui-c-195', 'datasets', 'async', 'blp'), ('cui-c-208', 'dynamic', 'blp', 'blp-dynamic'))
SELECT id, iif(reason IS NULL, value, NULL) AS value, low, high, coalesce(reason, words) AS words
FROM asked JOIN blp_gain USING (slower, faster) LEFT JOIN blp_twin USING (id) WHERE experiment = 'blp_' || loop
UNION ALL
SELECT 'cui-c-163/' || slower, value, low, high, words
FROM blp_gain WHERE experiment = 'blp_gemm' AND faster = 'blp' AND slower <> 'blp';

-- Where a second data set is needed.
WITH asked(id, experiment, slower, faster, from_place) AS (
    VALUES ('cui-c-193', 'blp_datasets', 'async', 'blp', 2), ('cui-c-194', 'blp_datasets', 'async', 'blp', 2),
           ('cui-c-210', 'blp_dynamic', 'blp-dynamic', 'blp', 1))
SELECT id, iif(reason IS NULL AND second > 1, value, NULL) AS value, low, high,
       CASE WHEN second > 1 THEN coalesce(reason, words) ELSE 'no second data sets were measured' END AS words
FROM (SELECT *, max(place) OVER (PARTITION BY experiment, slower, faster) AS second FROM blp_gain)
JOIN asked USING (experiment, slower, faster) LEFT JOIN blp_twin USING (id)
WHERE place >= from_place OR second = 1;

-- Two versions are in the same order on both data sets, or within 2 % on one; surely in opposite order.
WITH pair AS (
    SELECT benchmark, s.value > 1 = l.value > 1 OR abs(s.value - 1) <= 0.02 OR abs(l.value - 1) <= 0.02 AS alike,
           s.low > 1 AND l.high < 1 OR s.high < 1 AND l.low > 1 AS opposite
    FROM blp_gain AS s JOIN blp_gain AS l USING (experiment, benchmark, slower, faster)
    WHERE experiment = 'blp_datasets' AND slower < faster AND s.place = 1 AND l.place = 2),
loop AS (SELECT min(alike) AS alike, max(opposite) AS opposite FROM pair GROUP BY benchmark)
SELECT 'cui-c-192' AS id, avg(alike) AS value, avg(alike) AS low, max(avg(alike), 1 - avg(opposite)) AS high,
       iif(count(*), printf('of %d loops have their versions in the same order', count(*)),
           'no second data sets were measured') AS words
FROM loop HAVING EXISTS (SELECT 1 FROM blp_fastest WHERE experiment = 'blp_datasets');
