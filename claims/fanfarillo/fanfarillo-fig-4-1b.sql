-- Time of all calls of an exchange from one size to the next.
WITH step AS (
    SELECT edge, time_s / lag(time_s) OVER at AS mid, time_low_s / lag(time_high_s) OVER at AS low, time_high_s / lag(time_low_s) OVER at AS high
    FROM spmv_calls_median WHERE variant = 'all' WINDOW at AS (ORDER BY edge))
SELECT 'fanfarillo-c-072' AS id,
       printf('%d rises by more than 30 %%, %d falls, among %d steps (%.2f to %.2f)', sum(mid > 1.3), sum(mid < 0.7), count(mid), min(mid), max(mid)) AS measured,
       'at least two jumps, a fall among them' AS bound,
       CASE WHEN sum(low > 1.3 OR high < 0.7) >= 2 AND sum(high < 0.7) >= 1 THEN 1 WHEN sum(high > 1.3 OR low < 0.7) < 2 OR sum(low < 0.7) = 0 THEN 0 END AS ok, '' AS reason
FROM step HAVING count(mid) > 0;

-- Its steps beside those of sg's throughput.
WITH both AS (
    SELECT edge, c.time_s - lag(c.time_s) OVER (ORDER BY edge) AS calls, s.gflops - lag(s.gflops) OVER (ORDER BY edge) AS gflops
    FROM spmv_calls_median AS c JOIN spmv_exchange_1_2_median AS s USING (edge) WHERE c.variant = 'all' AND s.variant = 'sg'),
fit AS (SELECT sign(line_slope(calls, gflops)) * sqrt(line_r2(calls, gflops)) AS correlation, count(calls) AS steps FROM both)
SELECT 'fanfarillo-c-073' AS id, iif(steps < 3, NULL, printf('correlation %.2f over %d steps', correlation, steps)) AS measured, '<= -0.5' AS bound,
       iif(steps < 3, 'waived', correlation <= -0.5) AS ok, iif(steps < 3, 'too few sizes were measured', '') AS reason
FROM fit WHERE steps > 0;
