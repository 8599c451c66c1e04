-- Rates of flag operations: add, and, or against exchange, compare-and-swap, increment; of latencies the reciprocal.
WITH rate AS (
    SELECT variant || writers AS kind, operation, coalesce(operations_per_s, 1 / latency_s) AS mid,
           coalesce(operations_per_s, 1 / latency_s) * time_s / time_high_s AS low, coalesce(operations_per_s, 1 / latency_s) * time_s / time_low_s AS high
    FROM blp_flags_median WHERE variant IN ('throughput', 'latency')),
side AS (
    SELECT kind, min(iif(good, mid, NULL)) AS least, min(iif(good, low, NULL)) AS least_low, min(iif(good, high, NULL)) AS least_high,
           max(iif(good, NULL, mid)) AS most, max(iif(good, NULL, low)) AS most_low, max(iif(good, NULL, high)) AS most_high
    FROM (SELECT *, operation IN ('add', 'and', 'or') AS good FROM rate WHERE operation IN ('add', 'and', 'or', 'exchange', 'cas', 'inc')) GROUP BY kind)
SELECT 'cui-c-142' AS id,
       group_concat(replace(replace(kind, 'throughput', 'rate with '), 'latency1', 'latency') || printf(': %.2f', least / most), ', ') AS measured,
       'slowest of add, and, or >= 0.98 of the fastest other' AS bound,
       CASE WHEN min(least_low / most_high) >= 0.98 THEN 1 WHEN min(least_high / most_low) < 0.98 THEN 0 END AS ok, '' AS reason
FROM side HAVING count(*) > 0;

WITH lost AS (
    SELECT writers, sum(iif(operation = 'volatile', 0, lost_updates)) AS atomics, max(iif(operation = 'volatile', lost_updates, 0)) AS plain
    FROM blp_flags WHERE variant = 'lost-updates' GROUP BY writers ORDER BY writers DESC LIMIT 1)
SELECT 'cui-c-143' AS id, printf('%d lost by atomics, up to %d by volatile accesses, %d writers', atomics, plain, writers) AS measured,
       'none by atomics, some by others' AS bound, CASE WHEN atomics > 0 THEN 0 WHEN plain > 0 THEN 1 END AS ok,
       iif(plain > 0, 'blp offers atomics only', 'the race did not show') AS reason
FROM lost;

WITH kind AS (SELECT role, operation, sum(handoffs) AS handoffs, sum(stale_reads) AS stale FROM blp_flags WHERE variant = 'handoff' GROUP BY role, operation)
SELECT 'cui-c-144' AS id, printf('%d stale words in %d hand-offs with each of %d pairs of operations', sum(stale), min(handoffs), count(*)) AS measured,
       'none in 1e6 with each of 15' AS bound, CASE WHEN sum(stale) > 0 THEN 0 WHEN min(handoffs) >= 1e6 AND count(*) = 15 THEN 1 END AS ok,
       iif(min(handoffs) >= 1e6, '', 'fewer than 1e6 hand-offs of each were tried') AS reason
FROM kind HAVING count(*) > 0;
