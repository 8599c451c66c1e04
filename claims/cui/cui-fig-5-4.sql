-- Samples of later iterations, as counted by the program from outside of the search.
SELECT 'cui-c-314' AS id,
       printf('%d measured twice, %d from outside of what was left, of %d samples in %d iterations', sum(repeated), sum(outside), sum(sampled), count(*)) AS measured,
       'none' AS bound, sum(repeated) + sum(outside) = 0 AS ok, '' AS reason
FROM tuner_trace HAVING count(*) > 0;
