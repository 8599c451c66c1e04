-- The second node of the thesis: blp against the fastest async, larger data sets. cui-c-193 says the same of the first one, and with the
-- same bound; it is judged instead where the GPU is behind NVLink.
WITH run AS (
    SELECT benchmark, size, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high, dense_rank() OVER (PARTITION BY benchmark ORDER BY size) AS place
    FROM blp_datasets_median WHERE time_s > 0 GROUP BY benchmark, size, variant),
ratio AS (
    SELECT benchmark, a.mid / b.mid AS mid, a.low / b.high AS low, a.high / b.low AS high
    FROM run AS a JOIN run AS b USING (benchmark, size) WHERE a.variant = 'async' AND b.variant = 'blp' AND a.place = 2 ORDER BY benchmark),
link AS (SELECT total(link LIKE 'NVLink%') > 0 AS is_nvlink FROM blp_datasets_median)
SELECT 'cui-c-194' AS id, coalesce(group_concat(printf('%s %.2f', benchmark, mid), ', '), 'not measured') AS measured, 'least >= 0.85 (thesis, PCI-E: 0.98..1.1)' AS bound,
       CASE WHEN count(benchmark) = 0 OR is_nvlink THEN 'waived' WHEN min(low) >= 0.85 THEN 1 WHEN min(high) < 0.85 THEN 0 END AS ok,
       CASE WHEN count(benchmark) = 0 THEN 'no second data sets were measured'
            WHEN is_nvlink THEN 'the same rows and bound as cui-c-193, which is judged, as this GPU is behind NVLink' ELSE '' END AS reason
FROM link LEFT JOIN ratio WHERE EXISTS (SELECT 1 FROM run);
