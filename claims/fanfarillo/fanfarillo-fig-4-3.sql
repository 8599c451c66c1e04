-- CUDA-aware Open MPI beside pinned memory, two GPUs of one node.
WITH ratio AS ( -- throughput of openmpi / index-pinned, which the thesis calls Pinned here
    SELECT edge, rows, o.gflops / p.gflops AS mid, o.gflops / p.gflops * o.time_s / o.time_high_s * p.time_low_s / p.time_s AS low,
           o.gflops / p.gflops * o.time_s / o.time_low_s * p.time_high_s / p.time_s AS high
    FROM spmv_exchange_1_2_median AS o JOIN spmv_exchange_1_2_median AS p USING (matrix, rows, edge) WHERE edge > 0 AND o.variant = 'openmpi' AND p.variant = 'index-pinned'),
smallest AS (SELECT min(rows) AS rows, mid, low, high FROM ratio),
behind AS (SELECT max(rows) AS rows FROM ratio WHERE mid <= 1),
many AS (SELECT count(*) AS sizes, min(mid) AS mid, min(low) AS low, min(high) AS high FROM ratio WHERE rows > 1000000)
SELECT 'fanfarillo-c-080' AS id,
       printf('openmpi / pinned %.3f at %d rows, %s; not ahead up to %s', smallest.mid, smallest.rows,
              iif(sizes, printf('at least %.3f at %d sizes above a million', many.mid, sizes), 'none above a million'), coalesce(behind.rows || ' rows', 'no size')) AS measured,
       '< 1 at the smallest size, > 1 above a million rows' AS bound,
       CASE WHEN sizes = 0 THEN 'waived' WHEN smallest.high < 1 AND many.low > 1 THEN 1 WHEN smallest.low >= 1 OR many.high <= 1 THEN 0 END AS ok,
       iif(sizes = 0, 'no matrix of more than a million rows was measured', '') AS reason
FROM smallest, behind, many WHERE smallest.rows > 0;
