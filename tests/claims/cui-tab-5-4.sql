-- The best block of this machine on the second one, as speed / best there, among the blocks that both measured; and the thesis's best
-- blocks of a V100, which it moved to a P100, on this machine.
WITH device AS (SELECT count(*) > 0 AS is_p100 FROM machine WHERE name = 'device0_name' AND value LIKE '%P100%'),
pair AS MATERIALIZED (
    SELECT variant, block_x, block_y, h.time_s AS here, t.time_s AS there
    FROM tuner_sweep_median AS h JOIN partner_tuner_sweep_median AS t USING (variant, block_x, block_y) WHERE h.time_s > 0 AND t.time_s > 0),
best AS (SELECT variant, min(there) AS there FROM pair GROUP BY variant),
moved AS (SELECT variant, block_x, block_y, there, min(here) FROM pair GROUP BY variant),
own AS (SELECT variant, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant),
told AS (
    SELECT p.*, own.time_s / s.time_s AS mid, m.block_x, m.block_y, best.there / m.there AS moved, is_p100
    FROM cui_tab_5_4 AS p JOIN own ON own.variant = benchmark LEFT JOIN moved AS m ON m.variant = benchmark LEFT JOIN best ON best.variant = benchmark
    LEFT JOIN tuner_sweep_median AS s ON s.variant = benchmark AND s.block_x = v100_ideal_thread_x AND s.block_y = v100_ideal_thread_y, device),
bounds(id, benchmark) AS (
    VALUES ('cui-c-252', '2dconv'), ('cui-c-253', '3dconv'), ('cui-c-254', '2mm'), ('cui-c-255', '3mm'),
           ('cui-c-256', 'gemm'), ('cui-c-257', 'gesummv'), ('cui-c-258', 'mvt'), ('cui-c-259', 'syr2k'),
           ('cui-c-260', 'syrk'), ('cui-c-261', 'epcc'), ('cui-c-262', 'ldc'))
SELECT id, iif(moved, printf('best here, %d x %d: %.3f on the second machine', block_x, block_y, moved), 'second machine: not measured')
           || '; ' || iif(mid, printf('%d x %d: %.3f here', v100_ideal_thread_x, v100_ideal_thread_y, mid),
                             printf('%d x %d was not measured', v100_ideal_thread_x, v100_ideal_thread_y)) AS measured,
       printf('%.3f +- 0.05 (V100''s best, %d x %d, on a P100)', performance_on_p100_fraction, v100_ideal_thread_x, v100_ideal_thread_y) AS bound,
       iif(is_p100 AND mid, abs(mid - performance_on_p100_fraction) <= 0.05, 'waived') AS ok,
       iif(is_p100 AND mid, '', 'a number of the Tesla P100; two machines are shown') AS reason
FROM bounds JOIN told USING (benchmark);

-- The kernel whose best block moves worst between this machine and the second one, in either direction; judged if both are GPUs.
WITH device AS (
    SELECT (SELECT count(*) FROM machine WHERE name = 'device0_kind' AND value = 'cuda') * (SELECT count(*) FROM partner_machine
            WHERE name = 'device0_kind' AND value = 'cuda') > 0 AS are_gpus),
pair AS MATERIALIZED (
    SELECT variant, block_x, block_y, h.time_s AS here, t.time_s AS there
    FROM tuner_sweep_median AS h JOIN partner_tuner_sweep_median AS t USING (variant, block_x, block_y) WHERE h.time_s > 0 AND t.time_s > 0),
best AS (SELECT variant, min(here) AS here, min(there) AS there FROM pair GROUP BY variant),
come AS (SELECT variant, here, min(there) FROM pair GROUP BY variant),
gone AS (SELECT variant, there, min(here) FROM pair GROUP BY variant),
moved AS (
    SELECT variant, best.here / come.here AS come, best.there / gone.there AS gone, min(best.here / come.here, best.there / gone.there) AS mid
    FROM best JOIN come USING (variant) JOIN gone USING (variant)),
least AS (SELECT variant, come, gone, min(mid) AS mid FROM moved)
SELECT 'cui-c-265' AS id, iif(mid, printf('%s %.3f here, %.3f on the second machine', variant, come, gone), 'second machine: not measured') AS measured,
       '< 0.9 with one kernel (thesis: 0.447)' AS bound, iif(are_gpus AND mid, mid < 0.9, 'waived') AS ok,
       CASE WHEN mid IS NULL THEN 'needs sweeps of two machines' WHEN are_gpus THEN '' ELSE 'compares two GPUs; one of the two machines has the software GPU' END AS reason
FROM least, device WHERE EXISTS (SELECT 1 FROM tuner_sweep_median);
