-- Device memory in use by whole arrays, CUDA's context included. The thesis gives no dimensions: these data sets were chosen to come near.
WITH names(id, benchmark, place, bound) AS (
    VALUES ('cui-c-183', 'conv2d', 1, '0.54..0.66 GB'), ('cui-c-184', 'conv3d', 1, '0.50..0.62 GB'), ('cui-c-185', 'gemm', 1, '0.27..0.33 GB'),
           ('cui-c-186', 'fdtd2d', 1, '0.46..0.56 GB'), ('cui-c-187', 'atax', 1, '1.17..1.43 GB'), ('cui-c-188', 'conv2d', 2, '4.05..4.95 GB'),
           ('cui-c-189', 'conv3d', 2, '3.96..4.84 GB'), ('cui-c-190', 'fdtd2d', 2, '3.98..4.86 GB'), ('cui-c-191', 'atax', 2, '4.05..4.95 GB')),
run AS (
    SELECT benchmark, dataset, size, coalesce(used_bytes, device_bytes) / 1073741824.0 AS used, dense_rank() OVER (PARTITION BY benchmark ORDER BY size) AS place
    FROM blp_datasets_median WHERE variant = 'sync'),
device AS (SELECT count(*) > 0 AS is_v100 FROM machine WHERE name = 'device0_name' AND value LIKE '%V100%')
SELECT id, iif(used, printf('%.3g GB (%s, size %d)', used, dataset, size), 'not measured') AS measured, bound,
       CASE WHEN is_v100 AND dataset IN ('default', 'medium') THEN used BETWEEN CAST(bound AS REAL) AND CAST(substr(bound, 7) AS REAL)
            ELSE 'waived' END AS ok,
       CASE WHEN used IS NULL THEN 'no second data set was measured' WHEN NOT is_v100 THEN 'a number of the Tesla V100; the context of CUDA is in it' WHEN dataset IN ('default', 'medium') THEN ''
            ELSE 'a smaller data set' END AS reason
FROM device, names LEFT JOIN run USING (benchmark, place) WHERE EXISTS (SELECT 1 FROM run);
