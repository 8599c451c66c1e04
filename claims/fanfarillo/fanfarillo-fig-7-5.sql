-- Unbalance factor of equal tasks.
WITH run AS (
    SELECT threads, variant, median(lambda) AS mid, interval_low(lambda) AS low, interval_high(lambda) AS high FROM coarrays_tasks
    WHERE status = 'pass' AND cost = 'equal' AND variant IN ('mpi', 'caf') GROUP BY threads, variant),
pair AS (
    SELECT threads, m.mid AS mpi, c.mid AS caf, m.low - c.high AS low, m.high - c.low AS high
    FROM run AS m JOIN run AS c USING (threads) WHERE m.variant = 'mpi' AND c.variant = 'caf' ORDER BY threads)
SELECT 'fanfarillo-c-157' AS id, group_concat(printf('MPI %.2f %%, CAF %.2f %% with %d', mpi, caf, threads), '; ') AS measured,
       'MPI >= CAF with every number of threads' AS bound, CASE WHEN min(low) >= 0 THEN 1 WHEN min(high) < 0 THEN 0 END AS ok, '' AS reason
FROM pair HAVING count(*) > 0;

-- The factor of each run says how many tasks the busiest image did: a whole number, the ideal one where the factor is 0, more where it is not.
WITH run AS (
    SELECT lambda, 1.0 * tasks / ranks AS ideal, (1 + lambda / 100.0) * tasks / ranks AS most FROM coarrays_tasks WHERE status = 'pass' AND variant IN ('mpi', 'caf'))
SELECT 'fanfarillo-c-158' AS id,
       printf('%.4f to %.2f %% in %d runs, 0 in %d; the busiest image did %.2f to %.2f of the ideal number', min(lambda), max(lambda), count(*), sum(lambda < 1e-6),
              min(most / ideal), max(most / ideal)) AS measured,
       'never negative, 0 where the busiest image did no more than its part; a whole number of tasks' AS bound,
       min(lambda) >= 0 AND max(abs(most - round(most))) <= 1e-4 * max(ideal) AND sum((lambda < 1e-6) <> (round(most) <= ideal)) = 0 AS ok, '' AS reason
FROM run HAVING count(*) > 0;
