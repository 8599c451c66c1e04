-- The exchange of halos between two GPUs of a node (scenario 1-2), two nodes (2-1), and two nodes with two GPUs each
-- (2-2). What is called Pinned beside Open MPI is index-pinned here.

-- Halo of a block of rows: two planes of a cube cut in two, so nothing measured can change it.
WITH size AS (
    SELECT edge, 1.0 * max(halo_elements) / max(local_rows) AS share FROM spmv_exchange_1_2_median WHERE edge > 0
    GROUP BY edge)
SELECT 'fanfarillo-c-031/step' AS id, share / before AS value, NULL AS low, NULL AS high,
       printf('times that of the edge below, edge %d', edge) AS words
FROM (SELECT *, lag(share) OVER (ORDER BY edge) AS before FROM size) WHERE before > 0
UNION ALL
SELECT 'fanfarillo-c-031/spread', max(share * edge) / min(share * edge), NULL, NULL,
       'largest / least share times the edge'
FROM size HAVING count(*) > 1;

-- What the exchange takes of a product.
SELECT 'fanfarillo-c-032/' || variant AS id, median(exchange_s / time_s) AS value,
       interval_low(exchange_s / time_s) AS low,
       interval_high(exchange_s / time_s) AS high, printf('of the product, edge %d', edge) AS words
FROM spmv_exchange_1_2 WHERE status = 'pass' AND edge > 0 AND variant IN ('sync', 'sg') GROUP BY variant, edge;

-- Figure 4-1: strategies without MPI on device memory. The bytes count from edge 80 on.
SELECT 'fanfarillo-c-067' AS id, mid AS value, low, high,
       printf('times the throughput of sync by %s, edge %d', a, edge) AS words
FROM spmv_strategies WHERE experiment = 'spmv_exchange_1_2' AND b = 'sync'
  AND a IN ('sg', 'index-standard', 'pinned', 'index-pinned');

SELECT 'fanfarillo-c-068/vector' AS id, 1.0 * vector_bytes / halo_bytes AS value, NULL AS low, NULL AS high,
       printf('times the halo is the vector, edge %d', edge) AS words
FROM spmv_exchange_1_2_median WHERE variant = 'sync' AND edge >= 80
UNION ALL
SELECT 'fanfarillo-c-068/bus', 1.0 * s.bus_bytes / g.bus_bytes, NULL, NULL,
       printf('times the bytes of sg on the bus by sync, edge %d', edge)
FROM spmv_exchange_1_2_median AS s JOIN spmv_exchange_1_2_median AS g USING (edge)
WHERE s.variant = 'sync' AND g.variant = 'sg' AND edge >= 80;

WITH pair AS (
    SELECT s.mid, s.low, s.high, g.rate AS sg, i.rate AS standard
    FROM spmv_strategies AS s JOIN spmv_exchanges AS g USING (experiment, edge) JOIN spmv_exchanges AS i
    USING (experiment, edge)
    WHERE experiment = 'spmv_exchange_1_2' AND a = 'index-standard' AND b = 'sg' AND g.variant = 'sg'
      AND i.variant = 'index-standard')
SELECT 'fanfarillo-c-070/ratio' AS id, median(mid) AS value, median(low) AS low, median(high) AS high,
       'times the throughput of sg by index-standard, median' AS words
FROM pair HAVING count(*) > 2
UNION ALL
SELECT 'fanfarillo-c-070/correlation', sign(line_slope(sg, standard)) * sqrt(line_r2(sg, standard)), NULL, NULL,
       'correlation of the two' FROM pair HAVING count(*) > 2;

-- Roughness. Dips that are no noise are there in both halves of the repetitions, which stand for two runs.
WITH ratio AS (
    SELECT a.variant AS a, b.variant AS b, a.rough / b.rough AS ratio
    FROM spmv_roughness AS a JOIN spmv_roughness AS b USING (experiment)
    WHERE experiment = 'spmv_exchange_1_2' AND a.variant IN ('sg', 'index-standard')
      AND b.variant IN ('pinned', 'index-pinned')),
half AS (
    SELECT variant, edge AS x, rep % 2 AS half, median(gflops) AS y FROM spmv_exchange_1_2
    WHERE status = 'pass' AND edge > 0 AND variant IN ('sg', 'index-standard') GROUP BY variant, edge, rep % 2),
bend AS (
    SELECT variant, half, x, y - y0 - (y1 - y0) * (x - x0) / (x1 - x0) AS bend
    FROM (SELECT *, lag(x) OVER at AS x0, lag(y) OVER at AS y0, lead(x) OVER at AS x1, lead(y) OVER at AS y1 FROM half
          WINDOW at AS (PARTITION BY variant, half ORDER BY x)))
SELECT 'fanfarillo-c-069/rougher' AS id, ratio AS value, NULL AS low, NULL AS high,
       printf('times as rough is %s as %s', a, b) AS words
FROM ratio
UNION ALL
SELECT 'fanfarillo-c-069/repeats', coalesce(spearman(a.bend, b.bend), 0), NULL, NULL,
       'rank correlation of both halves of the repetitions, ' || variant
FROM bend AS a JOIN bend AS b USING (variant, x) WHERE a.half = 0 AND b.half = 1 GROUP BY variant
HAVING count(a.bend + b.bend) > 2
UNION ALL
SELECT 'fanfarillo-c-071/' || iif(a = 'sg', a, 'index'), ratio, NULL, NULL, printf('times as rough is %s as %s', a, b)
FROM ratio WHERE a = 'sg' AND b = 'pinned' OR a = 'index-standard' AND b = 'index-pinned';

-- Time of all calls of an exchange from one size to the next: jumps by more than 30 %.
WITH step AS (
    SELECT time_s / lag(time_s) OVER at AS mid, time_low_s / lag(time_high_s) OVER at AS low,
           time_high_s / lag(time_low_s) OVER at AS high
    FROM spmv_calls_median WHERE variant = 'all' WINDOW at AS (ORDER BY edge))
SELECT 'fanfarillo-c-072/jumps' AS id, sum(mid > 1.3 OR mid < 0.7) AS value, sum(low > 1.3 OR high < 0.7) AS low,
       sum(high > 1.3 OR low < 0.7) AS high, printf('jumps in %d steps', count(mid)) AS words
FROM step HAVING count(mid) > 0
UNION ALL
SELECT 'fanfarillo-c-072/falls', sum(mid < 0.7), sum(high < 0.7), sum(low < 0.7), 'of them falls'
FROM step HAVING count(mid) > 0;

-- Its steps beside those of sg's throughput.
WITH both AS (
    SELECT c.time_s - lag(c.time_s) OVER at AS calls, s.gflops - lag(s.gflops) OVER at AS gflops
    FROM spmv_calls_median AS c JOIN spmv_exchange_1_2_median AS s USING (edge)
    WHERE c.variant = 'all' AND s.variant = 'sg' WINDOW at AS (ORDER BY edge))
SELECT 'fanfarillo-c-073' AS id,
       sign(line_slope(calls, gflops)) * sqrt(line_r2(calls, gflops)) AS value, NULL AS low, NULL AS high,
       printf('correlation of %d steps', count(calls)) AS words
FROM both HAVING count(calls) > 2;

-- Rank of index-pinned among the strategies without MPI on device memory. Surely behind is who is slower by the
-- intervals. Columns of an experiment that was waived are not there: here and below that waives the claim.
WITH rank AS (
    SELECT experiment, 1 + sum(mid < 1) AS mid, 1 + sum(high < 1) AS least FROM spmv_strategies
    WHERE experiment IN ('spmv_exchange_1_2', 'spmv_exchange_2_1') AND a = 'index-pinned'
      AND b IN ('sync', 'sg', 'index-standard', 'pinned') GROUP BY experiment, edge)
SELECT 'fanfarillo-c-079' AS id, median(mid) AS value, median(least) AS low, NULL AS high,
       printf('median rank of index-pinned, %d sizes, %s', count(*), experiment) AS words
FROM rank WHERE EXISTS (SELECT a.edge + b.edge FROM spmv_exchange_1_2_median AS a, spmv_exchange_2_1_median AS b)
GROUP BY experiment;

-- Open MPI beside Pinned.
SELECT iif(rows > 1000000, 'fanfarillo-c-080/large', 'fanfarillo-c-080/smallest') AS id, mid AS value, low, high,
       printf('times the throughput of index-pinned, %d rows', rows) AS words
FROM (SELECT *, min(rows) OVER () AS least FROM spmv_strategies
      WHERE experiment = 'spmv_exchange_1_2' AND a = 'openmpi' AND b = 'index-pinned')
WHERE rows = least OR rows > 1000000;

SELECT 'fanfarillo-c-081' AS id, mid AS value, low, high,
       printf('times the throughput of index-pinned, %d rows', rows) AS words
FROM spmv_strategies
WHERE experiment = 'spmv_exchange_2_1' AND a = 'openmpi' AND b = 'index-pinned' AND rows > 1000000;

-- Two nodes over their network beside one node, median over the edges.
SELECT 'fanfarillo-c-082' AS id, median(a.time_s / b.time_s) AS value, median(a.time_low_s / b.time_high_s) AS low,
       median(a.time_high_s / b.time_low_s) AS high, 'times the throughput of one node by ' || variant AS words
FROM spmv_exchange_1_2_median AS a JOIN spmv_exchange_2_1_median AS b USING (variant, matrix) WHERE a.edge > 0
GROUP BY variant;

SELECT 'fanfarillo-c-083' AS id, o.rough / p.rough AS value, NULL AS low, NULL AS high,
       'times as rough as index-pinned' AS words
FROM spmv_roughness AS o JOIN spmv_roughness AS p USING (experiment)
WHERE experiment = 'spmv_exchange_2_2' AND o.variant = 'openmpi' AND p.variant = 'index-pinned';

-- One GPU per node, where no CUDA IPC is at work.
SELECT 'fanfarillo-c-086' AS id, o.rough / p.rough AS value, NULL AS low, NULL AS high,
       'times as rough as index-pinned' AS words
FROM spmv_roughness AS o JOIN spmv_roughness AS p USING (experiment)
WHERE experiment = 'spmv_exchange_2_1' AND o.variant = 'openmpi' AND p.variant = 'index-pinned';

-- Edges whose rows the four processes cannot share evenly, each beside a neighbour that they can. All calls of MPI are
-- counted, not MPI_Send alone.
WITH loss AS (
    SELECT variant, count(*) AS pairs, median(u.gflops / e.gflops) AS mid,
           median(u.gflops / e.gflops * u.time_s / u.time_high_s * e.time_low_s / e.time_s) AS low,
           median(u.gflops / e.gflops * u.time_s / u.time_low_s * e.time_high_s / e.time_s) AS high,
           median(u.mpi_s / e.mpi_s) AS mpi
    FROM spmv_exchange_2_2_median AS u JOIN spmv_exchange_2_2_median AS e USING (variant)
    WHERE u.edge > 0 AND e.edge > 0 AND u.rows % 4 <> 0 AND e.rows % 4 = 0 AND abs(u.edge - e.edge) = 1
    GROUP BY variant)
SELECT 'fanfarillo-c-084/' || iif(variant = 'openmpi', variant, 'pinned') AS id, mid AS value, low, high,
       printf('times the throughput of an even size, median of %d pairs', pairs) AS words
FROM loss
WHERE variant IN ('openmpi', 'index-pinned') AND EXISTS (SELECT 1 FROM loss WHERE variant = 'openmpi')
UNION ALL SELECT 'fanfarillo-c-085', mpi, NULL, NULL, 'times the time in MPI of an even size' FROM loss
WHERE variant = 'openmpi'
UNION ALL
SELECT 'fanfarillo-c-153', p.mid / o.mid, p.low / o.high, p.high / o.low, 'times the loss by pinned'
FROM loss AS o, loss AS p WHERE o.variant = 'openmpi' AND p.variant = 'index-pinned';

-- Weak scaling: throughput on several nodes / on one.
SELECT 'fanfarillo-c-087' AS id, n.mid / o.mid AS value, n.low / o.high AS low, n.high / o.low AS high,
       printf('times as much is left by index-pinned as by openmpi, %d nodes', n.nodes) AS words
FROM spmv_weak AS n JOIN spmv_weak AS o ON o.nodes = 1 WHERE n.nodes > 1 AND n.experiment IN (
    'spmv_exchange_weak_2', 'spmv_exchange_weak_4', 'spmv_exchange_weak_8') AND o.experiment = 'spmv_exchange_weak_1';

-- Open MPI beside Pinned at the ends of the sizes; with four processes where 4 divides the rows.
SELECT iif(rows = least, 'fanfarillo-c-088/smallest', 'fanfarillo-c-088/largest') AS id, mid AS value, low, high,
       printf('times the throughput of index-pinned, %d rows, %s', rows, experiment) AS words
FROM (SELECT *, min(rows) OVER sizes AS least, max(rows) OVER sizes AS most FROM spmv_strategies
      WHERE a = 'openmpi' AND b = 'index-pinned'
        AND (experiment IN ('spmv_exchange_1_2', 'spmv_exchange_2_1')
             OR experiment = 'spmv_exchange_2_2' AND rows % 4 = 0)
      WINDOW sizes AS (PARTITION BY experiment))
WHERE rows IN (least, most)
  AND EXISTS (SELECT a.edge + b.edge + c.edge
              FROM spmv_exchange_1_2_median AS a, spmv_exchange_2_1_median AS b, spmv_exchange_2_2_median AS c);

-- The best strategy of other matrices, which are generated: alike is what is the best of pde within the intervals.
WITH run AS (SELECT matrix, variant, time_s AS mid, time_low_s AS low, time_high_s AS high
             FROM spmv_exchange_kinds_median),
best AS (SELECT matrix, variant, min(mid) AS mid, high FROM run GROUP BY matrix),
pde AS (SELECT variant FROM best WHERE matrix LIKE 'pde:%' ORDER BY matrix DESC LIMIT 1),
other AS (
    SELECT b.variant = pde.variant AS same, r.low <= b.high AS alike, pde.variant AS expected
    FROM best AS b LEFT JOIN pde ON true LEFT JOIN run AS r ON r.matrix = b.matrix AND r.variant = pde.variant
    WHERE b.matrix NOT LIKE 'pde:%')
SELECT 'fanfarillo-c-089' AS id, avg(same) AS value, NULL AS low, avg(max(same, alike)) AS high,
       coalesce(printf('of %d other matrices with the best strategy of pde, ', count(*)) || max(expected),
                'no pde matrix was measured beside them') AS words
FROM other HAVING count(*) > 0;
