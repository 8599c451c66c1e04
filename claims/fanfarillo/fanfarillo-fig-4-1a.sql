-- Strategies of the exchange between two GPUs of one node, without MPI on device memory, over edges of pde matrices.
WITH run AS (
    SELECT variant, edge, gflops, time_s AS mid, time_low_s AS low, time_high_s AS high, bus_bytes, vector_bytes, halo_bytes
    FROM spmv_exchange_1_2_median WHERE edge > 0 AND variant IN ('sync', 'sg', 'index-standard', 'pinned', 'index-pinned')),
slower AS (
    SELECT s.mid / o.mid AS mid, s.low / o.high AS low, s.high / o.low AS high, o.variant AS variant, edge
    FROM run AS s JOIN run AS o USING (edge) WHERE s.variant = 'sync' AND o.variant <> 'sync'),
moved AS (
    SELECT edge, 1.0 * s.vector_bytes / s.halo_bytes AS vector, 1.0 * s.bus_bytes / g.bus_bytes AS bus FROM run AS s JOIN run AS g USING (edge)
    WHERE s.variant = 'sync' AND g.variant = 'sg' AND edge >= min(80, (SELECT max(edge) FROM run WHERE variant = 'sync'))),
pair AS (SELECT g.gflops AS sg, i.gflops AS standard, g.mid / i.mid AS mid, g.low / i.high AS low, g.high / i.low AS high FROM run AS g JOIN run AS i USING (edge)
         WHERE g.variant = 'sg' AND i.variant = 'index-standard')
SELECT 'fanfarillo-c-067' AS id,
       printf('sync takes %.2f to %.2f times the others, not the most at %d of %d sizes', min(mid), max(mid), count(DISTINCT iif(mid < 1, edge, NULL)), count(DISTINCT edge)) AS measured,
       'not faster than any at any size' AS bound, CASE WHEN min(low) >= 1 THEN 1 WHEN min(high) < 1 THEN 0 END AS ok, '' AS reason
FROM slower HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-068',
       printf('vector / halo %.1f to %.1f, bytes on the bus sync / sg %.1f to %.1f, from edge %d on', min(vector), max(vector), min(bus), max(bus), min(edge)),
       '> 10 each from edge 80 on, or at the largest',
       CASE WHEN min(vector > 10) = 1 AND min(bus > 10) = 1 THEN 1 WHEN max(edge) < 80 THEN 'waived' ELSE 0 END, iif(max(edge) < 80, 'no edge of 80 was measured', '')
FROM moved HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-070',
       printf('correlation %.3f, median index-standard / sg %.3f', sign(line_slope(sg, standard)) * sqrt(line_r2(sg, standard)), median(mid)), '>= 0.8, >= 1',
       CASE WHEN count(*) < 3 THEN 'waived' WHEN line_slope(sg, standard) <= 0 OR line_r2(sg, standard) < 0.64 OR median(high) < 1 THEN 0 WHEN median(low) >= 1 THEN 1 END,
       iif(count(*) < 3, 'too few sizes were measured', '')
FROM pair HAVING count(*) > 0;

-- Roughness of the curves: twice the mean distance of a point from the line between its neighbours / the mean. Dips that are no noise are there in both
-- halves of the repetitions.
WITH half AS (
    SELECT variant, edge AS x, rep % 2 AS half, median(gflops) AS y FROM spmv_exchange_1_2
    WHERE status = 'pass' AND edge > 0 AND variant IN ('sg', 'index-standard', 'pinned', 'index-pinned') GROUP BY variant, edge, rep % 2
    UNION ALL SELECT variant, edge, 2, gflops FROM spmv_exchange_1_2_median WHERE edge > 0 AND variant IN ('sg', 'index-standard', 'pinned', 'index-pinned')),
near AS (
    SELECT *, lag(x) OVER at AS x0, lag(y) OVER at AS y0, lead(x) OVER at AS x1, lead(y) OVER at AS y1 FROM half WINDOW at AS (PARTITION BY variant, half ORDER BY x)),
bend AS (SELECT variant, half, x, y, 2 * (y - y0 - (y1 - y0) * (x - x0) / (x1 - x0)) AS bend FROM near),
rough AS (SELECT variant, avg(abs(bend)) / avg(y) AS rough FROM bend WHERE half = 2 GROUP BY variant),
repeats AS (
    SELECT a.variant, spearman(a.bend, b.bend) AS alike FROM bend AS a JOIN bend AS b USING (variant, x)
    WHERE a.half = 0 AND b.half = 1 AND a.bend IS NOT NULL GROUP BY a.variant),
curve AS (
    SELECT max(rough) FILTER (WHERE variant = 'sg') AS sg, max(rough) FILTER (WHERE variant = 'index-standard') AS standard,
           max(rough) FILTER (WHERE variant = 'pinned') AS pinned, max(rough) FILTER (WHERE variant = 'index-pinned') AS index_pinned FROM rough HAVING count(*) = 4),
again AS (SELECT min(alike) AS least FROM repeats WHERE variant IN ('sg', 'index-standard'))
SELECT 'fanfarillo-c-069' AS id,
       iif(sg IS NULL, NULL, printf('roughness of sg %.3f, index-standard %.3f, pinned %.3f, index-pinned %.3f; both halves of the repetitions correlate by at least %.2f', sg,
                                    standard, pinned, index_pinned, least)) AS measured,
       'sg and index-standard rougher than both pinned; >= 0.5' AS bound,
       iif(least IS NULL OR sg IS NULL, 'waived', min(sg, standard) > max(pinned, index_pinned) AND least >= 0.5) AS ok,
       iif(least IS NULL OR sg IS NULL, 'too few sizes were measured', 'halves of the repetitions stand for two runs') AS reason
FROM curve, again
UNION ALL
SELECT 'fanfarillo-c-071', iif(sg IS NULL, NULL, printf('sg / pinned %.2f, index-standard / index-pinned %.2f', sg / pinned, standard / index_pinned)), 'both > 1.5',
       iif(sg IS NULL, 'waived', sg / pinned > 1.5 AND standard / index_pinned > 1.5), iif(sg IS NULL, 'too few sizes were measured', '')
FROM curve;
