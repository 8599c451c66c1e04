-- Each device alone: the CPU with at most one thread per core, and the GPU, which stands for the Xeon Phi.
WITH run AS (
    SELECT variant, options, threads, 1.0 * throughput_values AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high
    FROM coarrays_options_median WHERE threads <= coalesce((SELECT cores FROM experiments WHERE id = 'coarrays_options'), threads)),
best AS (SELECT variant, max(mid) AS mid, low, high FROM run GROUP BY variant),
alike AS (SELECT variant, mid, low, high, threads FROM run WHERE options = threads AND threads = (SELECT max(threads) FROM run)),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
ratio AS (
    SELECT 'CPU' AS device, mo.mid / mt.mid AS mid, mo.low / mt.high AS low, mo.high / mt.low AS high FROM alike AS mo, alike AS mt
    WHERE mo.variant = 'mo-cpu' AND mt.variant = 'mt-cpu'
    UNION ALL SELECT 'GPU', mo.mid / mt.mid, mo.low / mt.high, mo.high / mt.low FROM best AS mo, best AS mt, gpu
    WHERE real AND mo.variant = 'mo-gpu' AND mt.variant = 'mt-gpu'),
-- The GPU's sweep is long enough where its last step brings less than a fifth.
swept AS (
    SELECT variant, options, mid, lag(mid) OVER (PARTITION BY variant ORDER BY options) AS before, row_number() OVER (PARTITION BY variant ORDER BY options DESC) AS nth
    FROM run WHERE variant = 'mo-gpu'),
short AS (SELECT real AND (SELECT mid > 1.2 * before FROM swept WHERE nth = 1) IS NOT 0 AS here, (SELECT options FROM swept WHERE nth = 1) AS options FROM gpu),
rate AS (
    SELECT max(mid) FILTER (WHERE variant = 'mt-cpu') AS mt_cpu, max(mid) FILTER (WHERE variant = 'mo-cpu') AS mo_cpu,
           max(mid) FILTER (WHERE variant = 'mt-gpu') AS mt_gpu, max(mid) FILTER (WHERE variant = 'mo-gpu') AS mo_gpu FROM best)
SELECT 'fanfarillo-c-166' AS id, printf('%.3g times (MT), %.3g times (MO)', mt_gpu / mt_cpu, mo_gpu / mo_cpu) AS measured, 'about 2' AS bound, 'waived' AS ok,
       'no Xeon Phi: ' || iif(real, 'a GPU stands for it', 'the software GPU stands for it') AS reason
FROM rate, gpu
UNION ALL
SELECT 'fanfarillo-c-167', group_concat(printf('%.3f on the %s', mid, device), ', '), 'MO / MT > 1 on each device, with as many options as cores',
       CASE WHEN min(high) FILTER (WHERE device = 'CPU') <= 1 THEN 0 WHEN short.here THEN 'waived' WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END,
       CASE WHEN short.here THEN printf('the GPU''s throughput still grows at %d options: the sweep is too short', short.options)
            WHEN real THEN 'the GPU at its best numbers of options' ELSE 'the CPU alone: the software GPU is no device of its own' END
FROM ratio, gpu, short HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-168', printf('%.3g and %.3g per second, ratio %.3f', mt_cpu, mo_cpu, mo_cpu / mt_cpu), 'MT 1.56e9, MO 2.0e9, ratio 1.28', 'waived', 'another CPU'
FROM rate
UNION ALL
SELECT 'fanfarillo-c-169', printf('CPU + GPU: MT %.3g, MO %.3g per second', mt_cpu + mt_gpu, mo_cpu + mo_gpu), '2 CPU + 2 MIC', 'waived', 'a definition: the sum is computed, not measured'
FROM rate;
