-- Burgers with the neighbours on one node: libcaf-mpi (the thesis's GFortran) against element (its Intel), strong scaling.
WITH run AS (
    SELECT * FROM coarrays_burgers_2_median UNION ALL SELECT * FROM coarrays_burgers_4_median),
pair AS (
    SELECT ranks, b.time_s / e.time_s AS mid, b.time_low_s / e.time_high_s AS low, b.time_high_s / e.time_low_s AS high
    FROM run AS b JOIN run AS e USING (ranks, nodes, scaling, cells, steps, optimization)
    WHERE b.variant = 'libcaf-mpi' AND e.variant = 'element' AND scaling = 'strong' AND optimization = 'O3'),
others AS (
    SELECT group_concat(printf('%s / element %.2f with %d', o.variant, o.time_s / e.time_s, ranks), ', ') AS text
    FROM run AS o JOIN run AS e USING (ranks, nodes, scaling, cells, steps, optimization)
    WHERE o.variant IN ('datamotion', 'opencoarrays') AND e.variant = 'element' AND scaling = 'strong' AND optimization = 'O3')
SELECT 'fanfarillo-c-134' AS id, group_concat(printf('libcaf-mpi / element %.2f with %d images', mid, ranks), ', ') || coalesce(' (' || text
       || ')', '') AS measured,
       '> 1 with every number of images' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok,
       'a scalar is one message in both; element has as many messages as the thesis''s Intel, not their cost' AS reason
FROM pair, others HAVING count(*) > 0;

-- The same with the images on several nodes.
WITH pair AS (
    SELECT ranks, nodes, e.time_s / b.time_s AS mid, e.time_low_s / b.time_high_s AS low, e.time_high_s / b.time_low_s AS high
    FROM coarrays_burgers_nodes_median AS b JOIN coarrays_burgers_nodes_median AS e USING (ranks, nodes, scaling, cells, steps, optimization)
    WHERE b.variant = 'libcaf-mpi' AND e.variant = 'element' AND scaling = 'strong' AND optimization = 'O3')
SELECT 'fanfarillo-c-135' AS id, group_concat(printf('element / libcaf-mpi %.2f with %d images on %d nodes', mid, ranks, nodes),
       ', ') AS measured, 'above 1, <= 1.3' AS bound,
       CASE WHEN min(low) > 1 AND max(high) <= 1.3 THEN 1 WHEN min(high) <= 1 OR max(low) > 1.3 THEN 0 END AS ok,
       'a scalar is one message in both' AS reason
FROM pair HAVING count(*) > 0;
