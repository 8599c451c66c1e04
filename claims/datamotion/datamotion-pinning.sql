-- How much more memory the block cache locks than lives.
SELECT 'datamotion-c-004' AS id, printf('%.3f', 1 + max(waste)) AS measured, '<= 1.15' AS bound,
       1 + max(waste) <= 1.15 AS ok, '' AS reason
FROM pinning_cache_random_median WHERE variant = 'cache' AND trace = 'random' HAVING count(*) > 0;
