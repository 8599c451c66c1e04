-- Device memory. `used` is what the whole program takes, CUDA's context included; `own` what the version allocated. Of
-- each version the configuration of the thesis: the smallest chunks, two streams.
WITH ranked AS (
    SELECT *, device_bytes AS own, coalesce(used_bytes, device_bytes) AS used, used_bytes - device_bytes AS context,
           row_number() OVER (PARTITION BY benchmark, size, variant ORDER BY chunk_size, streams < 2, streams) AS nth,
           max(size) OVER (PARTITION BY benchmark) AS largest
    FROM pipeline_versions_median WHERE variant IN ('naive', 'pipeline', 'framework')),
run AS (SELECT * FROM ranked WHERE nth = 1),
trio AS (
    SELECT benchmark, size, size = n.largest AS is_largest, n.own AS n_own, p.own AS p_own, f.own AS f_own, n.used AS n_used, p.used AS p_used,
           f.used AS f_used, f.context AS context, 1 - 1.0 * f.own / n.own AS n_saving, 1 - 1.0 * f.own / p.own AS p_saving, 1 - 1.0 * f.used / p.used AS p_all,
           row_number() OVER (PARTITION BY benchmark ORDER BY size) AS place
    FROM run AS n JOIN run AS p USING (benchmark, size) JOIN run AS f USING (benchmark, size)
    WHERE n.variant = 'naive' AND p.variant = 'pipeline' AND f.variant = 'framework')
SELECT 'cui-c-047' AS id, printf('pipeline / naive %.3f; %.3g and %.3g GB', 1.0 * p_used / n_used, 1e-9 * p_used, 1e-9 * n_used) AS measured,
       '0.95..1.1 (thesis: both about 3.5 GB)' AS bound, 1.0 * p_used / n_used BETWEEN 0.95 AND 1.1 AS ok, '' AS reason
FROM trio WHERE benchmark = 'conv3d' AND is_largest
UNION ALL
SELECT 'cui-c-048', printf('framework %.3g MB of buffers, naive %.4g MB', 1e-6 * f_own, 1e-6 * n_used),
       'at most 0.05 of naive''s (thesis: 93 MB of 3.5 GB)', f_own <= 0.05 * n_used, ''
FROM trio WHERE benchmark = 'conv3d' AND is_largest
UNION ALL
SELECT 'cui-c-049', printf('%.3f of the buffers; %.3f of all that the program uses', n_saving, 1 - 1.0 * f_used / n_used),
       '>= 0.95 of the buffers (thesis: 0.97)', n_saving >= 0.95, ''
FROM trio WHERE benchmark = 'conv3d' AND is_largest
UNION ALL
SELECT 'cui-c-070', printf('%.3f of all that the program uses; %.3f of the buffers', p_all, p_saving),
       '>= 0.35 of all that the program uses (thesis: 0.50)', p_all >= 0.35,
       iif(context > 1e6, printf('CUDA''s context takes %.3g MB of them', 1e-6 * context), '')
FROM trio WHERE benchmark = 'stencil' AND is_largest
UNION ALL
SELECT 'cui-c-071',
       iif(context IS NULL, printf('framework %.3g MB', 1e-6 * f_own), printf('%.3g of %.3g MB', 1e-6 * context, 1e-6 * f_used)),
       '>= 0.5 of the framework''s memory', CASE WHEN context IS NULL THEN 'waived' ELSE 1.0 * context / f_used >= 0.5 END,
       iif(context IS NULL, 'the memory in use cannot be told here', '')
FROM trio WHERE benchmark = 'stencil' AND is_largest
UNION ALL
SELECT 'cui-c-084', group_concat(printf('%.3f at n = %d', a.p_all, a.size), ', ') || ' of all that the program uses',
       '> 0, and not less at a larger size',
       CASE WHEN min(a.p_all) <= 0 THEN 0 WHEN count(*) = 1 THEN 'waived' ELSE min(coalesce(b.p_all >= a.p_all, 1)) END,
       iif(count(*) = 1, 'only one size was measured', '')
FROM trio AS a LEFT JOIN trio AS b ON b.benchmark = a.benchmark AND b.place = a.place + 1 WHERE a.benchmark = 'qcd' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-085', printf('%.3f of all that the program uses at n = %d; %.3f of the buffers', p_all, size, p_saving),
       '>= 0.6 of all that the program uses (thesis: 0.79)', p_all >= 0.6,
       iif(context > 1e6, printf('CUDA''s context takes %.3g MB of them', 1e-6 * context), '')
FROM trio WHERE benchmark = 'qcd' AND is_largest;

WITH run AS (
    SELECT *, coalesce(used_bytes, device_bytes) AS used FROM pipeline_streams_median AS s
    WHERE size = (SELECT max(size) FROM pipeline_streams_median AS o WHERE o.benchmark = s.benchmark)
      AND (variant = 'naive' OR chunk_size = (SELECT min(chunk_size) FROM pipeline_streams_median AS o WHERE o.benchmark = s.benchmark))),
device AS (SELECT count(*) > 0 AS is_k40 FROM machine WHERE name = 'device0_name' AND value LIKE '%K40%')
SELECT 'cui-c-054' AS id,
       printf('%.3f of all that the program uses with %d streams; %.3f of the buffers', 1 - 1.0 * f.used / n.used, f.streams,
              1 - 1.0 * f.device_bytes / n.device_bytes) AS measured,
       '>= 0.94 of all that the program uses (thesis: 0.96)' AS bound, 1 - 1.0 * f.used / n.used >= 0.94 AS ok,
       iif(f.used > f.device_bytes + 1e6, printf('CUDA''s context takes %.3g MB of them', 1e-6 * (f.used - f.device_bytes)), '') AS reason
FROM run AS n JOIN run AS f USING (benchmark)
WHERE benchmark = 'conv3d' AND n.variant = 'naive' AND f.variant = 'framework'
  AND f.streams = (SELECT max(streams) FROM run WHERE variant = 'framework' AND benchmark = 'conv3d' AND streams <= 8)
UNION ALL
SELECT 'cui-c-073', printf('%.3f..%.3f for %d to %d streams', min(1 - 1.0 * f.used / p.used), max(1 - 1.0 * f.used / p.used), min(streams), max(streams)),
       '0.40..0.60 for every number of streams',
       CASE WHEN is_k40 THEN min(1 - 1.0 * f.used / p.used) >= 0.4 AND max(1 - 1.0 * f.used / p.used) <= 0.6 ELSE 'waived' END,
       iif(is_k40, '', 'the share of CUDA''s own memory depends on the device; the thesis has a Tesla K40m')
FROM run AS p JOIN run AS f USING (benchmark, streams), device
WHERE benchmark = 'stencil' AND p.variant = 'pipeline' AND f.variant = 'framework' HAVING count(*) > 0;
