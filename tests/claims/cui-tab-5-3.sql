-- The best block of another machine on this one, as speed / best here: of the second machine among the blocks that both measured, and
-- the thesis's best blocks of a P100, which it moved to a V100.
WITH device AS (SELECT count(*) > 0 AS is_v100 FROM machine WHERE name = 'device0_name' AND value LIKE '%V100%'),
pair AS MATERIALIZED (
    SELECT variant, block_x, block_y, h.time_s AS here, t.time_s AS there
    FROM tuner_sweep_median AS h JOIN partner_tuner_sweep_median AS t USING (variant, block_x, block_y) WHERE h.time_s > 0 AND t.time_s > 0),
best AS (SELECT variant, min(here) AS here FROM pair GROUP BY variant),
moved AS (SELECT variant, block_x, block_y, here, min(there) FROM pair GROUP BY variant),
own AS (SELECT variant, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant),
told AS (
    SELECT p.*, own.time_s / s.time_s AS mid, m.block_x, m.block_y, best.here / m.here AS moved, is_v100
    FROM cui_tab_5_3 AS p JOIN own ON own.variant = benchmark LEFT JOIN moved AS m ON m.variant = benchmark LEFT JOIN best ON best.variant = benchmark
    LEFT JOIN tuner_sweep_median AS s ON s.variant = benchmark AND s.block_x = p100_ideal_thread_x AND s.block_y = p100_ideal_thread_y, device),
bounds(id, benchmark) AS (
    VALUES ('cui-c-241', '2dconv'), ('cui-c-242', '3dconv'), ('cui-c-243', '2mm'), ('cui-c-244', '3mm'),
           ('cui-c-245', 'gemm'), ('cui-c-246', 'gesummv'), ('cui-c-247', 'mvt'), ('cui-c-248', 'syr2k'),
           ('cui-c-249', 'syrk'), ('cui-c-250', 'epcc'), ('cui-c-251', 'ldc'))
SELECT id, iif(moved, printf('second machine''s best, %d x %d: %.3f here', block_x, block_y, moved), 'second machine: not measured')
           || '; ' || iif(mid, printf('%d x %d: %.3f here', p100_ideal_thread_x, p100_ideal_thread_y, mid),
                             printf('%d x %d was not measured', p100_ideal_thread_x, p100_ideal_thread_y)) AS measured,
       printf('%.3f +- 0.05 (P100''s best, %d x %d, on a V100)', performance_on_v100_fraction, p100_ideal_thread_x, p100_ideal_thread_y) AS bound,
       iif(is_v100 AND mid, abs(mid - performance_on_v100_fraction) <= 0.05, 'waived') AS ok,
       iif(is_v100 AND mid, '', 'a number of the Tesla V100; two machines are shown') AS reason
FROM bounds JOIN told USING (benchmark);

-- How well best blocks move between this machine and the second one, in both directions; judged if both are GPUs.
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
least AS (SELECT variant, come, gone, min(mid) AS mid FROM moved),
two AS (SELECT max(CASE WHEN variant = '2mm' THEN come END) AS come, max(CASE WHEN variant = '2mm' THEN gone END) AS gone FROM moved),
verdict(id, measured, bound, ok) AS (
    SELECT 'cui-c-263', printf('2mm %.3f here, %.3f on the second machine', come, gone), '>= 0.95 in both directions (thesis: 0.99)',
           min(come, gone) >= 0.95
    FROM two
    UNION ALL
    SELECT 'cui-c-264', printf('%s %.3f here, %.3f on the second machine', variant, come, gone), '<= 0.8 with one kernel (thesis, syrk: 0.44..0.47)',
           mid <= 0.8
    FROM least)
SELECT id, iif(ok IS NULL, 'second machine: not measured', measured) AS measured, bound, iif(are_gpus AND ok IS NOT NULL, ok, 'waived') AS ok,
       CASE WHEN ok IS NULL THEN 'needs sweeps of two machines' WHEN are_gpus THEN '' ELSE 'compares two GPUs; one of the two machines has the software GPU' END AS reason
FROM verdict, device WHERE EXISTS (SELECT 1 FROM tuner_sweep_median);
