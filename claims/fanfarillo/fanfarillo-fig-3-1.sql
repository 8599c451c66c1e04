-- Steps of the iterative algorithm, over all sizes and both sets of samples. Each halves a bracket of at most the GPU's time for all rows, down to half a
-- row's: at most log2(2 rows) steps, whatever was measured.
WITH problem AS (SELECT points, rows, steps FROM spmv_split_median WHERE variant = 'iterative' AND step = 0),
histogram AS (SELECT steps, count(*) AS problems FROM problem GROUP BY steps ORDER BY steps)
SELECT 'fanfarillo-c-040' AS id, group_concat(printf('%d steps: %d problems', steps, problems), ', ') AS measured,
       '<= 30 for every problem (thesis: about 20)' AS bound, iif(max(steps) = 0, 'waived', max(steps) <= 30) AS ok,
       CASE WHEN max(steps) = 0 THEN 'one device gets all rows of every problem' WHEN min(steps) = 0 THEN 'no steps: one device gets all rows' ELSE '' END AS reason
FROM histogram HAVING count(*) > 0;

-- Rows too many or too few that both devices do in a step's time. Samples that jump leave a rest that no time removes.
WITH step AS (
    SELECT points, rows, step, abs(imbalance) AS rest, max(step) OVER (PARTITION BY points, rows) AS last FROM spmv_split
    WHERE variant = 'iterative' AND step > 0 AND status = 'pass'),
problem AS (
    SELECT points, rows, spearman(step, rest) AS rank, max(rest) FILTER (WHERE step = last) AS rest FROM step GROUP BY points, rows HAVING count(*) > 2)
SELECT 'fanfarillo-c-041' AS id,
       printf('rank correlation of step and imbalance %.2f to %.2f over %d problems, above -0.8 in %d; at the last step the imbalance is at most %.2g, above 0.01 in %d',
              min(rank), max(rank), count(*), sum(rank > -0.8), max(rest), sum(rest > 0.01)) AS measured,
       'rank correlation <= -0.8 and last imbalance <= 0.01 in every problem' AS bound, max(rank) <= -0.8 AND max(rest) <= 0.01 AS ok,
       'rows too many or too few, of all rows' AS reason
FROM problem HAVING count(*) > 0;
