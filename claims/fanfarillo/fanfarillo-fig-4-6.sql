-- Nodes with one GPU each, where no CUDA IPC is at work: roughness of the curves over edges, as in figure 4-5.
WITH near AS (
    SELECT variant, edge AS x, gflops AS y, lag(edge) OVER at AS x0, lag(gflops) OVER at AS y0, lead(edge) OVER at AS x1, lead(gflops) OVER at AS y1
    FROM spmv_exchange_2_1_median WHERE edge > 0 AND variant IN ('openmpi', 'index-pinned') WINDOW at AS (PARTITION BY variant ORDER BY edge)),
rough AS (SELECT variant, 2 * avg(abs(y - y0 - (y1 - y0) * (x - x0) / (x1 - x0))) / avg(y) AS rough FROM near GROUP BY variant)
SELECT 'fanfarillo-c-086' AS id, printf('roughness of openmpi %.3f, of index-pinned %.3f', o.rough, p.rough) AS measured, 'ratio > 1' AS bound,
       iif(o.rough IS NULL OR p.rough IS NULL, 'waived', o.rough / p.rough > 1) AS ok, iif(o.rough IS NULL OR p.rough IS NULL, 'too few sizes were measured', '') AS reason
FROM rough AS o, rough AS p WHERE o.variant = 'openmpi' AND p.variant = 'index-pinned';

-- Weak scaling: throughput on several nodes / on one, index-pinned / openmpi.
WITH run AS (
    SELECT * FROM spmv_exchange_weak_1_median UNION ALL SELECT * FROM spmv_exchange_weak_2_median UNION ALL SELECT * FROM spmv_exchange_weak_4_median
    UNION ALL SELECT * FROM spmv_exchange_weak_8_median),
speedup AS (
    SELECT variant, n.nodes AS nodes, n.gflops / o.gflops AS mid, n.gflops / o.gflops * n.time_s / n.time_high_s * o.time_low_s / o.time_s AS low,
           n.gflops / o.gflops * n.time_s / n.time_low_s * o.time_high_s / o.time_s AS high
    FROM run AS n JOIN run AS o USING (variant) WHERE n.nodes > 1 AND o.nodes = 1),
ratio AS (
    SELECT nodes, p.mid AS pinned, m.mid AS mpi, p.mid / m.mid AS mid, p.low / m.high AS low, p.high / m.low AS high
    FROM speedup AS p JOIN speedup AS m USING (nodes) WHERE p.variant = 'index-pinned' AND m.variant = 'openmpi' ORDER BY nodes)
SELECT 'fanfarillo-c-087' AS id,
       group_concat(printf('%.2f and %.2f on %d nodes', pinned, mpi, nodes), ', ') AS measured,
       'index-pinned scales better on each number of nodes' AS bound,
       CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok, '' AS reason
FROM ratio HAVING count(*) > 0;
