-- Parts of grids: each block belongs to exactly one part, the parts of a grid are disjoint, dimensions that are not split stay whole.
WITH part AS (SELECT *, grid_x || 'x' || grid_y || 'x' || grid_z || '/' || devices || '/' || dims || ' ' || rule || ' ' || block_x || 'x' || block_y || 'x' || block_z AS grid
    FROM partition_grids_median WHERE part >= 0 AND size_x * size_y * size_z > 0),
whole AS (
    SELECT grid, dims, devices, sum(size_x * size_y * size_z) <> grid_x * grid_y * grid_z AS uncovered,
           sum((instr(dims, 'x') = 0 AND (size_x <> grid_x OR offset_x <> 0)) + (instr(dims, 'y') = 0 AND (size_y <> grid_y OR offset_y <> 0))
               + (instr(dims, 'z') = 0 AND (size_z <> grid_z OR offset_z <> 0))) AS cut,
           sum((offset_x % block_x <> 0) + (offset_y % block_y <> 0) + (offset_z % block_z <> 0)) AS unaligned
    FROM part GROUP BY grid),
overlap AS (
    SELECT a.grid AS grid, count(*) AS pairs FROM part AS a JOIN part AS b ON a.grid = b.grid AND a.part < b.part
        AND a.offset_x < b.offset_x + b.size_x * b.block_x AND b.offset_x < a.offset_x + a.size_x * a.block_x
        AND a.offset_y < b.offset_y + b.size_y * b.block_y AND b.offset_y < a.offset_y + a.size_y * a.block_y
        AND a.offset_z < b.offset_z + b.size_z * b.block_z AND b.offset_z < a.offset_z + a.size_z * a.block_z GROUP BY a.grid),
state AS (SELECT whole.*, coalesce(pairs, 0) AS pairs FROM whole LEFT JOIN overlap USING (grid))
SELECT 'klein-c-116' AS id, printf('%d grids along %s: %d not covered, %d overlaps, %d cut elsewhere', count(*), group_concat(DISTINCT dims), sum(uncovered),
    sum(pairs), sum(cut)) AS measured,
       'x, y, z, xy, yz, xz: 0 each' AS bound, count(DISTINCT dims) = 6 AND sum(uncovered) + sum(pairs) + sum(cut) = 0 AS ok, '' AS reason
FROM state HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-065', printf('%d grids: %d offsets inside of a block, %d not covered, %d overlaps', count(*), sum(unaligned), sum(uncovered), sum(pairs)), '0 each',
    sum(unaligned) + sum(uncovered) + sum(pairs) = 0, ''
FROM state WHERE length(dims) = 2 HAVING count(*) > 0;

-- One dimension.
WITH part AS (
    SELECT grid_x, grid_y, grid_z, block_x, block_y, block_z, devices, dims, part, CASE dims WHEN 'x' THEN grid_x WHEN 'y' THEN grid_y ELSE grid_z END AS blocks,
           CASE dims WHEN 'x' THEN size_x WHEN 'y' THEN size_y ELSE size_z END AS size, CASE dims WHEN 'x' THEN offset_x WHEN 'y' THEN offset_y
               ELSE offset_z END AS offset,
           CASE dims WHEN 'x' THEN block_x WHEN 'y' THEN block_y ELSE block_z END AS block
    FROM partition_grids_median WHERE variant = '1d' AND part >= 0),
next AS (SELECT *, coalesce(lag(offset + size * block) OVER (PARTITION BY grid_x, grid_y, grid_z, block_x, block_y, block_z, devices, dims ORDER BY part),
    0) AS expected FROM part),
grid AS (
    SELECT max(size) - min(size) AS spread, sum(size) <> blocks OR sum(size > 0 AND offset <> expected) > 0 AS wrong, blocks >= devices AS enough
    FROM next GROUP BY grid_x, grid_y, grid_z, block_x, block_y, block_z, devices, dims)
SELECT 'klein-c-061' AS id, printf('largest difference %d in %d grids', max(spread), count(*)) AS measured, '<= 1 block' AS bound, max(spread) <= 1 AS ok, '' AS reason
    FROM grid WHERE enough HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-062', printf('%d of %d grids are not covered block by block', sum(wrong), count(*)), '0', sum(wrong) = 0, '' FROM grid HAVING count(*) > 0;

-- 4 blocks of 3 threads on two devices, against the printed table: every thread of the grid from its part, thread within it, and offset.
WITH RECURSIVE part AS (SELECT device, offset_x AS offset, size_x * block_x AS threads, block_x FROM partition_grids_median
    WHERE dims = 'x' AND grid_x = 4 AND grid_y = 1 AND block_x = 3 AND devices = 2 AND part >= 0),
thread(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM thread WHERE id < 11),
here AS (SELECT device, id AS sub, offset, id + offset AS super, (id + offset) / block_x AS block FROM part JOIN thread ON id < threads),
same AS (
    SELECT count(*) AS threads, sum(t.gpu = device AND t.sub_global_thread_id = sub AND t.offset_threads = offset
        AND t.super_block_id = CAST(block AS INTEGER)) AS alike
    FROM here JOIN klein_tab_u1 AS t ON t.super_global_thread_id = super)
SELECT 'klein-c-063' AS id, printf('%d of %d threads as printed', alike, threads) AS measured, '12 of 12' AS bound, alike = 12 AS ok, '' AS reason FROM same
    WHERE threads > 0;

-- Two dimensions: cuts along each are the numbers of different offsets.
WITH cut AS (
    SELECT dims, rule, devices, max(min(iif(instr(dims, 'x') > 0, grid_x, 1e9), iif(instr(dims, 'y') > 0, grid_y, 1e9), iif(instr(dims, 'z') > 0, grid_z,
        1e9))) AS smaller, count(*) AS parts,
           count(DISTINCT offset_x) AS x, count(DISTINCT offset_y) AS y, count(DISTINCT offset_z) AS z
    FROM partition_grids_median WHERE variant = '2d' AND part >= 0 AND size_x > 0 GROUP BY dims, rule, devices, grid_x, grid_y, grid_z, block_x, block_y, block_z),
factor AS (SELECT *, CASE WHEN x = 1 THEN min(y, z) WHEN y = 1 THEN min(x, z) ELSE min(x, y) END AS small FROM cut)
SELECT 'klein-c-064' AS id, printf('%d of %d grids: a product of two factors, the smaller fits', sum(x * y * z = devices AND small <= smaller), count(*)) AS measured,
    'all' AS bound,
       min(x * y * z = devices AND small <= smaller) AS ok, '' AS reason FROM factor HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-067', printf('%d of %d grids have a part for each device', sum(parts >= devices), count(*)), 'at least one part for each', min(parts >= devices), ''
    FROM factor HAVING count(*) > 0;

-- What is refused, by the thesis's rule.
WITH here AS (SELECT length(dims) AS dimensions, min(grid_x, grid_y) AS narrow, part = -1 AND refused = 1 AS refused FROM partition_grids_median
    WHERE rule = 'thesis' AND part <= 0)
SELECT 'klein-c-066' AS id, printf('%d of %d grids that are one block wide refused', sum(refused), count(*)) AS measured, 'all' AS bound, min(refused) AS ok,
    'the corrected rule cuts them along the other dimension' AS reason
FROM here WHERE dimensions = 2 AND narrow < 2 HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-105', printf('%d of %d refused', sum(refused), count(*)), 'all', min(refused), '' FROM here WHERE dimensions = 3 HAVING count(*) > 0;

-- The matrix product on three devices.
SELECT 'klein-c-117' AS id, printf('%d parts, rows of blocks %s', count(*), group_concat(CAST(size_y AS INTEGER))) AS measured, '3 parts that differ along y' AS bound,
       count(*) = 3 AND count(DISTINCT offset_y) = 3 AND max(offset_x) = 0 AND max(offset_z) = 0 AND min(size_x) = grid_x AND sum(size_y) = grid_y AS ok, '' AS reason
FROM partition_grids_median WHERE dims = 'y' AND devices = 3 AND part >= 0 HAVING count(*) > 0;

-- Cells of figure 20's 6 x 6 grid that each of two devices gets, by the block's size.
WITH work AS (
    SELECT block_x, block_y, part, min(6, offset_y + size_y * block_y) - min(6, offset_y) AS rows FROM partition_grids_median
    WHERE dims = 'y' AND devices = 2 AND part >= 0 AND grid_x * block_x BETWEEN 6 AND 10 AND grid_y * block_y BETWEEN 6 AND 10 AND grid_z = 1),
split AS (SELECT block_x, block_y, max(rows) - min(rows) AS difference FROM work GROUP BY block_x, block_y),
word AS (SELECT *, printf('%dx%d', block_x, block_y) AS block FROM split ORDER BY block_x, block_y)
SELECT 'klein-c-042' AS id,
       printf('equal with blocks %s; unequal with %s', group_concat(block, ' ') FILTER (WHERE difference = 0), group_concat(block,
           ' ') FILTER (WHERE difference > 0)) AS measured,
       'equal where 18 modulo the block''s x is 0, nowhere else; never more than a block row apart' AS bound,
       min((difference = 0) = (18 % block_x = 0)) = 1 AND max(difference <= block_y) = 1 AS ok,
       iif(min((difference = 0) = (3 % block_y = 0)) = 1, 'rows are split: 3 modulo the block''s y decides', '') || iif(max(difference = 0 AND 18 % block_x <> 0), '',
           '; wherever work is equal, 18 modulo x is 0') AS reason
FROM word HAVING count(*) > 0;
