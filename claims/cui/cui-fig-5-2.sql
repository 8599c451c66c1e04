-- 2D convolution over the thread block, and how its map differs from that of the lid-driven cavity.
WITH rho AS (
    SELECT spearman(1 / a.time_s, 1 / b.time_s) AS mid, count(*) AS n
    FROM tuner_sweep_median AS a JOIN tuner_sweep_median AS b USING (block_x, block_y)
    WHERE a.variant = 'ldc' AND b.variant = '2dconv' AND a.time_s > 0 AND b.time_s > 0)
SELECT 'cui-c-223' AS id, printf('rho = %.2f over %d blocks', mid, n) AS measured, '<= 0.7' AS bound, mid <= 0.7 AS ok, '' AS reason
FROM rho WHERE mid IS NOT NULL;

WITH side AS (SELECT block_x, avg(1 / time_s) AS speed FROM tuner_sweep_median WHERE variant = '2dconv' AND time_s > 0 GROUP BY block_x),
rho AS (
    SELECT spearman(block_x, speed) AS mid, count(*) AS n, spearman(block_x, CASE WHEN block_x <= 64 THEN speed END) AS part FROM side)
SELECT 'cui-c-224' AS id, printf('rho = %.2f over %d block sizes in x; up to 64: %.2f', mid, n, part) AS measured, '>= 0.5' AS bound, mid >= 0.5 AS ok, '' AS reason
FROM rho WHERE mid IS NOT NULL;
