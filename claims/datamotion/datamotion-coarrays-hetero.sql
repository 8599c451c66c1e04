-- Hand-out of a task within a node, by one image.
SELECT 'datamotion-c-046' AS id, 1e6 * mid AS value, 1e6 * low AS low, 1e6 * high AS high, 'us' AS words
FROM coarrays_times
WHERE experiment = 'coarrays_fetch_add' AND variant = 'caf'
    AND parameters = 'contenders=1 progress=idle per_request=1 nodes=1';

-- The hybrid version on one host, in a run that is long against one option: its fastest configuration.
WITH run AS (
    SELECT *, throughput_values / maximum_values AS share FROM coarrays_pricing_long
    WHERE status = 'pass' AND variant = 'caf-mth'),
best AS (
    SELECT progress, per_request, learning_phases FROM run GROUP BY progress, per_request, learning_phases
    ORDER BY median(time_s) LIMIT 1)
SELECT 'datamotion-c-047' AS id, median(idle_ratio) AS value, interval_low(idle_ratio) AS low,
       interval_high(idle_ratio) AS high, 'of the run' AS words
FROM run JOIN best USING (progress, per_request, learning_phases) HAVING count(idle_ratio) > 0
UNION ALL
SELECT 'datamotion-c-048', median(share), interval_low(share), interval_high(share), 'of the sum of the devices alone'
FROM run JOIN best USING (progress, per_request, learning_phases) HAVING count(share) > 0;

-- All threads of the GPU against one thread of the CPU, each at its best number of options.
WITH best AS (
    SELECT variant, max(mid) AS mid, low, high FROM coarrays_option_rates
    WHERE variant = 'mt-gpu' OR variant = 'mt-cpu' AND threads = 1 GROUP BY variant)
SELECT 'datamotion-c-049' AS id, g.mid / c.mid AS value, g.low / c.high AS low, g.high / c.low AS high,
       'times the throughput of one CPU thread' AS words
FROM best AS g, best AS c WHERE g.variant = 'mt-gpu' AND c.variant = 'mt-cpu';

-- SUMMA, the fastest of each kind. With one image nothing is transferred: it only must not be surely slower.
SELECT 'datamotion-c-050/images-' || images AS id, iif(images = 1, high, value) AS value,
       iif(images = 1, high, low) AS low, high,
       iif(images = 1, 'at most ', '') || 'times faster than MPI, ' || variant AS words
FROM coarrays_summa_speedups WHERE experiment IN ('coarrays_summa_1', 'coarrays_summa_2', 'coarrays_summa')
ORDER BY images;

-- The same with a GPU for each image: judged where a node has so many.
SELECT 'datamotion-c-058' AS id, value, low, high, 'times faster than MPI, ' || variant AS words
FROM coarrays_summa_speedups WHERE experiment = 'coarrays_summa_gpus_2';

SELECT 'datamotion-c-059' AS id, value, low, high, 'times faster than MPI, ' || variant AS words
FROM coarrays_summa_speedups WHERE experiment = 'coarrays_summa_gpus_4';
