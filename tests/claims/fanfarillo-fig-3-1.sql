-- Steps of the iterative algorithm, over all sizes and both sets of samples.
WITH problem AS (SELECT points, rows, steps FROM spmv_split_median WHERE variant = 'iterative' AND step = 0),
histogram AS (SELECT steps, count(*) AS problems FROM problem GROUP BY steps ORDER BY steps)
SELECT 'fanfarillo-c-040' AS id, group_concat(printf('%d steps: %d problems', steps, problems), ', ') AS measured,
       '<= 30 for every problem (thesis: about 20)' AS bound, iif(max(steps) = 0, 'waived', max(steps) <= 30) AS ok,
       CASE WHEN max(steps) = 0 THEN 'one device gets all rows of every problem' WHEN min(steps) = 0 THEN 'no steps: one device gets all rows' ELSE '' END AS reason
FROM histogram HAVING count(*) > 0;

-- A step halves the bracket of the common time: no step is longer than the one before, and the last one is below the tolerance.
WITH step AS (
    SELECT points, rows, step, level_s, imbalance, abs(level_s - lag(level_s) OVER at) AS moved, max(step) OVER (PARTITION BY points, rows) AS last
    FROM spmv_split WHERE variant = 'iterative' AND step > 0 AND status = 'pass' WINDOW at AS (PARTITION BY points, rows ORDER BY step)),
pair AS (SELECT *, lag(moved) OVER (PARTITION BY points, rows ORDER BY step) AS before FROM step),
problem AS (
    SELECT points, rows, max(moved > before * (1 + 1e-9)) AS longer, max(moved / level_s) FILTER (WHERE step = last) AS end,
           max(abs(imbalance)) FILTER (WHERE step = last) AS imbalance
    FROM pair GROUP BY points, rows HAVING count(before) > 0)
SELECT 'fanfarillo-c-041' AS id,
       printf('%d of %d problems with a longer step; last step at most %.2g of the time, imbalance then at most %.2g', sum(longer), count(*), max(end),
              max(imbalance)) AS measured,
       'no longer steps; last one <= 0.001, or that of two rows' AS bound, max(longer) = 0 AND max(end > max(1e-3, 2.0 / rows)) = 0 AS ok, '' AS reason
FROM problem HAVING count(*) > 0;
