-- Transpose on one node: libcaf-mpi (the thesis's GFortran) against element (its Intel), strong scaling.
WITH run AS (
    SELECT * FROM coarrays_transpose_2_median UNION ALL SELECT * FROM coarrays_transpose_4_median),
pair AS (
    SELECT ranks, b.time_s / e.time_s AS mid, b.time_low_s / e.time_high_s AS low, b.time_high_s / e.time_low_s AS high
    FROM run AS b JOIN run AS e USING (ranks, nodes, scaling, grid)
    WHERE b.variant = 'libcaf-mpi' AND e.variant = 'element' AND scaling = 'strong'),
others AS (
    SELECT group_concat(printf('%s / element %.3g with %d', o.variant, o.time_s / e.time_s, ranks), ', ') AS text
    FROM run AS o JOIN run AS e USING (ranks, nodes, scaling, grid)
    WHERE o.variant IN ('datamotion', 'opencoarrays') AND e.variant = 'element' AND scaling = 'strong')
SELECT 'fanfarillo-c-143' AS id, group_concat(printf('libcaf-mpi / element %.3g with %d images', mid, ranks), ', ') || coalesce(' (' || text
       || ')', '') AS measured,
       '> 1 with every number of images' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok,
       'element has as many messages as the thesis''s Intel, not their cost' AS reason
FROM pair, others HAVING count(*) > 0;

-- Element by element, the same images on one node (one) and on two nodes (two), there also against libcaf-mpi.
WITH two AS (
    SELECT e.*, e.time_s / b.time_s AS block_mid, e.time_low_s / b.time_high_s AS block_low, e.time_high_s / b.time_low_s AS block_high
    FROM coarrays_transpose_nodes_median AS e JOIN coarrays_transpose_nodes_median AS b USING (ranks, nodes, scaling, grid)
    WHERE e.variant = 'element' AND b.variant = 'libcaf-mpi' AND scaling = 'strong'),
pair AS (
    SELECT two.*, one.bandwidth_gbs / two.bandwidth_gbs AS mid,
           (one.bandwidth_gbs * one.time_s / one.time_high_s) / (two.bandwidth_gbs * two.time_s / two.time_low_s) AS low,
           (one.bandwidth_gbs * one.time_s / one.time_low_s) / (two.bandwidth_gbs * two.time_s / two.time_high_s) AS high
    FROM coarrays_transpose_4_median AS one JOIN two USING (ranks, variant, scaling))
SELECT 'fanfarillo-c-144' AS id, printf('element is %.1f times slower on two nodes than on one; there element / libcaf-mpi %.2f', mid,
       block_mid) AS measured,
       '>= 10, and > 1' AS bound, CASE WHEN low >= 10 AND block_low > 1 THEN 1 WHEN high < 10 OR block_high <= 1 THEN 0 END AS ok, '' AS reason
FROM pair;
