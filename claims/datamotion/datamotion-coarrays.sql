-- Puts and gets of one double on one node, and of 1 MiB.
SELECT iif(a = 'memcpy', 'datamotion-c-015/', 'datamotion-c-011/') || operation AS id, value, low, high,
       iif(a = 'memcpy', 'of the bandwidth of memcpy, 1 MiB', 'times the time of OpenCoarrays, 8 bytes') AS words
FROM coarrays_ratios
WHERE experiment IN ('coarrays_put', 'coarrays_get')
    AND (a = 'datamotion' AND b = 'opencoarrays' AND elements = 1
         OR a = 'memcpy' AND b = 'datamotion' AND elements = 131072);

SELECT 'datamotion-c-012/' || operation AS id, 1e9 * mid AS value, 1e9 * low AS low, 1e9 * high AS high,
       'ns for 8 bytes' AS words
FROM coarrays_times
WHERE experiment IN ('coarrays_put', 'coarrays_get') AND variant = 'datamotion' AND elements = 1;

-- Strided puts and gets on one node, against OpenCoarrays and a direct loop.
SELECT 'datamotion-c-013/' || operation AS id, value, low, high, 'times faster than OpenCoarrays' AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_strided' AND a = 'opencoarrays' AND b = 'datamotion' AND stride = 2
UNION ALL
SELECT 'datamotion-c-014', value, low, high, printf('times the time of a loop, %s at stride %d', operation, stride)
FROM coarrays_ratios
WHERE experiment = 'coarrays_strided' AND a = 'datamotion' AND b = 'memcpy' AND stride > 1;

SELECT 'datamotion-c-016' AS id, value, low, high, 'times the time of OpenCoarrays' AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_sync' AND a = 'datamotion' AND b = 'opencoarrays' AND operation = 'sync-all';

-- Images that share cores wait for the scheduler.
SELECT 'datamotion-c-070' AS id, value, low, high, printf('times the time of MPI_Barrier, %d images', ranks) AS words
FROM coarrays_ratios
WHERE experiment IN ('coarrays_sync', 'coarrays_sync_4', 'coarrays_sync_8', 'coarrays_sync_16') AND a = 'datamotion'
    AND b = 'mpi' AND operation = 'sync-all' AND ranks <= (SELECT cores FROM experiments WHERE id = experiment);

SELECT 'datamotion-c-071/' || operation AS id, value, low, high,
       printf('times the time of MPI, %d images, %s', ranks, parameters) AS words
FROM coarrays_ratios
WHERE experiment IN ('coarrays_collective', 'coarrays_collective_4', 'coarrays_collective_16')
    AND a = 'datamotion-c' AND b = 'mpi-c' AND operation <> 'barrier'
    AND ranks <= (SELECT cores FROM experiments WHERE id = experiment);

-- Not slower than the faster of MPI in Fortran and in C is not slower than either.
SELECT 'datamotion-c-017' AS id, value, low, high, 'times the time of ' || b || ', ' || parameters AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_halo' AND a = 'datamotion' AND b IN ('mpi', 'mpi-c');

SELECT 'datamotion-c-072' AS id, value, low, high, 'times the time of ' || b || ', ' || parameters AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_halo_4' AND a = 'datamotion' AND b IN ('mpi', 'mpi-c')
    AND ranks <= (SELECT cores FROM experiments WHERE id = experiment);

-- Against OpenCoarrays between nodes, of the applications on one node, and of these on two nodes.
SELECT iif(variant = 'ucx', 'datamotion-c-073', 'datamotion-c-018') AS id, sum(possibly) AS value,
       sum(surely) AS low, NULL AS high,
       printf('of %d slower than OpenCoarrays ', count(*)) || coalesce(group_concat(DISTINCT what), '') AS words
FROM coarrays_slower
WHERE experiment IN ('coarrays_put_nodes', 'coarrays_get_nodes', 'coarrays_strided_nodes', 'coarrays_sync_nodes')
GROUP BY variant HAVING count(DISTINCT experiment) = 4;

SELECT 'datamotion-c-019' AS id, sum(possibly) AS value, sum(surely) AS low, NULL AS high,
       printf('of %d slower than OpenCoarrays ', count(*)) || coalesce(group_concat(DISTINCT what), '') AS words
FROM coarrays_slower
WHERE variant = 'datamotion'
    AND experiment IN ('coarrays_burgers_2', 'coarrays_burgers_4', 'coarrays_himeno_2', 'coarrays_himeno_4',
                     'coarrays_transpose_2', 'coarrays_transpose_4')
HAVING count(DISTINCT experiment) = 6;

SELECT 'datamotion-c-020' AS id, sum(possibly) AS value, sum(surely) AS low, NULL AS high,
       printf('of %d slower than OpenCoarrays ', count(*)) || coalesce(group_concat(DISTINCT what), '') AS words
FROM coarrays_slower
WHERE variant = 'datamotion'
    AND experiment IN ('coarrays_burgers_nodes', 'coarrays_himeno_nodes', 'coarrays_transpose_nodes')
HAVING count(DISTINCT experiment) = 3;

SELECT 'datamotion-c-021' AS id, value, low, high, 'times faster than OpenCoarrays' AS words
FROM coarrays_ratios
WHERE experiment = 'coarrays_himeno_2' AND a = 'opencoarrays' AND b = 'datamotion' AND scaling = 'strong';
