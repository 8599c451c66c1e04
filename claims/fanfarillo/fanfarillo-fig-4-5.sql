-- Two nodes with two GPUs each, over edges. Roughness: twice the mean distance of a point from the line between its neighbours / the mean.
WITH near AS (
    SELECT variant, edge AS x, gflops AS y, lag(edge) OVER at AS x0, lag(gflops) OVER at AS y0, lead(edge) OVER at AS x1, lead(gflops) OVER at AS y1
    FROM spmv_exchange_2_2_median WHERE edge > 0 AND variant IN ('openmpi', 'index-pinned') WINDOW at AS (PARTITION BY variant ORDER BY edge)),
rough AS (SELECT variant, 2 * avg(abs(y - y0 - (y1 - y0) * (x - x0) / (x1 - x0))) / avg(y) AS rough FROM near GROUP BY variant)
SELECT 'fanfarillo-c-083' AS id, printf('roughness of openmpi %.3f, of pinned %.3f', o.rough, p.rough) AS measured, 'ratio > 2' AS bound,
       iif(o.rough IS NULL OR p.rough IS NULL, 'waived', o.rough / p.rough > 2) AS ok, iif(o.rough IS NULL OR p.rough IS NULL, 'too few sizes were measured', '') AS reason
FROM rough AS o, rough AS p WHERE o.variant = 'openmpi' AND p.variant = 'index-pinned';

-- Edges whose rows the four processes cannot share evenly.
WITH run AS (SELECT variant, edge, rows, gflops, mpi_s, time_s, time_low_s, time_high_s FROM spmv_exchange_2_2_median WHERE edge > 0 AND variant IN ('openmpi', 'index-pinned')),
pair AS ( -- a size that 4 does not divide beside its neighbour that it does
    SELECT variant, u.edge AS uneven, u.mpi_s / e.mpi_s AS mpi, u.gflops / e.gflops AS mid, u.gflops / e.gflops * u.time_s / u.time_high_s * e.time_low_s / e.time_s AS low,
           u.gflops / e.gflops * u.time_s / u.time_low_s * e.time_high_s / e.time_s AS high
    FROM run AS u JOIN run AS e USING (variant) WHERE u.rows % 4 <> 0 AND e.rows % 4 = 0 AND abs(u.edge - e.edge) = 1),
loss AS (SELECT variant, count(*) AS pairs, median(mid) AS mid, median(low) AS low, median(high) AS high, median(mpi) AS mpi FROM pair GROUP BY variant)
SELECT 'fanfarillo-c-084' AS id,
       printf('uneven / even %.3f by openmpi, %.3f by pinned, medians of %d pairs', o.mid, p.mid, o.pairs) AS measured,
       '< 0.9, 0.95..1.05' AS bound,
       CASE WHEN o.high < 0.9 AND p.low >= 0.95 AND p.high <= 1.05 THEN 1 WHEN o.low >= 0.9 OR p.high < 0.95 OR p.low > 1.05 THEN 0 END AS ok, '' AS reason
FROM loss AS o, loss AS p WHERE o.variant = 'openmpi' AND p.variant = 'index-pinned'
UNION ALL
SELECT 'fanfarillo-c-085', printf('time in MPI, uneven / even, %.3f by openmpi', mpi), '> 1', mpi > 1, 'all calls of MPI, not MPI_Send alone'
FROM loss WHERE variant = 'openmpi';
