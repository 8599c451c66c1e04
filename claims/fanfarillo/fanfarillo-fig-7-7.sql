-- One thread per option: each option takes a thread until none is left. That as many threads are busy is how the program is made; what is measured is
-- the throughput, with at most one thread per core: with as many options as threads against one option, and with more options than threads.
WITH run AS (
    SELECT options, o.threads AS threads, busy_threads, throughput_values AS mid, throughput_values * time_s / time_high_s AS low,
           throughput_values * time_s / time_low_s AS high
    FROM coarrays_options_median AS o WHERE variant = 'mo-cpu'),
cores AS (SELECT coalesce((SELECT cores FROM experiments WHERE id = 'coarrays_options'), (SELECT max(threads) FROM run)) AS cores),
filled AS (
    SELECT f.threads AS threads, f.mid / one.mid / f.threads AS mid, f.low / one.high / f.threads AS low, f.high / one.low / f.threads AS high
    FROM run AS f JOIN run AS one USING (threads), cores WHERE f.options = f.threads AND one.options = 1 AND f.threads BETWEEN 2 AND cores),
past AS (
    SELECT m.threads AS threads, m.mid / f.mid AS mid, m.low / f.high AS low, m.high / f.low AS high
    FROM run AS m JOIN run AS f USING (threads), cores WHERE f.options = f.threads AND m.options > m.threads AND m.threads BETWEEN 2 AND cores),
up AS (SELECT min(low) AS low, min(high) AS high, group_concat(printf('%.2f with %d', mid, threads), ', ') AS text, count(*) AS n FROM filled),
flat AS (SELECT max(low) AS low, max(high) AS high, max(mid) AS mid, count(*) AS n FROM past),
busy AS (SELECT sum(busy_threads = min(options, threads)) AS right, count(*) AS n FROM run)
SELECT 'fanfarillo-c-193' AS id,
       printf('gain of as many options as threads over one option, per thread: %s threads; more options than threads: at most %.2f times that; busy threads as expected in %d of %d runs',
              up.text, flat.mid, busy.right, busy.n) AS measured,
       'gain per thread >= 0.5; past it at most 1.5 times' AS bound,
       CASE WHEN busy.right < busy.n THEN 0 WHEN up.low >= 0.5 AND flat.high <= 1.5 THEN 1 WHEN up.high < 0.5 OR flat.low > 1.5 THEN 0 END AS ok,
       'up to ' || cores || ' cores' AS reason
FROM up, flat, busy, cores WHERE up.n > 0 AND flat.n > 0;
