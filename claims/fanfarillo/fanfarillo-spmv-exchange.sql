-- Halo of a block of rows: two planes of a cube cut in two, so nothing measured can change it.
WITH size AS (SELECT edge, max(halo_elements) AS halo, max(local_rows) AS local FROM spmv_exchange_1_2_median WHERE edge > 0 GROUP BY edge),
ratio AS (SELECT edge, 1.0 * halo / local AS mid, lag(1.0 * halo / local) OVER (ORDER BY edge) AS before FROM size)
SELECT 'fanfarillo-c-031' AS id,
       printf('%.4f at edge %d to %.4f at edge %d; times the edge %.3f to %.3f', max(mid), min(edge), min(mid), max(edge), min(mid * edge), max(mid * edge)) AS measured,
       'falls with the edge; times the edge constant within 5 %' AS bound, max(mid >= before) = 0 AND max(mid * edge) <= 1.05 * min(mid * edge) AS ok, '2 / edge, by the definition of the matrix' AS reason
FROM ratio HAVING count(*) > 1;

-- What the exchange takes of a product.
WITH size AS (
    SELECT variant, edge, median(exchange_s / time_s) AS mid, interval_low(exchange_s / time_s) AS low, interval_high(exchange_s / time_s) AS high
    FROM spmv_exchange_1_2 WHERE status = 'pass' AND edge > 0 AND variant IN ('sync', 'sg') GROUP BY variant, edge),
strategy AS (SELECT variant, group_concat(printf('%.2f', mid), ' ') AS all_sizes, min(low) AS low, min(high) AS high FROM (SELECT * FROM size ORDER BY edge) GROUP BY variant),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-032' AS id, group_concat(printf('%s: %s', variant, all_sizes), '; ') AS measured, '> 0.5 at every edge, both' AS bound,
       CASE WHEN here THEN 'waived' WHEN min(low) > 0.5 THEN 1 WHEN min(high) <= 0.5 THEN 0 END AS ok,
       iif(here, 'the software GPU has no bus, and its products take this CPU', 'shares by rising edge') AS reason
FROM strategy, soft HAVING count(*) = 2;

-- Open MPI beside pinned memory at the ends of the sizes, in the scenarios of figures 4-3, 4-4 and, where 4 divides the rows, 4-5.
WITH run AS (
    SELECT '1-2' AS scenario, * FROM spmv_exchange_1_2_median UNION ALL SELECT '2-1', * FROM spmv_exchange_2_1_median
    UNION ALL SELECT '2-2', * FROM spmv_exchange_2_2_median WHERE rows % 4 = 0),
ratio AS (
    SELECT scenario, rows, o.gflops / p.gflops AS mid, o.gflops / p.gflops * o.time_s / o.time_high_s * p.time_low_s / p.time_s AS low,
           o.gflops / p.gflops * o.time_s / o.time_low_s * p.time_high_s / p.time_s AS high
    FROM run AS o JOIN run AS p USING (scenario, matrix, rows) WHERE o.edge > 0 AND o.variant = 'openmpi' AND p.variant = 'index-pinned'),
few AS (SELECT scenario, min(rows) AS rows, mid, low, high FROM ratio GROUP BY scenario),
many AS (SELECT scenario, max(rows) AS rows, mid, low, high FROM ratio GROUP BY scenario)
SELECT 'fanfarillo-c-088' AS id,
       group_concat(printf('scenario %s: %.2f at %d rows, %.2f at %d', scenario, few.mid, few.rows, many.mid, many.rows), '; ') AS measured,
       '<= 1 at the smallest, >= 1 at the largest size' AS bound,
       CASE WHEN max(few.high) <= 1 AND min(many.low) >= 1 THEN 1 WHEN max(few.low) > 1 OR min(many.high) < 1 THEN 0 END AS ok, '' AS reason
FROM few JOIN many USING (scenario) HAVING count(*) = 3;

-- The best strategy of other matrices; alike is what is the best of pde within the intervals.
WITH run AS (SELECT matrix, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM spmv_exchange_kinds_median),
best AS (SELECT matrix, variant, min(mid) AS mid, low, high FROM run GROUP BY matrix),
pde AS (SELECT variant FROM best WHERE matrix LIKE 'pde:%' ORDER BY matrix DESC LIMIT 1),
other AS (
    SELECT b.matrix AS matrix, b.variant AS variant, b.variant = pde.variant AS same, r.low <= b.high AS alike, pde.variant AS expected
    FROM best AS b LEFT JOIN pde LEFT JOIN run AS r ON r.matrix = b.matrix AND r.variant = pde.variant WHERE b.matrix NOT LIKE 'pde:%')
SELECT 'fanfarillo-c-089' AS id,
       coalesce('pde: ' || max(expected) || '; ', '') || group_concat(printf('%s: %s', matrix, variant), ', ') AS measured,
       'the same for most' AS bound,
       CASE WHEN max(expected) IS NULL THEN 'waived' WHEN 2 * sum(same) > count(*) THEN 1 WHEN 2 * sum(alike) <= count(*) THEN 0 END AS ok,
       iif(max(expected) IS NULL, 'no pde matrix was measured beside them', 'generated matrices stand for those of the collection') AS reason
FROM other HAVING count(*) > 0;

-- Exchange on one node and between two.
WITH ratio AS (
    SELECT variant, edge, a.exchange_s / b.exchange_s AS mid FROM spmv_exchange_1_2_median AS a JOIN spmv_exchange_2_1_median AS b USING (variant, edge)
    WHERE edge > 0 AND variant IN ('sg', 'index-standard', 'pinned', 'index-pinned')),
strategy AS (SELECT variant, median(mid) AS mid FROM ratio GROUP BY variant)
SELECT 'fanfarillo-c-090' AS id, group_concat(printf('%s %.3f', variant, mid), ', ') AS measured, '> 1' AS bound, 'waived' AS ok,
       'needs two GPUs that share a bus within a node, and a network faster than it' AS reason
FROM strategy HAVING count(*) > 0;

-- What blocks of uneven size cost either, on two nodes with two GPUs each.
WITH run AS (SELECT variant, edge, rows, gflops, mpi_s, time_s, time_low_s, time_high_s FROM spmv_exchange_2_2_median WHERE edge > 0 AND variant IN ('openmpi', 'index-pinned')),
pair AS ( -- a size that 4 does not divide beside its neighbour that it does
    SELECT variant, u.edge AS uneven, u.mpi_s / e.mpi_s AS mpi, u.gflops / e.gflops AS mid, u.gflops / e.gflops * u.time_s / u.time_high_s * e.time_low_s / e.time_s AS low,
           u.gflops / e.gflops * u.time_s / u.time_low_s * e.time_high_s / e.time_s AS high
    FROM run AS u JOIN run AS e USING (variant) WHERE u.rows % 4 <> 0 AND e.rows % 4 = 0 AND abs(u.edge - e.edge) = 1),
loss AS (SELECT variant, median(1 / mid) AS mid, median(1 / high) AS low, median(1 / low) AS high FROM pair GROUP BY variant)
SELECT 'fanfarillo-c-153' AS id, printf('even / uneven %.3f by openmpi, %.3f by pinned', o.mid, p.mid) AS measured, 'more by openmpi' AS bound,
       CASE WHEN o.low > p.high THEN 1 WHEN o.high <= p.low THEN 0 END AS ok, '' AS reason
FROM loss AS o, loss AS p WHERE o.variant = 'openmpi' AND p.variant = 'index-pinned';
