-- Functions of CUDA's driver API that a program gets from libpartition.so, beside the thesis's wrappers
WITH call AS (SELECT call, replaced, row_number() OVER (ORDER BY rowid) AS place FROM partition_calls_median)
SELECT coalesce(cuda_function, call) AS function, mekong_wrapping_function AS "wrapper, thesis",
       CASE replaced WHEN 1 THEN 'replaced' WHEN 0 THEN 'reaches CUDA' END AS "libpartition.so"
FROM klein_tab_2 AS known FULL JOIN call ON call = cuda_function
ORDER BY known.rowid IS NULL, known.rowid, place;
