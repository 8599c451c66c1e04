-- The thesis's best blocks of a V100, which it moved to a P100, on this machine, as speed / best.
WITH device AS (SELECT count(*) > 0 AS is_p100 FROM machine WHERE name = 'device0_name' AND value LIKE '%P100%'),
own AS (SELECT variant, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant),
told AS (
    SELECT p.*, own.time_s / s.time_s AS mid, is_p100
    FROM cui_tab_5_4 AS p JOIN own ON own.variant = benchmark
    LEFT JOIN tuner_sweep_median AS s ON s.variant = benchmark AND s.block_x = v100_ideal_thread_x AND s.block_y = v100_ideal_thread_y, device),
bounds(id, benchmark) AS (
    VALUES ('cui-c-252', '2dconv'), ('cui-c-253', '3dconv'), ('cui-c-254', '2mm'), ('cui-c-255', '3mm'),
           ('cui-c-256', 'gemm'), ('cui-c-257', 'gesummv'), ('cui-c-258', 'mvt'), ('cui-c-259', 'syr2k'),
           ('cui-c-260', 'syrk'), ('cui-c-261', 'epcc'), ('cui-c-262', 'ldc'))
SELECT id, iif(mid, printf('%d x %d: %.3f here', v100_ideal_thread_x, v100_ideal_thread_y, mid), printf('%d x %d was not measured', v100_ideal_thread_x, v100_ideal_thread_y)) AS measured,
       printf('%.3f +- 0.05 (V100''s best, %d x %d, on a P100)', performance_on_p100_fraction, v100_ideal_thread_x, v100_ideal_thread_y) AS bound,
       iif(is_p100 AND mid, abs(mid - performance_on_p100_fraction) <= 0.05, 'waived') AS ok,
       iif(is_p100 AND mid, '', 'a number of the Tesla P100') AS reason
FROM bounds JOIN told USING (benchmark);

-- The kernel whose best block moves worst between this machine and a second one, in either direction; judged if both are GPUs.
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
least AS (SELECT variant, at, min(mid) AS mid, low, high FROM way)
SELECT 'cui-c-265' AS id, iif(mid, printf('%s %.3f %s', variant, mid, at), 'second machine: not measured') AS measured,
       '< 0.9 with one kernel (thesis: 0.447)' AS bound, CASE WHEN NOT cuda OR mid IS NULL THEN 'waived' WHEN high < 0.9 THEN 1 WHEN low >= 0.9 THEN 0 END AS ok,
       CASE WHEN mid IS NULL THEN 'it compares two machines, and no second one' || iif(cuda, ' with a CUDA GPU', '') || ' is recorded'
            WHEN cuda THEN '' ELSE 'it compares two GPUs, and one of these or both are software GPUs' END AS reason
FROM least, device WHERE EXISTS (SELECT 1 FROM tuner_sweep_median);
