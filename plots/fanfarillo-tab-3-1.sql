-- Platforms of the hybrid products: the thesis's, and those measured, with a product of the largest pde matrix on each device alone
WITH run AS (
    SELECT 'this machine' AS platform, variant, rows, gflops FROM spmv_hybrid_median WHERE variant IN ('cpu', 'gpu')
    UNION ALL SELECT 'partner', variant, rows, gflops FROM partner_spmv_hybrid_median WHERE variant IN ('cpu', 'gpu')),
fact AS (
    SELECT 'this machine' AS platform, max(value) FILTER (WHERE name = 'cpu') AS cpu, max(value) FILTER (WHERE name = 'device0_name') AS gpu FROM machine
    UNION ALL SELECT 'partner', max(value) FILTER (WHERE name = 'cpu'), max(value) FILTER (WHERE name = 'device0_name') FROM partner_machine),
largest AS (
    SELECT platform, rows, max(gflops) FILTER (WHERE variant = 'cpu') AS cpu_rate, max(gflops) FILTER (WHERE variant = 'gpu') AS gpu_rate
    FROM run WHERE (platform, rows) IN (SELECT platform, max(rows) FROM run GROUP BY platform) GROUP BY platform)
SELECT platform || ' (thesis)' AS platform, cpu AS "CPU", gpu AS "GPU", NULL AS rows, NULL AS "CPU, GFLOP/s", NULL AS "GPU, GFLOP/s", NULL AS "GPU / CPU"
FROM fanfarillo_tab_3_1
UNION ALL
SELECT platform, cpu, coalesce(gpu, 'software GPU'), rows, printf('%.3g', cpu_rate), printf('%.3g', gpu_rate), printf('%.3g', gpu_rate / cpu_rate)
FROM largest JOIN fact USING (platform);
