-- A transpose by one-sided puts as data become ready (datamotion) against a blocking all-to-all (mpi), on one node.
WITH run AS (
    SELECT * FROM coarrays_transpose_2_median UNION ALL SELECT * FROM coarrays_transpose_4_median),
pair AS (
    SELECT median(m.time_s / d.time_s) AS mid, median(m.time_low_s / d.time_high_s) AS low, median(m.time_high_s / d.time_low_s) AS high,
           count(*) AS runs
    FROM run AS m JOIN run AS d USING (ranks, nodes, scaling, grid) WHERE m.variant = 'mpi' AND d.variant = 'datamotion')
SELECT 'fanfarillo-c-091' AS id, printf('time of mpi / datamotion %.2f, median of %d transposes', mid, runs) AS measured, '>= 1' AS bound,
       CASE WHEN low >= 1 THEN 1 WHEN high < 1 THEN 0 END AS ok, 'the transpose, coarray and MPI versions in Fortran' AS reason
FROM pair WHERE runs > 0;

-- A put to an image that comes late: passive target, and between two fences that it must come to.
WITH pair AS (
    SELECT a.size_bytes, a.time_s / p.time_s AS mid, a.time_low_s / p.time_high_s AS low, a.time_high_s / p.time_low_s AS high
    FROM coarrays_onesided_median AS a JOIN coarrays_onesided_median AS p USING (operation, size_bytes)
    WHERE operation = 'late' AND a.variant = 'active' AND p.variant = 'passive')
SELECT 'fanfarillo-c-092' AS id, printf('active / passive %.3g to %.3g over %d sizes', min(mid), max(mid), count(*)) AS measured,
       'median >= 1' AS bound, CASE WHEN median(low) >= 1 THEN 1 WHEN median(high) < 1 THEN 0 END AS ok,
       'the target computes for 0.2 ms; on one node, where loads and stores need no help of the target' AS reason
FROM pair HAVING count(*) > 0;

-- A broadcast as a collective, and as a loop of puts on the source image, with the largest number of images.
WITH pair AS (
    SELECT size_bytes, ranks, a.time_s / p.time_s AS mid, a.time_low_s / p.time_high_s AS low, a.time_high_s / p.time_low_s AS high
    FROM coarrays_onesided_median AS a JOIN coarrays_onesided_median AS p USING (operation, size_bytes, ranks)
    WHERE operation = 'broadcast' AND a.variant = 'puts' AND p.variant = 'collective'
      AND ranks = (SELECT max(ranks) FROM coarrays_onesided_median WHERE operation = 'broadcast'))
SELECT 'fanfarillo-c-093' AS id, group_concat(printf('puts / collective %.3g at %d bytes', mid, size_bytes), ', ') AS measured,
       '>= 1 at every size' AS bound, CASE WHEN min(low) >= 1 THEN 1 WHEN min(high) < 1 THEN 0 END AS ok,
       max(ranks) || ' images, the largest number measured' AS reason
FROM pair HAVING count(*) > 0;

-- A polling progress thread, on a spare core and on the core that computes.
WITH pair AS (
    SELECT a.time_s / b.time_s AS mid, a.time_low_s / b.time_high_s AS low, a.time_high_s / b.time_low_s AS high
    FROM coarrays_polling_median AS a JOIN coarrays_polling_median AS b USING (elements)
    WHERE a.variant = 'spare' AND b.variant = 'shared' ORDER BY elements DESC LIMIT 1)
SELECT 'fanfarillo-c-094' AS id, printf('computation with a polling thread: on a spare core / on its own core %.2f', mid) AS measured, '< 1' AS bound,
       CASE WHEN high < 1 THEN 1 WHEN low >= 1 THEN 0 END AS ok, 'what the thread costs, not what it brings' AS reason
FROM pair;

WITH pair AS (
    SELECT n.time_s / s.time_s AS mid, n.time_low_s / s.time_high_s AS low, n.time_high_s / s.time_low_s AS high
    FROM coarrays_polling_median AS n JOIN coarrays_polling_median AS s USING (elements)
    WHERE n.variant = 'none' AND s.variant = 'shared' ORDER BY elements DESC LIMIT 1)
SELECT 'fanfarillo-c-095' AS id, printf('throughput with a polling thread on each core that computes / without %.2f', mid) AS measured,
       '0.4..0.7' AS bound,
       CASE WHEN low >= 0.4 AND high <= 0.7 THEN 1 WHEN high < 0.4 OR low > 0.7 THEN 0 END AS ok, 'one core stands for all' AS reason
FROM pair;
