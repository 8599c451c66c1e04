-- Numbers of threads in the whole grid and in a device's part: 4 blocks of 3 threads on 2 devices
WITH part AS (
    SELECT device, offset_x, size_x, block_x FROM partition_grids_median
    WHERE dims = 'x' AND devices = 2 AND grid_x = 4 AND block_x = 3 AND part >= 0)
SELECT super_global_thread_id AS "thread of the whole grid",
       device, gpu AS "device, thesis",
       CAST(super_global_thread_id - offset_x AS INTEGER) AS "thread of the part", sub_global_thread_id AS "thread of the part, thesis",
       CAST(offset_x AS INTEGER) AS offset, offset_threads AS "offset, thesis",
       CAST(super_global_thread_id / block_x AS INTEGER) AS block, super_block_id AS "block, thesis"
FROM klein_tab_u1 LEFT JOIN part ON super_global_thread_id >= offset_x AND super_global_thread_id < offset_x + size_x * block_x
ORDER BY super_global_thread_id;
