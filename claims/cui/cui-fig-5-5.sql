-- The 27-point stencil: mean speed by the block's size in y.
WITH side AS (SELECT block_y, avg(1 / time_s) AS speed FROM tuner_sweep_median WHERE variant = 'epcc' AND time_s > 0 GROUP BY block_y),
rho AS (
    SELECT spearman(block_y, speed) AS mid, count(*) AS n, spearman(block_y, CASE WHEN block_y <= 64 THEN speed END) AS part FROM side)
SELECT 'cui-c-225' AS id, printf('rho = %.2f over %d block sizes in y; up to 64: %.2f', mid, n, part) AS measured, '>= 0.5' AS bound, mid >= 0.5 AS ok, '' AS reason
FROM rho WHERE mid IS NOT NULL;
