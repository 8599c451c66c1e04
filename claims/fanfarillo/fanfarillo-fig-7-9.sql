-- One thread per option on the CPU, with 2 threads or more and at most one per core.
WITH run AS (
    SELECT options, threads, 1.0 * throughput_values AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high
    FROM coarrays_options_median WHERE variant = 'mo-cpu' AND threads > 1
      AND threads <= coalesce((SELECT cores FROM experiments WHERE id = 'coarrays_options'), threads)),
twice AS (
    SELECT threads, two.mid / one.mid AS mid, two.low / one.high AS low, two.high / one.low AS high
    FROM run AS one JOIN run AS two USING (threads) WHERE one.options = threads AND two.options = 2 * threads ORDER BY threads),
rise AS (SELECT threads, mid > lag(mid) OVER (PARTITION BY threads ORDER BY options) AS up FROM run WHERE options <= threads)
SELECT 'fanfarillo-c-162' AS id,
       printf('rises in %d of %d steps up to as many options as threads; then twice the options: %s', (SELECT sum(up) FROM rise), (SELECT count(up) FROM rise),
              group_concat(printf('%.3f with %d threads', mid, threads), ', ')) AS measured,
       'rises in all, then 0.85..1.15' AS bound,
       CASE WHEN EXISTS (SELECT 1 FROM rise WHERE up = 0) OR min(high) < 0.85 OR max(low) > 1.15 THEN 0 WHEN min(low) >= 0.85 AND max(high) <= 1.15 THEN 1 END AS ok,
       'at most one thread per core' AS reason
FROM twice HAVING count(*) > 0;

WITH run AS (
    SELECT options, threads, 1.0 * throughput_values AS mid, max(throughput_values) OVER (PARTITION BY threads) AS best FROM coarrays_options_median
    WHERE variant = 'mo-cpu' AND threads > 1 AND threads <= coalesce((SELECT cores FROM experiments WHERE id = 'coarrays_options'), threads)),
first AS (SELECT threads, min(options) AS options FROM run WHERE mid >= 0.97 * best GROUP BY threads)
SELECT 'fanfarillo-c-163' AS id, group_concat(printf('%d options with %d threads', options, threads), ', ') AS measured,
       'fewest options within 3 percent of the maximum: as many as threads' AS bound, sum(options <> threads) = 0 AS ok, 'at most one thread per core' AS reason
FROM first HAVING count(*) > 0;
