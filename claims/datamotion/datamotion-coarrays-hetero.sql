-- Hand-out of a task within a node, by one image.
WITH run AS (
    SELECT contenders, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_fetch_add_median
    WHERE variant = 'caf' AND progress = 'idle' AND per_request = 1 AND nodes = 1),
most AS (SELECT max(contenders) AS contenders, mid FROM run)
SELECT 'datamotion-c-046' AS id, printf('%.3f us (%.3f us with %d images at once)', 1e6 * run.mid, 1e6 * most.mid, most.contenders) AS measured, '<= 0.5 us' AS bound,
       CASE WHEN high <= 0.5e-6 THEN 1 WHEN low > 0.5e-6 THEN 0 END AS ok, '' AS reason
FROM run, most WHERE run.contenders = (SELECT min(contenders) FROM run);

-- The hybrid version on one host, in a run that is long against one option: its fastest configuration.
WITH run AS (
    SELECT progress, per_request, median(time_s) AS time_s, median(idle_ratio) AS mid, interval_low(idle_ratio) AS low, interval_high(idle_ratio) AS high,
           median(1.0 * throughput_values / maximum_values) AS share, interval_low(1.0 * throughput_values / maximum_values) AS share_low,
           interval_high(1.0 * throughput_values / maximum_values) AS share_high
    FROM coarrays_pricing_long WHERE status = 'pass' AND variant = 'caf-mth' GROUP BY progress, per_request, learning_phases),
best AS (SELECT *, min(time_s) FROM run),
cores AS (SELECT coalesce('of ' || cores || ' cores', '') AS text FROM experiments WHERE id = 'coarrays_pricing_long')
SELECT 'datamotion-c-047' AS id, printf('%.4f, progress %s', mid, progress) AS measured, '<= 0.02' AS bound, CASE WHEN high <= 0.02 THEN 1 WHEN low > 0.02 THEN 0 END AS ok, text AS reason
FROM best, cores WHERE mid IS NOT NULL
UNION ALL
SELECT 'datamotion-c-048', printf('%.3f, progress %s', share, progress), '>= 0.97', CASE WHEN share_low >= 0.97 THEN 1 WHEN share_high < 0.97 THEN 0 END, text
FROM best, cores WHERE share IS NOT NULL;

-- All threads of the GPU against one thread of the CPU, each at its best number of options.
WITH run AS (
    SELECT variant, 1.0 * max(throughput_values) AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high
    FROM coarrays_options_median WHERE variant = 'mt-gpu' OR (variant = 'mt-cpu' AND threads = 1) GROUP BY variant),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-049' AS id, printf('%.3g times', 1.0 * g.mid / c.mid) AS measured, '>= 50 times' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN g.low / c.high >= 50 THEN 1 WHEN g.high / c.low < 50 THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM run AS g, run AS c, gpu WHERE g.variant = 'mt-gpu' AND c.variant = 'mt-cpu';

-- SUMMA at its largest order, the best variant and width of a panel of each kind. With one image nothing is transferred: they must not differ.
WITH run AS (SELECT * FROM coarrays_summa_1_median UNION ALL SELECT * FROM coarrays_summa_2_median UNION ALL SELECT * FROM coarrays_summa_median),
best AS (
    SELECT images, substr(variant, 1, 3) AS kind, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM run
    WHERE "order" = (SELECT max("order") FROM run) GROUP BY images, kind),
ratio AS (
    SELECT images, c.variant AS variant, m.mid / c.mid AS mid, m.low / c.high AS low, m.high / c.low AS high FROM best AS m JOIN best AS c USING (images)
    WHERE m.kind = 'mpi' AND c.kind = 'caf' ORDER BY images)
SELECT 'datamotion-c-050' AS id, group_concat(printf('%.3f with %d by %s', mid, images, variant), ', ') AS measured, '>= 1.0 with 2 images or more, not below with 1' AS bound,
       CASE WHEN min(iif(images > 1, low, high)) >= 1 THEN 1 WHEN min(high) < 1 THEN 0 END AS ok, '' AS reason
FROM ratio HAVING count(*) > 0;

-- The same with a GPU for each image, by number of GPUs: each is judged where a node has so many.
WITH run AS (SELECT * FROM coarrays_summa_gpus_2_median),
best AS (
    SELECT images, substr(variant, 1, 3) AS kind, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM run
    WHERE "order" = (SELECT max("order") FROM run) GROUP BY images, kind)
SELECT 'datamotion-c-058' AS id, printf('%.3f by %s', m.mid / c.mid, c.variant) AS measured, '>= 1.0' AS bound,
       CASE WHEN m.low / c.high >= 1 THEN 1 WHEN m.high / c.low < 1 THEN 0 END AS ok, '' AS reason
FROM best AS m JOIN best AS c USING (images) WHERE m.kind = 'mpi' AND c.kind = 'caf';

WITH run AS (SELECT * FROM coarrays_summa_gpus_4_median),
best AS (
    SELECT images, substr(variant, 1, 3) AS kind, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM run
    WHERE "order" = (SELECT max("order") FROM run) GROUP BY images, kind)
SELECT 'datamotion-c-059' AS id, printf('%.3f by %s', m.mid / c.mid, c.variant) AS measured, '>= 1.0' AS bound,
       CASE WHEN m.low / c.high >= 1 THEN 1 WHEN m.high / c.low < 1 THEN 0 END AS ok, '' AS reason
FROM best AS m JOIN best AS c USING (images) WHERE m.kind = 'mpi' AND c.kind = 'caf';
