-- Device memory of the data sets with whole arrays (sync), in GB of 2^30 byte; in use: with CUDA's context, as nvidia-smi tells
WITH names(short, benchmark) AS (VALUES ('2DCONV', 'conv2d'), ('3DCONV', 'conv3d'), ('GEMM', 'gemm'), ('FD2D', 'fdtd2d'), ('ATAX', 'atax')),
run AS (
    SELECT short || iif(row_number() OVER (PARTITION BY benchmark ORDER BY size) = 1, '_default', '_medium') AS place,
           benchmark || ' ' || dataset AS name, size, device_bytes, used_bytes
    FROM blp_datasets_median JOIN names USING (benchmark) WHERE variant = 'sync')
SELECT p.dataset AS "data set", name AS "data set here", size, printf('%.3g', device_bytes / 1073741824.0) AS "arrays (GB)",
       printf('%.3g', used_bytes / 1073741824.0) AS "in use (GB)", printf('%.2f', gpu_memory_gb) AS "in use (GB), thesis"
FROM cui_tab_4_2 AS p LEFT JOIN run ON place = p.dataset ORDER BY p.rowid;
