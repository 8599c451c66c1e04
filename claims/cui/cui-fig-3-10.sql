-- Matrix multiplication: memory that ring buffers for A and B save, at the sizes that both versions can run.
WITH saving AS (
    SELECT size, 1 - 1.0 * f.device_bytes / b.device_bytes AS mid, row_number() OVER (ORDER BY size) AS place
    FROM pipeline_matmul_median AS b JOIN pipeline_matmul_median AS f USING (size)
    WHERE b.variant = 'block' AND f.variant = 'pipeline-buffer' ORDER BY size)
SELECT 'cui-c-090' AS id, group_concat(printf('%.3f at size %d', a.mid, a.size), ', ') AS measured, 'not falling with the size' AS bound,
       CASE WHEN count(*) = 1 THEN 'waived' ELSE min(coalesce(b.mid >= a.mid, 1)) END AS ok,
       iif(count(*) = 1, 'only one size fits as a whole', '') AS reason
FROM saving AS a LEFT JOIN saving AS b ON b.place = a.place + 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-091', printf('%.3f at size %d', mid, size), '0.6..0.667', mid BETWEEN 0.6 AND 0.667, ''
FROM saving WHERE place = (SELECT max(place) FROM saving);
