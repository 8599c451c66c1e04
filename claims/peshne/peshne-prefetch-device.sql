-- Block operations on the host and on the GPU, with copies and without. Where the GPU is the software GPU, it is this
-- machine's CPU with the cost of imitating threads.
WITH gap AS (
    SELECT *, row_number() OVER (ORDER BY segment DESC) AS from_end, count(*) OVER () AS sizes FROM prefetch_devices
    WHERE operation = 'contract' AND variant = 'gpu')
SELECT * FROM (
    SELECT 'peshne-c-002/gap' AS id, s.gap AS value, NULL AS low, NULL AS high,
           printf('s longer on the host, segments of %d', s.segment) AS words
    FROM gap AS s JOIN gap AS l ON l.segment = 2 * s.segment ORDER BY l.segment DESC LIMIT 1)
UNION ALL
SELECT * FROM (
    SELECT 'peshne-c-002/doubled', l.gap / s.gap, NULL, NULL, 'times that at twice the segment'
    FROM gap AS s JOIN gap AS l ON l.segment = 2 * s.segment ORDER BY l.segment DESC LIMIT 1)
UNION ALL
SELECT 'peshne-c-002/falls', sum(falls), NULL, NULL, 'steps without growth in the upper half of sizes'
FROM (SELECT gap <= lag(gap) OVER (ORDER BY segment) AS falls FROM gap WHERE 2 * from_end <= sizes + 1)
HAVING count(falls) > 0
UNION ALL
SELECT 'peshne-c-103', 1 / mid, 1 / high, 1 / low, printf('times faster than the host, segments of %d', segment)
FROM gap WHERE from_end = 1;

SELECT iif(operation = 'matmul', 'peshne-c-004', 'peshne-c-003/' || iif(segment = least, 'smallest', 'largest')) AS id,
       mid AS value, low, high, printf('times the host with copies, segments of %d', segment) AS words
FROM prefetch_devices
WHERE variant = 'gpu-transfers' AND (operation = 'contract' AND segment IN (least, most) OR operation = 'matmul'
                                     AND segment = least);

SELECT 'peshne-c-005' AS id, median((h2d_s + d2h_s) / kernel_s) AS value,
       interval_low((h2d_s + d2h_s) / kernel_s) AS low,
       interval_high((h2d_s + d2h_s) / kernel_s) AS high,
       printf('times the kernel take the copies, %s, segments of %d', operation, segment) AS words
FROM prefetch_device
WHERE variant = 'gpu-transfers' AND status = 'pass'
  AND (operation = 'scale' OR segment = (SELECT min(segment) FROM prefetch_device))
GROUP BY operation, segment;
