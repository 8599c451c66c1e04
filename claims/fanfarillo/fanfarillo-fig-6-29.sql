-- Himeno on two nodes: libcaf-mpi (the thesis's GFortran) against element (its Intel), strong scaling.
WITH pair AS (
    SELECT b.mflops / e.mflops AS mid, e.time_low_s / b.time_high_s AS low, e.time_high_s / b.time_low_s AS high, b.mflops AS b, e.mflops AS e
    FROM coarrays_himeno_nodes_median AS b JOIN coarrays_himeno_nodes_median AS e USING (ranks, nodes, scaling, grid, iterations)
    WHERE b.variant = 'libcaf-mpi' AND e.variant = 'element' AND scaling = 'strong'),
others AS (
    SELECT group_concat(printf('%s %.0f', variant, mflops), ', ') AS text FROM coarrays_himeno_nodes_median
    WHERE variant IN ('datamotion', 'opencoarrays') AND scaling = 'strong')
SELECT 'fanfarillo-c-140' AS id, printf('libcaf-mpi / element %.1f (MFLOPS: libcaf-mpi %.0f, element %.0f, %s)', min(mid), b, e,
       coalesce(text, 'no others')) AS measured,
       '> 1 on two nodes' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok, '' AS reason
FROM pair, others HAVING count(*) > 0;

-- Element by element, more nodes make the same computation slower: the same images on one node and on two.
WITH pair AS (
    SELECT one.mflops / two.mflops AS mid, (one.mflops * one.time_s / one.time_high_s) / (two.mflops * two.time_s / two.time_low_s) AS low,
           (one.mflops * one.time_s / one.time_low_s) / (two.mflops * two.time_s / two.time_high_s) AS high, one.mflops AS one, two.mflops AS two
    FROM coarrays_himeno_4_median AS one JOIN coarrays_himeno_nodes_median AS two USING (ranks, variant, scaling)
    WHERE variant = 'element' AND scaling = 'strong')
SELECT 'fanfarillo-c-141' AS id, printf('%.1f times slower (%.0f MFLOPS with 4 images on one node, %.1f on two)', max(mid), one, two) AS measured,
       '> 1 (thesis: over 30 min on 4 nodes)' AS bound, CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END AS ok, '' AS reason
FROM pair HAVING count(*) > 0;
