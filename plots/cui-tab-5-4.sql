-- This machine's best block on the second machine: speed / best there, both among the blocks measured on both; in the thesis: of a V100 on a P100
WITH pair AS (
    SELECT variant, block_x, block_y, h.time_s AS here, t.time_s AS there
    FROM tuner_sweep_median AS h JOIN partner_tuner_sweep_median AS t USING (variant, block_x, block_y) WHERE h.time_s > 0 AND t.time_s > 0),
best AS (SELECT variant, min(there) AS there, count(*) AS blocks FROM pair GROUP BY variant),
moved AS (SELECT variant, block_x || ' x ' || block_y AS block, there, min(here) FROM pair GROUP BY variant),
own AS (SELECT variant, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant)
SELECT benchmark, m.block AS "best block here", iif(m.there, printf('%.3f', b.there / m.there), NULL) AS "speed / best of the second machine", b.blocks AS "blocks measured on both",
       v100_ideal_thread_x || ' x ' || v100_ideal_thread_y AS "V100's best block, thesis", printf('%.3f', performance_on_p100_fraction) AS "speed / best on P100, thesis",
       iif(s.time_s, printf('%.3f', own.time_s / s.time_s), NULL) AS "V100's best block, speed / best here"
FROM cui_tab_5_4 AS p LEFT JOIN moved AS m ON m.variant = benchmark LEFT JOIN best AS b ON b.variant = benchmark LEFT JOIN own ON own.variant = benchmark
LEFT JOIN tuner_sweep_median AS s ON s.variant = benchmark AND s.block_x = v100_ideal_thread_x AND s.block_y = v100_ideal_thread_y ORDER BY p.rowid;
