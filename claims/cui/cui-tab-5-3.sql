-- The thesis's best blocks of a P100, which it moved to a V100, on this machine, as speed / best.
WITH device AS (SELECT count(*) > 0 AS is_v100 FROM machine WHERE name = 'device0_name' AND value LIKE '%V100%'),
own AS (SELECT variant, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant),
told AS (
    SELECT p.*, own.time_s / s.time_s AS mid, is_v100
    FROM cui_tab_5_3 AS p JOIN own ON own.variant = benchmark
    LEFT JOIN tuner_sweep_median AS s ON s.variant = benchmark AND s.block_x = p100_ideal_thread_x AND s.block_y = p100_ideal_thread_y, device),
bounds(id, benchmark) AS (
    VALUES ('cui-c-241', '2dconv'), ('cui-c-242', '3dconv'), ('cui-c-243', '2mm'), ('cui-c-244', '3mm'),
           ('cui-c-245', 'gemm'), ('cui-c-246', 'gesummv'), ('cui-c-247', 'mvt'), ('cui-c-248', 'syr2k'),
           ('cui-c-249', 'syrk'), ('cui-c-250', 'epcc'), ('cui-c-251', 'ldc'))
SELECT id, iif(mid, printf('%d x %d: %.3f here', p100_ideal_thread_x, p100_ideal_thread_y, mid), printf('%d x %d was not measured', p100_ideal_thread_x, p100_ideal_thread_y)) AS measured,
       printf('%.3f +- 0.05 (P100''s best, %d x %d, on a V100)', performance_on_v100_fraction, p100_ideal_thread_x, p100_ideal_thread_y) AS bound,
       iif(is_v100 AND mid, abs(mid - performance_on_v100_fraction) <= 0.05, 'waived') AS ok,
       iif(is_v100 AND mid, '', 'a number of the Tesla V100') AS reason
FROM bounds JOIN told USING (benchmark);

-- How well best blocks move between this machine and a second one, among the blocks that both measured, in both directions; judged if both
-- are GPUs. Intervals: of the mean times of a block's launches.
WITH device AS (
    SELECT count(*) > 0 AND NOT EXISTS (SELECT 1 FROM partner_machine WHERE name = 'device0_kind' AND value <> 'cuda') AS cuda
    FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
pair AS MATERIALIZED (
    SELECT variant, block_x, block_y, h.time_s AS here, coalesce(h.spread_s, 0) AS here_error, t.time_s AS there, coalesce(t.spread_s, 0) AS there_error
    FROM tuner_sweep_median AS h JOIN partner_tuner_sweep_median AS t USING (variant, block_x, block_y) WHERE h.time_s > 0 AND t.time_s > 0),
come AS (SELECT variant, here, here_error AS error, min(there) FROM pair GROUP BY variant),
gone AS (SELECT variant, there, there_error AS error, min(here) FROM pair GROUP BY variant),
here AS (SELECT variant, min(here) AS best, here_error AS error FROM pair GROUP BY variant),
there AS (SELECT variant, min(there) AS best, there_error AS error FROM pair GROUP BY variant),
way AS (
    SELECT variant, 'here' AS at, best / here AS mid, (best - here.error) / (here + come.error) AS low, (best + here.error) / max(here - come.error, 0.001 * here) AS high
    FROM here JOIN come USING (variant)
    UNION ALL
    SELECT variant, 'on the second machine', best / there, (best - there.error) / (there + gone.error), (best + there.error) / max(there - gone.error, 0.001 * there)
    FROM there JOIN gone USING (variant)),
least AS (SELECT variant, at, min(mid) AS mid, low, high FROM way),
two AS (SELECT variant, at, min(mid) AS mid, min(low) AS low, min(high) AS high FROM way WHERE variant = '2mm'),
verdict(id, measured, bound, ok, mid) AS (
    SELECT 'cui-c-263', printf('2mm %.3f %s', mid, at), '>= 0.95 in both directions (thesis: 0.99)', CASE WHEN low >= 0.95 THEN 1 WHEN high < 0.95 THEN 0 END, mid FROM two
    UNION ALL
    SELECT 'cui-c-264', printf('%s %.3f %s', variant, mid, at), '<= 0.8 with one kernel (thesis, syrk: 0.44..0.47)',
           CASE WHEN high <= 0.8 THEN 1 WHEN low > 0.8 THEN 0 END, mid
    FROM least)
SELECT id, iif(mid, measured, 'second machine: not measured') AS measured, bound, iif(cuda AND mid, ok, 'waived') AS ok,
       CASE WHEN mid IS NULL THEN 'it compares two machines, and no second one' || iif(cuda, ' with a CUDA GPU', '') || ' is recorded'
            WHEN cuda THEN '' ELSE 'it compares two GPUs, and one of these or both are software GPUs' END AS reason
FROM verdict, device WHERE EXISTS (SELECT 1 FROM tuner_sweep_median);
