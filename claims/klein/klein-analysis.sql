-- Verdicts of the analysis about the thesis's kernels and about kernels that it must refuse.
WITH kernel AS (SELECT kernel, variant = 'analysed' AS accepted, whole_reads, injective, split, dims_max, coalesce(reason, '') AS why FROM partition_verdicts
    WHERE rep = 0 AND argument = '-'),
named AS (
    SELECT max(accepted) FILTER (WHERE kernel = 'stencil5p') AS stencil, max(accepted) FILTER (WHERE kernel = 'update_velocities') AS velocities,
        max(accepted) FILTER (WHERE kernel = 'update_positions') AS positions,
           max(accepted) FILTER (WHERE kernel = 'mat_mul') AS matmul, max(accepted) FILTER (WHERE kernel = 'stencil3d') AS stencil3d,
               max(accepted) FILTER (WHERE kernel = 'scatter') AS scatter,
           max(accepted) FILTER (WHERE kernel = 'square') AS square, max(whole_reads) FILTER (WHERE kernel = 'gather') AS gather,
               max(accepted) FILTER (WHERE kernel = 'row_width') AS width,
           max(accepted) FILTER (WHERE kernel = 'row_width_plus_one') AS wider, max(accepted) FILTER (WHERE kernel = 'bound_affine') AS affine,
               max(accepted) FILTER (WHERE kernel = 'bound_square') AS squared,
           max(injective) FILTER (WHERE kernel = 'stencil5p') + min(injective) FILTER (WHERE kernel IN ('update_velocities', 'update_positions')) AS injective,
           max(injective) FILTER (WHERE kernel = 'mat_mul') AS matmul_injective, max(split) FILTER (WHERE kernel = 'stencil5p') AS split FROM kernel),
word(accepted, text) AS (VALUES (0, 'refused'), (1, 'accepted'))
SELECT 'klein-c-043' AS id, printf('stencil5p %s, update_velocities %s, update_positions %s', iif(stencil, 'accepted', 'refused'), iif(velocities, 'accepted',
    'refused'), iif(positions, 'accepted', 'refused')) AS measured,
       'stencil and n-body accepted without other input' AS bound, stencil AND velocities AND positions AS ok,
           'CUDA kernels; even the split dimension is found' AS reason FROM named WHERE stencil IS NOT NULL
UNION ALL
SELECT 'klein-c-107', 'mat_mul ' || text, 'OpenCL kernel refused, C kernel accepted', 'waived',
    'not reproducible: no OpenCL kernels are analysed here, and the CUDA kernel needs no other' FROM named JOIN word ON accepted = matmul
UNION ALL
SELECT 'klein-c-108', 'stencil3d ' || text, 'refused', NOT stencil3d, 'Polly of LLVM 14 on kernels in loops over the grid: newer, and used otherwise' FROM named
    JOIN word ON accepted = stencil3d
UNION ALL
SELECT 'klein-c-102', printf('written at map[i]: %s, at i * i: %s', iif(scatter, 'accepted', 'refused'), iif(square, 'accepted', 'refused')), 'both refused',
    NOT scatter AND NOT square,
       iif(gather, 'of reads at such an index all is taken as read', '') FROM named WHERE scatter IS NOT NULL AND square IS NOT NULL
UNION ALL
SELECT 'klein-c-103', iif(width IS NULL, NULL, printf('width N: %s, N + 1: %s', iif(width, 'accepted', 'refused'), iif(wider, 'accepted', 'refused'))),
    'accepted, refused',
       iif(width IS NULL OR wider IS NULL, 'waived', width AND NOT wider), iif(width IS NULL OR wider IS NULL, 'no kernel with rows of N + 1 is among those analysed',
           '') FROM named
UNION ALL
SELECT 'klein-c-104', iif(squared IS NULL, NULL, printf('y <= x: %s, y <= x * x: %s', iif(affine, 'accepted', 'refused'), iif(squared, 'accepted', 'refused'))),
    'accepted, refused',
       iif(affine IS NULL OR squared IS NULL, 'waived', affine AND NOT squared), iif(affine IS NULL OR squared IS NULL,
           'no kernel with a bound that is not affine is among those analysed', '') FROM named;

-- Which dimension is split, and what the other costs. Columns are one two-dimensional copy each: as many copies and bytes as rows, so that time decides.
WITH run AS (
    SELECT devices, size, split, median(sync_comm_s) AS mid, interval_low(sync_comm_s) AS low, interval_high(sync_comm_s) AS high, median(d2d_bytes) AS bytes
    FROM partition_variants WHERE status = 'pass' AND variant = 'partitioned' AND app = 'stencil' AND resolution = 'exact' AND options = 'spans' AND split IN ('x', 'y')
        AND one_device = 0 GROUP BY devices, size, split),
ratio AS (SELECT y.mid / x.mid AS mid, y.low / x.high AS low, y.high / x.low AS high, y.bytes / x.bytes AS bytes FROM run AS x JOIN run AS y USING (devices, size)
    WHERE x.split = 'x' AND y.split = 'y' AND x.bytes > 0),
split AS (SELECT max(split) AS dimension FROM partition_verdicts WHERE kernel = 'stencil5p')
SELECT 'klein-c-106' AS id, printf('split along %s; exchange y / x %.2f to %.2f in time, %g to %g in bytes', dimension, min(mid), max(mid), min(bytes), max(bytes)) AS measured,
    'y; < 1 in time' AS bound, CASE WHEN dimension <> 'y' OR max(bytes) > 1 OR min(low) >= 1 THEN 0 WHEN max(high) < 1 THEN 1 END AS ok,
    'a column is one two-dimensional copy here' AS reason
FROM split, ratio WHERE dimension IS NOT NULL HAVING count(*) > 0;

-- Elements of what is written, beside the number of threads; kernels of the thesis. A thread writes one element of an argument.
WITH written AS (
    SELECT "case" AS name, size, elements, iif("case" = 'matmul', size * size, iif("case" = 'nbody', size, (size - 2) * (size - 2))) AS threads
    FROM partition_intervals_median WHERE variant = 'boxes' AND access = 'write' AND part = -1 AND "case" IN ('matmul', 'nbody', 'stencil')),
verdict AS (
    SELECT group_concat(DISTINCT iif(injective = 0, kernel, NULL)) AS not_shown, count(DISTINCT kernel) AS kernels FROM partition_verdicts
    WHERE argument = '-' AND kernel IN ('stencil5p', 'update_velocities', 'update_positions', 'mat_mul'))
SELECT 'klein-c-111' AS id,
       printf('%s; %d of %d launches: as many elements as threads that write', iif(not_shown IS NULL, 'shown for all kernels', 'not shown for ' || not_shown),
           sum(elements = threads), count(*)) AS measured,
       'no element by two threads' AS bound, min(elements = threads) = 1 AND kernels = 4 AS ok, iif(not_shown IS NULL, '',
           'not shown for every block and size; shown for the launches by counting') AS reason
FROM written, verdict HAVING count(*) > 0 AND count(DISTINCT name) = 3;

-- Three methods, of which one takes first and last element of a row and the others the set of elements.
WITH method AS (SELECT "case" AS name, size, argument, access, intervals, elements, variant, errors FROM partition_intervals_median
    WHERE part = -1 AND variant IN ('points', 'rows', 'boxes')),
pair AS (SELECT p.intervals = o.intervals AND p.elements = o.elements AS alike FROM method AS p JOIN method AS o USING (name, size, argument, access)
    WHERE p.variant = 'points' AND o.variant <> 'points')
SELECT 'klein-c-110' AS id, printf('%d of %d sets alike by first and last elements and by bounds of rows', sum(alike), count(*)) AS measured, 'all' AS bound,
    min(alike) = 1 AS ok, '' AS reason FROM pair HAVING count(*) > 0;

-- What there is nothing to measure of.
SELECT 'klein-c-109' AS id, NULL AS measured, 'fewer at compile time' AS bound, 'waived' AS ok,
    'a statement about the design: of R''s arguments two kernels are known at compile time, six at run time; nothing is measured' AS reason
UNION ALL SELECT 'klein-c-118', NULL, '0 / 2', 'waived', 'not implemented: no pass rewrites host code; calls of the driver are interposed when linking or loading'
UNION ALL SELECT 'klein-c-020', NULL, 'n * n * 20 * iterations / time', 'waived', 'a definition: figure 21 is drawn that way'
UNION ALL SELECT 'klein-c-021', '7 / (5 * 4) = 0.35', '0.35', 'waived', 'arithmetic on the listing, which agrees; no program counts operations';
