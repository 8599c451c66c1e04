-- Benchmarks of the tuner, and what the sweep over thread blocks found here
WITH best AS (SELECT variant, size, block_x || ' x ' || block_y AS block, rate_gflops, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant),
range AS (SELECT variant, count(*) AS blocks, max(time_s) AS slowest_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant)
SELECT benchmark, description AS "description, thesis", size, blocks, block AS "best block", printf('%.4g', 1e6 * time_s) AS "its time (µs)",
       printf('%.4g', rate_gflops) AS "GFLOP/s", printf('%.3f', time_s / slowest_s) AS "speed of the slowest block / best"
FROM cui_tab_5_1 AS p LEFT JOIN best ON best.variant = benchmark LEFT JOIN range ON range.variant = benchmark ORDER BY p.rowid;
