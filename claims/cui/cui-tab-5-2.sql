-- Clustered or banded: banded if no block whose x is no multiple of 8, 16 or 32 reaches 0.6 of the best speed (the multiples of 16 and 32
-- are among those of 8, so 8 decides). The labels of the thesis are of a P100 and a V100.
WITH device AS (SELECT count(*) > 0 AS is_same FROM machine WHERE name = 'device0_name' AND (value LIKE '%V100%' OR value LIKE '%P100%')),
run AS (SELECT variant, block_x % 8 > 0 AS off, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant, off),
share AS (SELECT variant, min(time_s) / min(CASE WHEN off THEN time_s END) AS mid FROM run GROUP BY variant),
label AS (SELECT variant, iif(mid < 0.6, 'banded', 'clustered') AS class FROM share WHERE mid IS NOT NULL),
told AS (
    SELECT count(*) AS n, sum(label.class = t.class) AS same, coalesce(group_concat(iif(label.class = 'banded', variant, NULL), ', '), 'none') AS banded
    FROM cui_tab_5_2 AS t JOIN label ON variant = v100)
SELECT 'cui-c-232' AS id, printf('banded: %s; %d of %d kernels as in the thesis', banded, same, n) AS measured, 'banded: 2mm, 3mm, gemm' AS bound,
       iif(is_same, same = n, 'waived') AS ok, iif(is_same, '', 'labels of the Tesla P100 and the Tesla V100') AS reason
FROM told, device WHERE n > 0;

-- The labels on this machine and on a second one. Two machines without a banded kernel agree, but tell nothing.
WITH device AS (
    SELECT count(*) > 0 AND NOT EXISTS (SELECT 1 FROM partner_machine WHERE name = 'device0_kind' AND value <> 'cuda') AS cuda
    FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
run AS (
    SELECT 1 AS node, variant, block_x % 8 > 0 AS off, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant, off
    UNION ALL SELECT 2, variant, block_x % 8 > 0 AS off, min(time_s) FROM partner_tuner_sweep_median WHERE time_s > 0 GROUP BY variant, off),
share AS (SELECT node, variant, min(time_s) / min(CASE WHEN off THEN time_s END) AS mid FROM run GROUP BY node, variant),
label AS (SELECT node, variant, mid < 0.6 AS banded FROM share WHERE mid IS NOT NULL),
pair AS (
    SELECT count(*) AS n, sum(h.banded = t.banded) AS same, max(h.banded OR t.banded) AS told
    FROM label AS h JOIN label AS t USING (variant) WHERE h.node = 1 AND t.node = 2)
SELECT 'cui-c-233' AS id, iif(n, printf('%d of %d kernels have the same label on the second machine', same, n), 'second machine: not measured') AS measured,
       'the same on both for all' AS bound, iif(n AND cuda AND told, same = n, 'waived') AS ok,
       CASE WHEN n = 0 THEN 'it compares two machines, and no second one' || iif(cuda, ' with a CUDA GPU', '') || ' is recorded'
            WHEN NOT cuda THEN 'it compares two GPUs, and one of these or both are software GPUs' WHEN NOT told THEN 'no kernel is banded on either machine' ELSE '' END AS reason
FROM pair, device WHERE EXISTS (SELECT 1 FROM tuner_sweep_median);
