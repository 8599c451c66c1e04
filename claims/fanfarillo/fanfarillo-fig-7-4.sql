-- Equal tasks handed out by MPI and by coarrays.
WITH pair AS (
    SELECT threads, median(m.time_s / c.time_s) AS mid, median(m.time_low_s / c.time_high_s) AS low, median(m.time_high_s / c.time_low_s) AS high
    FROM coarrays_tasks_median AS m JOIN coarrays_tasks_median AS c USING (cost, tasks, threads, bytes)
    WHERE m.variant = 'mpi' AND c.variant = 'caf' AND cost = 'equal' GROUP BY threads ORDER BY threads)
SELECT 'fanfarillo-c-156' AS id, group_concat(printf('%.3f with %d', mid, threads), ', ') AS measured, 'MPI / CAF above 1, <= 1.3 with every number of threads' AS bound,
       CASE WHEN min(low) > 1 AND max(high) <= 1.3 THEN 1 WHEN min(high) <= 1 OR max(low) > 1.3 THEN 0 END AS ok, 'this CPU, not a Xeon Phi' AS reason
FROM pair HAVING count(*) > 0;
