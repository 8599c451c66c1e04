-- Parts of grids: each block belongs to exactly one part, the parts of a grid are disjoint, dimensions that are not
-- split stay whole; where two are split, offsets are whole blocks.
WITH part AS (SELECT *, printf('%dx%dx%d/%d/%s %s %dx%dx%d', grid_x, grid_y, grid_z, devices, dims, rule, block_x,
        block_y, block_z) AS grid
    FROM partition_grids_median WHERE part >= 0 AND size_x * size_y * size_z > 0),
whole AS (
    SELECT grid, dims, sum(size_x * size_y * size_z) <> grid_x * grid_y * grid_z AS uncovered,
        sum((instr(dims, 'x') = 0 AND (size_x <> grid_x OR offset_x <> 0))
            + (instr(dims, 'y') = 0 AND (size_y <> grid_y OR offset_y <> 0))
            + (instr(dims, 'z') = 0 AND (size_z <> grid_z OR offset_z <> 0))) AS cut,
        sum((offset_x % block_x <> 0) + (offset_y % block_y <> 0) + (offset_z % block_z <> 0)) AS unaligned
    FROM part GROUP BY grid),
overlap AS (
    SELECT grid, count(*) AS pairs FROM part AS a JOIN part AS b USING (grid) WHERE a.part < b.part
        AND a.offset_x < b.offset_x + b.size_x * b.block_x AND b.offset_x < a.offset_x + a.size_x * a.block_x
        AND a.offset_y < b.offset_y + b.size_y * b.block_y AND b.offset_y < a.offset_y + a.size_y * a.block_y
        AND a.offset_z < b.offset_z + b.size_z * b.block_z AND b.offset_z < a.offset_z + a.size_z * a.block_z
            GROUP BY grid),
state AS (SELECT *, uncovered + coalesce(pairs, 0) AS wrong FROM whole LEFT JOIN overlap USING (grid))
SELECT 'klein-c-116/dims' AS id, count(DISTINCT dims) AS value, NULL AS low, NULL AS high,
    'choices of dimensions: ' || group_concat(DISTINCT dims) AS words FROM state HAVING count(*) > 0
UNION ALL SELECT 'klein-c-116/wrong', sum(wrong + cut), NULL, NULL,
    printf('overlaps, gaps and cuts elsewhere in %d grids', count(*)) FROM state HAVING count(*) > 0
UNION ALL SELECT 'klein-c-065', sum(wrong + unaligned), NULL, NULL,
    printf('overlaps, gaps and offsets inside of a block in %d grids', count(*)) FROM state
WHERE length(dims) = 2 HAVING count(*) > 0;

-- One dimension.
WITH part AS (
    SELECT *, CASE dims WHEN 'x' THEN grid_x WHEN 'y' THEN grid_y ELSE grid_z END AS blocks,
        CASE dims WHEN 'x' THEN size_x WHEN 'y' THEN size_y ELSE size_z END AS size,
        CASE dims WHEN 'x' THEN offset_x WHEN 'y' THEN offset_y ELSE offset_z END AS offset,
        CASE dims WHEN 'x' THEN block_x WHEN 'y' THEN block_y ELSE block_z END AS block
    FROM partition_grids_median WHERE variant = '1d' AND part >= 0),
next AS (SELECT *, coalesce(lag(offset + size * block) OVER (PARTITION BY grid_x, grid_y, grid_z, block_x, block_y,
        block_z, devices, dims ORDER BY part), 0) AS expected FROM part),
grid AS (
    SELECT max(size) - min(size) AS spread, blocks >= devices AS enough,
        sum(size) <> blocks OR sum(size > 0 AND offset <> expected) > 0 AS wrong
    FROM next GROUP BY grid_x, grid_y, grid_z, block_x, block_y, block_z, devices, dims)
SELECT 'klein-c-061' AS id, max(spread) AS value, NULL AS low, NULL AS high,
    printf('blocks between the largest and the smallest part of %d grids', count(*)) AS words
FROM grid WHERE enough HAVING count(*) > 0
UNION ALL SELECT 'klein-c-062', sum(wrong), NULL, NULL, printf('of %d grids are not covered block by block', count(*))
FROM grid HAVING count(*) > 0;

-- The printed table: every thread of the grid from its part, thread within it, and offset.
WITH RECURSIVE part AS (SELECT device, offset_x AS offset, size_x * block_x AS threads, block_x
    FROM partition_grids_median
    WHERE dims = 'x' AND grid_x = 4 AND grid_y = 1 AND block_x = 3 AND devices = 2 AND part >= 0),
thread(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM thread WHERE id < 11),
here AS (SELECT device, id AS sub, offset, id + offset AS super, (id + offset) / block_x AS block
    FROM part JOIN thread ON id < threads)
SELECT 'klein-c-063' AS id, sum(gpu = device AND sub_global_thread_id = sub AND offset_threads = offset
        AND super_block_id = CAST(block AS INTEGER)) AS value, NULL AS low, NULL AS high,
    printf('of %d threads as printed', count(*)) AS words
FROM here JOIN klein_tab_u1 ON super_global_thread_id = super HAVING count(*) > 0;

-- Two dimensions: cuts along each are the numbers of different offsets; the smaller number fits the smaller side.
WITH cut AS (
    SELECT devices, count(*) AS parts, max(min(iif(instr(dims, 'x') > 0, grid_x, 1e9), iif(instr(dims, 'y') > 0,
        grid_y, 1e9), iif(instr(dims, 'z') > 0, grid_z, 1e9))) AS smaller,
        count(DISTINCT offset_x) AS x, count(DISTINCT offset_y) AS y, count(DISTINCT offset_z) AS z
    FROM partition_grids_median WHERE variant = '2d' AND part >= 0 AND size_x > 0
    GROUP BY dims, rule, devices, grid_x, grid_y, grid_z, block_x, block_y, block_z),
factor AS (SELECT *, CASE WHEN x = 1 THEN min(y, z) WHEN y = 1 THEN min(x, z) ELSE min(x, y) END AS small FROM cut)
SELECT 'klein-c-064' AS id, sum(x * y * z <> devices OR small > smaller) AS value, NULL AS low, NULL AS high,
    printf('of %d grids are not a product of two factors, the smaller of which fits', count(*)) AS words
FROM factor HAVING count(*) > 0
UNION ALL SELECT 'klein-c-067', sum(parts < devices), NULL, NULL, printf('of %d grids have no part for some device',
    count(*))
FROM factor HAVING count(*) > 0;

-- What the published rule refuses: two dimensions of grids that are one block wide, which the corrected rule cuts along
-- the other one, and three dimensions.
SELECT iif(length(dims) = 2, 'klein-c-066', 'klein-c-105') AS id, sum(NOT (part = -1 AND refused = 1)) AS value,
    NULL AS low, NULL AS high, printf('of %d grids are not refused', count(*)) AS words
FROM partition_grids_median WHERE rule <> 'even' AND part <= 0
    AND (length(dims) = 3 OR length(dims) = 2 AND min(grid_x, grid_y) < 2) GROUP BY length(dims);

-- The matrix product on three devices.
WITH part AS (SELECT * FROM partition_grids_median WHERE dims = 'y' AND devices = 3 AND part >= 0)
SELECT 'klein-c-117/parts' AS id, count(DISTINCT offset_y) AS value, NULL AS low, NULL AS high, 'along y' AS words
FROM part HAVING count(*) > 0
UNION ALL SELECT 'klein-c-117/elsewhere', sum(offset_x <> 0 OR offset_z <> 0 OR size_x <> grid_x)
    + abs(sum(size_y) - grid_y) + count(*) - count(DISTINCT offset_y), NULL, NULL, 'parts, or their rows, lie otherwise'
FROM part HAVING count(*) > 0;

-- Cells of figure 20's 6 x 6 grid that each of two devices gets, by the block's size.
WITH work AS (
    SELECT block_x, block_y, min(6, offset_y + size_y * block_y) - min(6, offset_y) AS rows FROM partition_grids_median
    WHERE dims = 'y' AND devices = 2 AND part >= 0 AND grid_x * block_x BETWEEN 6 AND 10
        AND grid_y * block_y BETWEEN 6 AND 10 AND grid_z = 1),
split AS (SELECT block_x, block_y, max(rows) - min(rows) AS difference FROM work GROUP BY block_x, block_y)
SELECT 'klein-c-042' AS id, sum((difference = 0) <> (18 % block_x = 0) OR difference > block_y) AS value, NULL AS low,
    NULL AS high, printf('of %d block sizes break the rule%s', count(*), iif(min((difference = 0) = (3 % block_y = 0)),
        ': rows are split, and 3 modulo the block''s y decides', '')) AS words FROM split HAVING count(*) > 0;
