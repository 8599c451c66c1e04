-- Verdicts of the analysis about the applications' kernels, and about kernels that it must refuse. Polly is
-- used on kernels in loops over the grid. Of reads at an index that is not affine all is taken as read.
WITH claim(id, kernel) AS (VALUES ('klein-c-043', 'stencil5p'), ('klein-c-043', 'update_velocities'),
    ('klein-c-043', 'update_positions'), ('klein-c-108', 'stencil3d'), ('klein-c-102', 'scatter'), ('klein-c-102',
        'square'), ('klein-c-103/accepted', 'row_width'), ('klein-c-103/other', 'row_width_plus_one'),
    ('klein-c-104/accepted', 'bound_affine'), ('klein-c-104/other', 'bound_square')),
verdict AS (SELECT kernel, max(variant = 'analysed') AS accepted FROM partition_verdicts
    WHERE rep = 0 AND argument = '-'
    GROUP BY kernel)
SELECT id, accepted AS value, NULL AS low, NULL AS high, CASE WHEN accepted IS NOT NULL THEN 'accepted: ' || kernel
    WHEN id LIKE '%/%' THEN 'the kernels analysed have no ' || kernel ELSE '' END AS words
FROM claim LEFT JOIN verdict USING (kernel) WHERE EXISTS (SELECT 1 FROM verdict);

-- Elements of what is written, beside the number of threads. A thread writes one element of an argument.
WITH written AS (
    SELECT "case" AS name, elements <> CASE "case" WHEN 'matmul' THEN size * size WHEN 'nbody' THEN size
        ELSE (size - 2) * (size - 2) END AS other
    FROM partition_intervals_median WHERE variant = 'boxes' AND access = 'write' AND part = -1
        AND "case" IN ('matmul', 'nbody', 'stencil'))
SELECT 'klein-c-111/launches' AS id, sum(other) AS value, NULL AS low, NULL AS high,
    printf('of %d write another number of elements than they have threads', count(*)) AS words
FROM written HAVING count(DISTINCT name) = 3
UNION ALL SELECT 'klein-c-111/kernels', count(DISTINCT kernel), NULL, NULL,
    'have a verdict' || coalesce('; not shown for every block and size: ' || group_concat(DISTINCT iif(injective = 0,
        kernel, NULL)), '')
FROM partition_verdicts WHERE argument = '-'
    AND kernel IN ('stencil5p', 'update_velocities', 'update_positions', 'mat_mul') HAVING count(*) > 0;

-- Three methods, of which one takes first and last element of a row and the others the set of elements.
WITH method AS (SELECT "case" AS name, size, argument, access, intervals, elements, variant
    FROM partition_intervals_median
    WHERE part = -1 AND variant IN ('points', 'rows', 'boxes'))
SELECT 'klein-c-110' AS id, sum(p.intervals <> o.intervals OR p.elements <> o.elements) AS value, NULL AS low,
    NULL AS high, printf('of %d sets differ by first and last elements and by bounds of rows', count(*)) AS words
FROM method AS p JOIN method AS o USING (name, size, argument, access)
WHERE p.variant = 'points' AND o.variant <> 'points' HAVING count(*) > 0;

-- Maps of linearised accesses, as the analysis recovers their dimensions: the row, whose number nothing bounds, is
-- first.
WITH map AS (SELECT DISTINCT kernel, argument,
        substr(value, instr(value, '{') + 2, instr(value, ' : ') - instr(value, '{') - 2) AS map FROM partition_keys
    WHERE key = 'write map' AND kernel IN ('stencil_ex', 'stencil5p', 'mat_mul_rows') AND value <> '')
SELECT 'klein-c-075' AS id, sum(map <> printf('[gy, gx] -> %s[gy, gx]', argument)) AS value, NULL AS low, NULL AS high,
    printf('of %d maps are not from thread (y, x) to element [y, x]', count(*)) AS words FROM map HAVING count(*) > 0;

-- Iteration spaces of the single accesses of the worked example: loops beside the grid's dimensions that the kernel
-- uses. Dimensions that it does not use become no loops here.
WITH map AS (SELECT argument, key, value || '' AS value, substr(value, instr(value, '{ [') + 3) AS body
    FROM partition_keys
    WHERE kernel = 'stencil_ex'),
access AS (
    SELECT max(value) FILTER (WHERE argument = 'in' AND key = 'read domain dims') AS reads,
        max(value) FILTER (WHERE argument = 'out' AND key = 'write domain dims') AS writes,
        max(substr(body, 1, instr(body, ']') - 1)) FILTER (WHERE argument = 'out' AND key = 'write map') AS grid
    FROM map)
SELECT 'klein-c-074/' || substr('abcdefgh', loop.key + 1, 1) AS id,
    loop.value - 1 - length(grid) + length(replace(grid, ',', '')) AS value, NULL AS low, NULL AS high,
    'loops more than over ' || grid AS words
FROM access, json_each('[' || reads || ',' || writes || ']') AS loop WHERE reads <> '' AND writes <> '' AND grid <> '';
