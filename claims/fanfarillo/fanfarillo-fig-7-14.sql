-- Which version is nearest to the sum of the devices alone; one host (shared memory) stands for TMI, two hosts for TCP.
WITH run AS (SELECT * FROM coarrays_pricing_median UNION ALL SELECT * FROM coarrays_pricing_network_median),
best AS (
    SELECT nodes, variant, progress, 1.0 * max(throughput_values) AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high, maximum_values AS limit_values
    FROM run GROUP BY nodes, variant, progress),
share AS (SELECT nodes, variant, progress, mid / limit_values AS mid, low / limit_values AS low, high / limit_values AS high FROM best),
hybrid AS (SELECT progress, max(mid) AS mid, low, high FROM share WHERE variant = 'caf-mth' AND nodes = 2),
other AS (SELECT nodes, variant, progress, max(mid) AS mid, low, high FROM share WHERE NOT (variant = 'caf-mth' AND nodes = 2))
SELECT 'fanfarillo-c-187' AS id,
       printf('%.3f of the sum by caf-mth on two hosts; the best other is %s, %s, on %s, %.3f', hybrid.mid, variant, other.progress,
              iif(nodes = 1, 'one host', 'two hosts'), other.mid) AS measured,
       'caf-mth on two hosts the highest' AS bound, CASE WHEN hybrid.low > other.high THEN 1 WHEN hybrid.high < other.low THEN 0 END AS ok,
       'two hosts stand for TCP, one host for TMI' AS reason
FROM hybrid, other WHERE hybrid.mid IS NOT NULL AND other.mid IS NOT NULL;

-- What the learning phase chose.
WITH run AS (
    SELECT progress, per_request_last AS last, requests, options, images, max(throughput_values) AS best FROM coarrays_pricing_median WHERE variant = 'caf-mth' AND per_request = 0)
SELECT 'fanfarillo-c-188' AS id, printf('%g options per request on the last image, %g requests for %d options by %d images', last, requests, options, images) AS measured,
       '8 on CPU1, 2 on CPU0, 4 on each MIC' AS bound, 'waived' AS ok, 'other devices: what is learnt depends on their speed' AS reason
FROM run WHERE best IS NOT NULL;
