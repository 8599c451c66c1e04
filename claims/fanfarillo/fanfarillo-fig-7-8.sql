-- All threads on one option: throughput with 2, 4 and 8 queued options / with one.
WITH run AS (
    SELECT options, threads, busy_threads, 1.0 * throughput_values AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high
    FROM coarrays_options_median WHERE variant = 'mt-cpu'),
cores AS (SELECT coalesce((SELECT cores FROM experiments WHERE id = 'coarrays_options'), (SELECT max(threads) FROM run)) AS cores),
ratio AS (
    SELECT k.options AS options, threads, k.mid / one.mid AS mid, k.low / one.high AS low, k.high / one.low AS high, k.busy_threads <> one.busy_threads AS other
    FROM run AS k JOIN run AS one USING (threads), cores WHERE one.options = 1 AND k.options IN (2, 4, 8) AND threads <= cores)
SELECT 'fanfarillo-c-165' AS id, printf('%.3f to %.3f over %d numbers of options and threads; busy threads differ in %d', min(mid), max(mid), count(*), sum(other)) AS measured,
       '0.9..1.1, as many busy threads' AS bound,
       CASE WHEN sum(other) > 0 OR max(low) > 1.1 OR min(high) < 0.9 THEN 0 WHEN min(low) >= 0.9 AND max(high) <= 1.1 THEN 1 END AS ok, 'at most one thread per core' AS reason
FROM ratio HAVING count(*) > 0;
