-- Bandwidth of a put between two nodes, libcaf-mpi against element; a block of one double may tie.
WITH pair AS (
    SELECT elements AS n, e.time_s / b.time_s AS mid, e.time_low_s / b.time_high_s AS low, e.time_high_s / b.time_low_s AS high
    FROM coarrays_put_nodes_median AS e JOIN coarrays_put_nodes_median AS b USING (elements)
    WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi'),
others AS (
    SELECT group_concat(printf('%s %.3f GB/s', variant, rate), ', ') AS text
    FROM (SELECT variant, max(8e-9 * elements / time_s) AS rate FROM coarrays_put_nodes_median
          WHERE variant IN ('element', 'libcaf-mpi', 'datamotion', 'opencoarrays') GROUP BY variant))
SELECT 'fanfarillo-c-114' AS id, printf('libcaf-mpi / element %.2f at 1 double, %.3g to %.3g above over %d sizes (at most: %s)',
       min(mid) FILTER (WHERE n = 1),
                                        min(mid) FILTER (WHERE n > 1), max(mid) FILTER (WHERE n > 1), sum(n > 1), text) AS measured,
       '> 1 at every size, a tie at 1 double' AS bound,
       CASE WHEN min(low) FILTER (WHERE n > 1) > 1 AND coalesce(min(high) FILTER (WHERE n = 1), 1) >= 1 THEN 1
            WHEN min(high) FILTER (WHERE n > 1) <= 1 OR min(high) FILTER (WHERE n = 1) < 1 THEN 0 END AS ok, '' AS reason
FROM pair, others HAVING max(n) > 1;
