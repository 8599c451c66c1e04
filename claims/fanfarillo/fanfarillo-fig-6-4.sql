-- Bandwidth of a put of more than 512 doubles on one node, libcaf-mpi against element, at all sizes that both were measured with.
WITH pair AS (
    SELECT e.time_s / b.time_s AS mid, e.time_low_s / b.time_high_s AS low, e.time_high_s / b.time_low_s AS high
    FROM coarrays_put_median AS e JOIN coarrays_put_median AS b USING (elements)
    WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi' AND elements > 512),
others AS (
    SELECT group_concat(printf('%s %.1f GB/s', variant, rate), ', ') AS text
    FROM (SELECT variant, max(8e-9 * elements / time_s) AS rate FROM coarrays_put_median
          WHERE variant IN ('element', 'libcaf-mpi', 'datamotion', 'opencoarrays') AND elements > 512 GROUP BY variant))
SELECT 'fanfarillo-c-103' AS id, printf('libcaf-mpi / element %.3g to %.3g over %d sizes (at most: %s)', min(mid), max(mid), count(*),
       text) AS measured,
       '> 1 at every size' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok, '' AS reason
FROM pair, others HAVING count(*) > 0;
