-- Time of a put of more than 512 doubles on one node, element against libcaf-mpi, at all sizes that both were measured with.
WITH pair AS (
    SELECT elements AS n, e.time_s / b.time_s AS mid, e.time_low_s / b.time_high_s AS low, e.time_high_s / b.time_low_s AS high
    FROM coarrays_put_median AS e JOIN coarrays_put_median AS b USING (elements)
    WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi' AND elements > 512)
SELECT 'fanfarillo-c-102' AS id,
       printf('element / libcaf-mpi %.3g to %.3g over %d sizes, rank correlation with the size %.2f', min(mid), max(mid), count(*),
           spearman(n, mid)) AS measured,
       '> 1 at every size, rank correlation >= 0.8' AS bound,
       CASE WHEN min(low) > 1 AND spearman(n, mid) >= 0.8 THEN 1 WHEN min(high) <= 1 OR spearman(n, mid) < 0.8 THEN 0 END AS ok,
       CASE WHEN spearman(n, mid) < 0.8 THEN 'the ratio stops growing where the block''s bandwidth does' ELSE '' END AS reason
FROM pair HAVING count(*) > 2;
