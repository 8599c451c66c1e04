-- Uneven tasks with the least data: stealing of tasks (process), of threads (thread), and no balancing.
WITH run AS (
    SELECT threads, variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM coarrays_stealing_median
    WHERE bytes = (SELECT min(bytes) FROM coarrays_stealing_median) AND skew = (SELECT max(skew) FROM coarrays_stealing_median)),
pair AS (
    SELECT threads, o.variant AS variant, o.mid / p.mid AS mid, o.low / p.high AS low, o.high / p.low AS high
    FROM run AS o JOIN run AS p USING (threads) WHERE p.variant = 'process' AND o.variant IN ('none', 'thread') ORDER BY threads, variant)
SELECT 'fanfarillo-c-159' AS id, group_concat(printf('%s / process %.2f with %d', variant, mid, threads), ', ') AS measured,
       'process the fastest with every number of threads' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) < 1 THEN 0 END AS ok,
       'threads per image, ' || (SELECT max(cores) || ' cores for ' || max(ranks) || ' images' FROM coarrays_stealing_median) AS reason
FROM pair HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-160', printf('%s; rank correlation %.2f', group_concat(printf('%.3f with %d', mid, threads), ', '), spearman(threads, mid)),
       'thread / process rises with the threads, rank correlation >= 0.8', spearman(threads, mid) >= 0.8, ''
FROM pair WHERE variant = 'thread' HAVING count(*) > 1;
