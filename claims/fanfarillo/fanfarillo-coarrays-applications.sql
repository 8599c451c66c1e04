-- A transpose by one-sided puts as data become ready (datamotion) against a blocking all-to-all (mpi), on one node.
SELECT 'fanfarillo-c-091' AS id, median(value) AS value, median(low) AS low, median(high) AS high,
       printf('times the time of datamotion, median of %d transposes', count(*)) AS words
FROM coarrays_ratios
WHERE experiment IN ('coarrays_transpose_2', 'coarrays_transpose_4') AND a = 'mpi' AND b = 'datamotion'
HAVING count(DISTINCT experiment) = 2;

-- Burgers computes with its neighbours' values in the segment that reads them: a read that returned too early would be
-- a wrong result. An MPI_Get without flush would be a wrong program and was not run.
SELECT 'fanfarillo-c-096' AS id, sum(errors > 0) AS value, NULL AS low, NULL AS high,
       printf('of %d runs of Burgers with a wrong cell', count(*)) AS words
FROM coarrays_burgers_2
WHERE variant IN ('datamotion', 'opencoarrays', 'libcaf-mpi', 'element') AND error IS NOT NULL
HAVING count(*) > 0;

-- On one node, strong scaling: element has as many messages as the thesis's Intel, libcaf-mpi stands for its GFortran.
SELECT iif(experiment LIKE '%burgers%', 'fanfarillo-c-134', 'fanfarillo-c-143') || '/images-' || ranks AS id, value,
       low, high, 'times faster than libcaf-mpi' AS words
FROM coarrays_ratios
WHERE experiment IN ('coarrays_burgers_2', 'coarrays_burgers_4', 'coarrays_transpose_2', 'coarrays_transpose_4')
    AND a = 'libcaf-mpi' AND b = 'element' AND scaling = 'strong' AND optimization = 'O3'
ORDER BY ranks;

-- On two nodes.
SELECT CASE experiment WHEN 'coarrays_burgers_nodes' THEN 'fanfarillo-c-135'
           WHEN 'coarrays_himeno_nodes' THEN 'fanfarillo-c-140' ELSE 'fanfarillo-c-144/libcaf-mpi' END AS id,
       value, low, high, 'times faster than element' AS words
FROM coarrays_ratios
WHERE experiment IN ('coarrays_burgers_nodes', 'coarrays_himeno_nodes', 'coarrays_transpose_nodes')
    AND a = 'element' AND b = 'libcaf-mpi' AND scaling = 'strong' AND optimization = 'O3';

-- Element by element, the same images on one node and on two; the grids differ, the rates are compared.
SELECT 'fanfarillo-c-141' AS id, one.mflops / two.mflops AS value,
       one.mflops / two.mflops * one.time_s / one.time_high_s * two.time_low_s / two.time_s AS low,
       one.mflops / two.mflops * one.time_s / one.time_low_s * two.time_high_s / two.time_s AS high,
       'times slower on two nodes' AS words
FROM coarrays_himeno_4_median AS one JOIN coarrays_himeno_nodes_median AS two USING (ranks, variant, scaling)
WHERE variant = 'element' AND scaling = 'strong';

SELECT 'fanfarillo-c-144/one-node' AS id, one.bandwidth_gbs / two.bandwidth_gbs AS value,
       one.bandwidth_gbs / two.bandwidth_gbs * one.time_s / one.time_high_s * two.time_low_s / two.time_s AS low,
       one.bandwidth_gbs / two.bandwidth_gbs * one.time_s / one.time_low_s * two.time_high_s / two.time_s AS high,
       'times slower on two nodes' AS words
FROM coarrays_transpose_4_median AS one JOIN coarrays_transpose_nodes_median AS two USING (ranks, variant, scaling)
WHERE variant = 'element' AND scaling = 'strong';

-- Weak scaling of Burgers on one node, with at most one image per core: cells per second.
WITH run AS (
    SELECT * FROM coarrays_burgers_1_median UNION ALL SELECT * FROM coarrays_burgers_2_median
    UNION ALL SELECT * FROM coarrays_burgers_4_median),
speed AS (
    SELECT ranks, cells * steps / time_s AS mid, cells * steps / time_high_s AS low, cells * steps / time_low_s AS high
    FROM run WHERE variant = 'libcaf-mpi' AND scaling = 'weak' AND optimization = 'O3'
        AND ranks <= coalesce((SELECT min(cores) FROM experiments WHERE id LIKE 'coarrays_burgers_%'), ranks))
SELECT 'fanfarillo-c-136/efficiency' AS id, iif(many.ranks > 1, many.mid / one.mid / many.ranks, NULL) AS value,
       many.low / one.high / many.ranks AS low, many.high / one.low / many.ranks AS high,
       iif(max(many.ranks) > 1, printf('with %d images', many.ranks), 'this machine has one core') AS words
FROM speed AS one, speed AS many WHERE one.ranks = 1 HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-136/slope', line_slope(ln(ranks), ln(mid)), NULL, NULL, 'of cells per second over images'
FROM speed HAVING count(*) > 1;

-- Synchronization against transfers with 2 images on one node: sync all against a strided put, which stands for a halo
-- of Himeno; a transpose has two sync all.
WITH sync AS (
    SELECT variant, mid, low, high FROM coarrays_times
    WHERE experiment = 'coarrays_sync' AND operation = 'sync-all' AND variant = 'opencoarrays')
SELECT 'fanfarillo-c-198/himeno' AS id, median(sync.mid / put.mid) AS value, median(sync.low / put.high) AS low,
       median(sync.high / put.low) AS high, 'of the time of a strided put, median over the strides' AS words
FROM sync JOIN coarrays_times AS put USING (variant)
WHERE put.experiment = 'coarrays_strided' AND put.operation = 'put' AND stride > 1 HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-198/transpose', median(2 * sync.mid / (run.mid - 2 * sync.mid)),
       median(2 * sync.low / (run.high - 2 * sync.low)), median(2 * sync.high / max(1e-12, run.low - 2 * sync.high)),
       'of the rest of a transpose, median of strong and weak scaling'
FROM sync JOIN coarrays_times AS run USING (variant) WHERE run.experiment = 'coarrays_transpose_2' HAVING count(*) > 0;
