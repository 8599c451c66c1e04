-- One thread per option: each option takes a thread until none is left. Throughput with at most one thread per core.
WITH run AS (SELECT options, threads, busy_threads, throughput_values FROM coarrays_options_median WHERE variant = 'mo-cpu'),
cores AS (SELECT coalesce((SELECT cores FROM experiments WHERE id = 'coarrays_options'), (SELECT max(threads) FROM run)) AS cores),
growth AS (SELECT threads, spearman(options, throughput_values) AS rank FROM run, cores WHERE options <= threads AND threads <= cores GROUP BY threads HAVING count(*) > 1)
SELECT 'fanfarillo-c-193' AS id,
       printf('busy threads as expected in %d of %d runs', sum(busy_threads = min(options, threads)), count(*))
           || coalesce('; rank correlation of options and throughput ' || (SELECT group_concat(printf('%.2f with %d threads', rank, threads), ', ') FROM growth), '') AS measured,
       'min(options, threads) in every run, rank correlation > 0.8' AS bound,
       sum(busy_threads <> min(options, threads)) = 0 AND coalesce((SELECT min(rank) FROM growth) > 0.8, 1) AS ok, 'up to ' || cores || ' cores' AS reason
FROM run, cores HAVING count(*) > 0;
