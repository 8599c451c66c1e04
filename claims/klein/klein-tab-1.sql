-- Maps of linearised accesses, as the analysis recovers their dimensions: the row, whose number nothing bounds, comes first.
WITH map AS (SELECT kernel, argument, substr(value, instr(value, '{') + 2, instr(value, ' : ') - instr(value, '{') - 2) AS map FROM partition_keys WHERE key = 'write map' AND kernel IN ('stencil_ex', 'stencil5p', 'mat_mul_rows') AND value <> '')
SELECT 'klein-c-075' AS id, group_concat(DISTINCT kernel || ': ' || map) AS measured, 'from thread (y, x) to element [y, x]' AS bound, min(map = printf('[gy, gx] -> %s[gy, gx]', argument)) AS ok, '' AS reason FROM map HAVING count(*) > 0;

-- Iteration spaces of the single accesses of the worked example. Only dimensions of the grid that the kernel uses become loops; the
-- thesis has loops over all three.
WITH map AS (
    SELECT kernel, argument, key, value || '' AS value, substr(value, instr(value, '{ [') + 3) AS body FROM partition_keys WHERE kernel = 'stencil_ex'),
access AS (
    SELECT max(value) FILTER (WHERE argument = 'in' AND key = 'read domain dims') AS reads,
        max(value) FILTER (WHERE argument = 'out' AND key = 'write domain dims') AS writes,
        max(substr(body, 1, instr(body, ']') - 1)) FILTER (WHERE argument = 'out' AND key = 'write map') AS grid
    FROM map),
counted AS (SELECT *, 1 + length(grid) - length(replace(grid, ',', '')) AS loops FROM access)
SELECT 'klein-c-074' AS id, printf('A, B, C: %s, D: %s with loops over %s; %d more with those over all of the grid', replace(reads, ',', ', '), writes, grid,
    3 - loops) AS measured, 'A: 4, the others: 3' AS bound,
    reads = printf('%d,%d,%d', loops + 1, loops, loops) AND writes = printf('%d', loops) AS ok,
    iif(loops < 3, 'dimensions of the grid that the kernel does not use become no loops', '') AS reason
FROM counted WHERE reads <> '' AND writes <> '' AND grid <> '';
