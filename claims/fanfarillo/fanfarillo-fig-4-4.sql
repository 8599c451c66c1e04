-- CUDA-aware Open MPI beside pinned memory, two nodes with one GPU each.
WITH ratio AS ( -- throughput of openmpi / index-pinned, which the thesis calls Pinned here
    SELECT edge, rows, o.gflops / p.gflops AS mid, o.gflops / p.gflops * o.time_s / o.time_high_s * p.time_low_s / p.time_s AS low,
           o.gflops / p.gflops * o.time_s / o.time_low_s * p.time_high_s / p.time_s AS high
    FROM spmv_exchange_2_1_median AS o JOIN spmv_exchange_2_1_median AS p USING (matrix, rows, edge) WHERE edge > 0 AND o.variant = 'openmpi' AND p.variant = 'index-pinned'),
behind AS (SELECT max(rows) AS rows FROM ratio WHERE mid <= 1),
many AS (SELECT count(*) AS sizes, min(mid) AS mid, min(low) AS low, min(high) AS high FROM ratio WHERE rows > 1000000),
range AS (SELECT min(mid) AS least, max(mid) AS most FROM ratio)
SELECT 'fanfarillo-c-081' AS id,
       printf('openmpi / pinned %.3f to %.3f, %s; not ahead up to %s', least, most,
              iif(sizes, printf('at least %.3f at %d sizes above a million rows', many.mid, sizes), 'none above a million rows'), coalesce(behind.rows || ' rows', 'no size')) AS measured,
       '> 1 above a million rows' AS bound, CASE WHEN sizes = 0 THEN 'waived' WHEN many.low > 1 THEN 1 WHEN many.high <= 1 THEN 0 END AS ok,
       iif(sizes = 0, 'no matrix of more than a million rows was measured', '') AS reason
FROM behind, many, range WHERE least > 0;

-- Two nodes over their network beside one node, by strategy, median over the edges.
WITH ratio AS (
    SELECT variant, b.gflops / a.gflops AS mid, b.gflops / a.gflops * b.time_s / b.time_high_s * a.time_low_s / a.time_s AS low,
           b.gflops / a.gflops * b.time_s / b.time_low_s * a.time_high_s / a.time_s AS high
    FROM spmv_exchange_1_2_median AS a JOIN spmv_exchange_2_1_median AS b USING (variant, matrix) WHERE a.edge > 0),
strategy AS (SELECT variant, median(mid) AS mid, median(low) AS low, median(high) AS high FROM ratio GROUP BY variant)
SELECT 'fanfarillo-c-082' AS id, group_concat(printf('%s %.3f', variant, mid), ', ') AS measured, '< 1 each' AS bound,
       CASE WHEN max(high) < 1 THEN 1 WHEN max(low) >= 1 THEN 0 END AS ok, 'the virtual cluster''s network stands for the 10 Gbit/s of the thesis' AS reason
FROM strategy HAVING count(*) > 0;
