-- Communication time with the boss process, by fabric. The fabrics (TMI, TCP) and the Xeon Phi of
-- the thesis cannot be had any more, so the printed times are all that can be judged.
WITH fabric_ratio AS (
SELECT 'fanfarillo-c-180' AS id, caf_mic1_s / mpi_mic1_s AS ratio FROM fanfarillo_tab_7_1
UNION ALL
SELECT 'fanfarillo-c-183', mpi_mic1_s / mpi_cpu1_s FROM fanfarillo_tab_7_1
UNION ALL
SELECT 'fanfarillo-c-183', caf_mic1_s / caf_cpu1_s FROM fanfarillo_tab_7_1
UNION ALL
SELECT 'fanfarillo-c-185', caf_cpu1_s / mpi_cpu1_s FROM fanfarillo_tab_7_1 WHERE fabric LIKE 'shm:%'
UNION ALL
SELECT 'fanfarillo-c-181', tmi.caf_mic1_s / tcp.caf_mic1_s
FROM fanfarillo_tab_7_1 AS tmi JOIN fanfarillo_tab_7_1 AS tcp ON tcp.fabric = replace(tmi.fabric, 'tmi', 'tcp')
WHERE tmi.fabric LIKE '%tmi'
UNION ALL
SELECT 'fanfarillo-c-182', tcp.mpi_mic1_s / tmi.mpi_mic1_s
FROM fanfarillo_tab_7_1 AS tmi JOIN fanfarillo_tab_7_1 AS tcp ON tcp.fabric = replace(tmi.fabric, 'tmi', 'tcp')
WHERE tmi.fabric LIKE '%tmi'
UNION ALL
SELECT 'fanfarillo-c-184', net.caf_cpu1_s / shm.caf_cpu1_s
FROM fanfarillo_tab_7_1 AS net JOIN fanfarillo_tab_7_1 AS shm ON shm.fabric = 'shm:' || net.fabric
UNION ALL
SELECT 'fanfarillo-c-186', net.caf_mic1_s / shm.caf_mic1_s
FROM fanfarillo_tab_7_1 AS net JOIN fanfarillo_tab_7_1 AS shm ON shm.fabric = 'shm:' || net.fabric
)
-- One row per claim: every ratio has to be above (or, for 185, at most at) the limit.
SELECT rule.id,
       printf('%d ratios, %.3g to %.3g', count(ratio), min(ratio), max(ratio)) AS measured,
       printf('all %d %s %d', rule.ratios, rule.sign, rule.bound) AS bound,
       count(ratio) = rule.ratios
           AND CASE rule.sign WHEN '>' THEN min(ratio) > rule.bound ELSE max(ratio) <= rule.bound END AS ok,
       'transcribed data, not measured here' AS reason
FROM (SELECT 'fanfarillo-c-180' AS id, 4 AS ratios, '>' AS sign, 1 AS bound
      UNION ALL SELECT 'fanfarillo-c-181', 2, '>', 10
      UNION ALL SELECT 'fanfarillo-c-182', 2, '>', 1
      UNION ALL SELECT 'fanfarillo-c-183', 8, '>', 1
      UNION ALL SELECT 'fanfarillo-c-184', 2, '>', 10
      UNION ALL SELECT 'fanfarillo-c-185', 2, '<=', 1
      UNION ALL SELECT 'fanfarillo-c-186', 2, '>', 1) AS rule
LEFT JOIN fabric_ratio USING (id)
GROUP BY rule.id
ORDER BY rule.id;
