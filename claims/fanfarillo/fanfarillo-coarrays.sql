-- Strided puts on one node by derived datatypes (libcaf-mpi), and by the best of this library's direct copy and the puts of element and OpenCoarrays.
WITH other AS (
    SELECT elements, stride, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_strided_median
    WHERE operation = 'put' AND variant IN ('datamotion', 'element', 'opencoarrays') GROUP BY elements, stride),
pair AS (
    SELECT stride, time_s / o.mid AS mid, time_low_s / o.high AS low, time_high_s / o.low AS high
    FROM coarrays_strided_median JOIN other AS o USING (elements, stride) WHERE operation = 'put' AND stride > 1 AND coarrays_strided_median.variant = 'libcaf-mpi'
    ORDER BY stride)
SELECT 'fanfarillo-c-111' AS id, 'libcaf-mpi / best of the others ' || group_concat(printf('%.2f at %d', mid, stride), ', ') AS measured,
       '>= 1 at every stride' AS bound, CASE WHEN min(low) >= 1 THEN 1 WHEN min(high) < 1 THEN 0 END AS ok,
       'time; memory was not measured' AS reason
FROM pair HAVING count(*) > 0;

-- Gets against puts on one node, median over all sizes.
WITH pair AS (
    SELECT variant, median(p.time_s / g.time_s) AS mid, median(p.time_low_s / g.time_high_s) AS low, median(p.time_high_s / g.time_low_s) AS high
    FROM coarrays_put_median AS p JOIN coarrays_get_median AS g USING (variant, elements) GROUP BY variant),
others AS (SELECT group_concat(printf('%s %.2f', variant, mid), ', ') AS text FROM pair WHERE variant IN ('datamotion', 'opencoarrays'))
SELECT 'fanfarillo-c-115' AS id, printf('bandwidth of get / put: libcaf-mpi %.2f (%s)', mid, coalesce(text, 'no others')) AS measured,
       '0.8..1.25' AS bound,
       CASE WHEN low >= 0.8 AND high <= 1.25 THEN 1 WHEN high < 0.8 OR low > 1.25 THEN 0 END AS ok, '' AS reason
FROM pair, others WHERE variant = 'libcaf-mpi';

-- Weak scaling of Burgers on one node, with as many images as there are cores: cells per second.
WITH run AS (
    SELECT * FROM coarrays_burgers_1_median UNION ALL SELECT * FROM coarrays_burgers_2_median UNION ALL SELECT * FROM coarrays_burgers_4_median),
speed AS (
    SELECT variant, ranks, cells * steps / time_s AS mid, cells * steps / time_high_s AS low, cells * steps / time_low_s AS high
    FROM run WHERE scaling = 'weak' AND optimization = 'O3'),
cores AS (SELECT coalesce((SELECT min(cores) FROM experiments WHERE id LIKE 'coarrays_burgers_%'), (SELECT max(ranks) FROM speed)) AS cores),
efficiency AS (
    SELECT variant, many.ranks, many.mid / (many.ranks * one.mid) AS mid, many.low / (many.ranks * one.high) AS low,
           many.high / (many.ranks * one.low) AS high
    FROM speed AS many JOIN speed AS one USING (variant) WHERE one.ranks = 1),
line AS (SELECT line_slope(ln(ranks), ln(mid)) AS slope FROM speed, cores WHERE variant = 'libcaf-mpi' AND ranks <= cores),
texts AS (
    SELECT group_concat(printf('%s %.2f with %d', variant, mid, ranks), ', ') AS text
    FROM efficiency WHERE variant IN ('libcaf-mpi', 'datamotion', 'opencoarrays') AND ranks > 1)
SELECT 'fanfarillo-c-136' AS id, printf('efficiency with %d images %.2f, slope %.2f (%s images)', efficiency.ranks, mid, slope, text) AS measured,
       'efficiency >= 0.8, slope 0.9..1.1' AS bound,
       CASE WHEN efficiency.ranks = 1 THEN 'waived' WHEN low >= 0.8 AND slope BETWEEN 0.9 AND 1.1 THEN 1
            WHEN high < 0.8 OR slope NOT BETWEEN 0.9 AND 1.1 THEN 0 END AS ok,
       CASE WHEN efficiency.ranks = 1 THEN 'this machine has one core' ELSE 'judged with at most one image per core (' || cores
           || ' cores)' END AS reason
FROM efficiency, line, cores, texts WHERE variant = 'libcaf-mpi' AND efficiency.ranks <= cores ORDER BY efficiency.ranks DESC LIMIT 1;

-- Where element wins against libcaf-mpi: within a node, and between two.
WITH pair AS (
    SELECT 1 AS nodes, 'put' AS operation, elements AS n, e.time_low_s / b.time_high_s AS low, e.time_high_s / b.time_low_s AS high
    FROM coarrays_put_median AS e JOIN coarrays_put_median AS b USING (elements) WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi'
    UNION ALL SELECT 1, 'get', elements, e.time_low_s / b.time_high_s, e.time_high_s / b.time_low_s
    FROM coarrays_get_median AS e JOIN coarrays_get_median AS b USING (elements) WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi'
    UNION ALL SELECT 2, 'put', elements, e.time_low_s / b.time_high_s, e.time_high_s / b.time_low_s
    FROM coarrays_put_nodes_median AS e JOIN coarrays_put_nodes_median AS b USING (elements) WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi'
    UNION ALL SELECT 2, 'get', elements, e.time_low_s / b.time_high_s, e.time_high_s / b.time_low_s
    FROM coarrays_get_nodes_median AS e JOIN coarrays_get_nodes_median AS b USING (elements) WHERE e.variant = 'element'
        AND b.variant = 'libcaf-mpi'),
found AS (
    SELECT coalesce(max(n) FILTER (WHERE nodes = 1 AND high < 1), 0) AS last_win, min(n) FILTER (WHERE nodes = 1 AND low > 1) AS first_loss,
           sum(nodes = 2 AND n > 1) AS arrays, sum(nodes = 2 AND n > 1 AND low > 1) AS lost, sum(nodes = 2 AND n > 1 AND high < 1) AS won
    FROM pair HAVING max(nodes) = 2)
SELECT 'fanfarillo-c-148' AS id,
       printf('within a node element is faster %s and libcaf-mpi from %d doubles on; between nodes libcaf-mpi at %d of %d blocks of 2 doubles or more, element at %d',
              CASE last_win WHEN 0 THEN 'at no size' ELSE 'up to ' || last_win || ' doubles' END, first_loss, lost, arrays, won) AS measured,
       'element only at the smallest blocks within a node' AS bound,
       CASE WHEN last_win < first_loss AND lost = arrays THEN 1 WHEN last_win >= first_loss OR won > 0 THEN 0 END AS ok,
       'put and get, where intervals separate' AS reason
FROM found;

-- One pair of images against each of two at once, puts and gets on one node, every coarray variant and size.
WITH pair AS (
    SELECT variant, elements, two.time_s / one.time_s AS mid, two.time_low_s / one.time_high_s AS low, two.time_high_s / one.time_low_s AS high
    FROM coarrays_put_median AS one JOIN coarrays_put_multi_median AS two USING (variant, elements)
    UNION ALL SELECT variant, elements, two.time_s / one.time_s, two.time_low_s / one.time_high_s, two.time_high_s / one.time_low_s
    FROM coarrays_get_median AS one JOIN coarrays_get_multi_median AS two USING (variant, elements))
SELECT 'fanfarillo-c-197' AS id,
       printf('bandwidth alone / of two at once %.2f to %.2f, median %.2f; not below 1 at %d of %d', min(mid), max(mid), median(mid),
           sum(mid >= 1), count(*)) AS measured,
       '>= 1 for every variant and size' AS bound, CASE WHEN min(low) >= 1 THEN 1 WHEN min(high) < 1 THEN 0 END AS ok, '' AS reason
FROM pair WHERE variant IN ('datamotion', 'opencoarrays', 'libcaf-mpi', 'element') HAVING count(*) > 0;

-- Burgers computes with its neighbours' values in the segment that reads them: a read that returned too early would be a wrong result.
WITH run AS (SELECT variant, errors FROM coarrays_burgers_2 WHERE variant IN ('datamotion', 'opencoarrays', 'libcaf-mpi', 'element')
    AND error IS NOT NULL)
SELECT 'fanfarillo-c-096' AS id, printf('%d of %d runs of Burgers with a wrong cell (%s)', sum(errors > 0), count(*),
       group_concat(DISTINCT variant)) AS measured,
       '0' AS bound, sum(errors > 0) = 0 AS ok, 'coarray reads; an MPI_Get without flush would be a wrong program and was not run' AS reason
FROM run HAVING count(*) > 0;

-- Synchronization against transfers with 2 images on one node: sync all against a strided put like those of Himeno; the transpose has two sync all.
WITH sync AS (SELECT variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_sync_median WHERE operation = 'sync-all'),
share AS (
    SELECT variant, 'Himeno' AS what, median(sync.mid / put.time_s) AS mid, median(sync.low / put.time_high_s) AS low,
           median(sync.high / put.time_low_s) AS high
    FROM sync JOIN coarrays_strided_median AS put USING (variant) WHERE put.operation = 'put' AND stride > 1 GROUP BY variant
    UNION ALL
    SELECT variant, 'transpose', median(2 * sync.mid / (time_s - 2 * sync.mid)), median(2 * sync.low / (time_high_s - 2 * sync.low)),
           median(2 * sync.high / max(1e-12, time_low_s - 2 * sync.high))
    FROM sync JOIN coarrays_transpose_2_median USING (variant) GROUP BY variant)
SELECT 'fanfarillo-c-198' AS id,
       (SELECT group_concat(printf('%s, %s %.4f', variant, what, mid), '; ') FROM share WHERE variant IN ('opencoarrays', 'datamotion')) AS measured,
       '< 1 with opencoarrays' AS bound, CASE WHEN max(high) < 1 THEN 1 WHEN max(low) >= 1 THEN 0 END AS ok,
       'one sync all / one strided put, which stands for a halo of Himeno; two sync all / the rest of a transpose' AS reason
FROM share WHERE variant = 'opencoarrays' HAVING count(*) = 2;
