-- Strided put on one node: libcaf-mpi with derived datatypes, element without strided support.
WITH pair AS (
    SELECT stride, e.time_s / b.time_s AS mid, e.time_low_s / b.time_high_s AS low, e.time_high_s / b.time_low_s AS high
    FROM coarrays_strided_median AS e JOIN coarrays_strided_median AS b USING (operation, elements, stride)
    WHERE operation = 'put' AND e.variant = 'element' AND b.variant = 'libcaf-mpi'),
others AS (
    SELECT group_concat(printf('%s %.3g', variant, ratio), ', ') AS text
    FROM (SELECT o.variant, median(e.time_s / o.time_s) AS ratio FROM coarrays_strided_median AS e
        JOIN coarrays_strided_median AS o USING (operation, elements, stride)
          WHERE operation = 'put' AND stride > 1 AND e.variant = 'element' AND o.variant IN ('datamotion', 'opencoarrays') GROUP BY o.variant))
SELECT 'fanfarillo-c-110' AS id,
       printf('libcaf-mpi / element %.3g to %.3g over %d strides (medians above stride 1: %s)', min(mid), max(mid), count(*), coalesce(text,
           'no others')) AS measured,
       '> 1 at every stride' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok, '' AS reason
FROM pair, others HAVING count(*) > 0;

SELECT 'fanfarillo-c-109' AS id, NULL AS measured, '0.7..1.4' AS bound, 'waived' AS ok,
       'Intel''s coarray compiler of 2014 cannot be had; the variant element stands for it and for LIBCAF_MPI without strided support, and compares with itself' AS reason;
