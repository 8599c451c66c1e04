-- Bandwidth of a put of 8 to 512 doubles on one node: how it grows with the block.
WITH rate AS (
    SELECT variant, line_slope(ln(elements), ln(elements / time_s)) AS slope, count(*) AS sizes
    FROM coarrays_put_median WHERE elements > 4 AND elements <= 512 GROUP BY variant),
others AS (SELECT group_concat(printf('%s %.2f', variant, slope), ', ') AS text FROM rate WHERE variant IN ('datamotion', 'opencoarrays'))
SELECT 'fanfarillo-c-101' AS id, printf('slope in logarithms: libcaf-mpi %.2f, element %.2f (%s)', b.slope, e.slope, coalesce(text,
       'no others')) AS measured,
       'libcaf-mpi 0.8..1.2, element -0.2..0.2' AS bound, b.slope BETWEEN 0.8 AND 1.2 AND e.slope BETWEEN -0.2 AND 0.2 AS ok, '' AS reason
FROM rate AS b, rate AS e, others WHERE b.variant = 'libcaf-mpi' AND e.variant = 'element' AND b.sizes > 2;
