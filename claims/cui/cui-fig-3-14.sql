-- The data sets: which fit.
WITH conv AS (SELECT DISTINCT share_of_capacity AS share, 1.0 * footprint_bytes / capacity_bytes AS fill, outcome
              FROM unified_memory_ladder WHERE variant = 'naive'),
     placed AS (SELECT *, row_number() OVER (ORDER BY share) AS place FROM conv)
SELECT 'cui-c-105' AS id, group_concat(printf('%.2f %s', fill, outcome), ', ') AS measured,
       'sets 1 and 2 of 5 fit, 3 to 5 do not' AS bound,
       count(*) = 5 AND min(outcome = CASE WHEN place <= 2 THEN 'ok' ELSE 'does not fit' END) = 1 AS ok,
       'sizes relative to ' || (SELECT max(capacity_bytes) >> 10 FROM unified_memory_ladder) || ' KiB of device memory' AS reason
FROM (SELECT * FROM placed ORDER BY place) HAVING count(*) > 0;

WITH size AS (SELECT share, fill, row_number() OVER (ORDER BY share) AS place
              FROM (SELECT DISTINCT share_of_capacity AS share, 1.0 * footprint_bytes / capacity_bytes AS fill FROM unified_memory_matmul
                    WHERE share_of_capacity IS NOT NULL))
SELECT 'cui-c-106' AS id, group_concat(printf('%.2f', fill), ', ') AS measured,
       'sets 1 to 4 of 6 below 1, set 5 above, set 6 more so' AS bound,
       count(*) = 6 AND max(fill) FILTER (WHERE place <= 4) < 1 AND max(fill) FILTER (WHERE place = 5) > 1
           AND max(fill) FILTER (WHERE place = 6) > max(fill) FILTER (WHERE place = 5) AS ok,
       'sizes relative to ' || (SELECT max(capacity_bytes) >> 10 FROM unified_memory_matmul) || ' KiB of device memory' AS reason
FROM (SELECT * FROM size ORDER BY place) HAVING count(*) > 0;
