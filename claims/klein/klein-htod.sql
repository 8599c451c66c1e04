-- The stencil's copies between host and devices, with everything sent to every device, over the devices; sizes from
-- 8192 on and the two largest.
WITH run AS (SELECT * FROM partition_host_copies WHERE htod = 'broadcast' AND (size >= 8192 OR nth <= 2)),
step AS (SELECT size, devices, mid / lag(mid) OVER at AS mid, low / lag(high) OVER at AS low,
        high / lag(low) OVER at AS high FROM run WINDOW at AS (PARTITION BY size ORDER BY devices))
SELECT 'klein-c-024' AS id, mid AS value, low, high,
    printf('times the time on fewer devices, n = %d, %d devices', size, devices) AS words FROM step WHERE mid > 0
UNION ALL SELECT 'klein-c-026', iif(count(*) > 1, max(back) / min(back), NULL), max(back_low) / min(back_high),
    max(back_high) / min(back_low), iif(count(*) > 1, printf('times between the longest and the shortest, n = %d',
        size), 'three numbers of devices are needed') FROM run WHERE devices > 1 GROUP BY size;

SELECT 'klein-c-028' AS id, p.back / o.back AS value, p.back_low / o.back_high AS low, p.back_high / o.back_low AS high,
    printf('times the original''s copy to the host, n = %d, %d devices', size, p.devices) AS words
FROM partition_host_copies AS o JOIN partition_host_copies AS p USING (size)
WHERE o.variant = 'original' AND p.htod = 'broadcast' AND p.devices > 1;

-- Parts that are sent when launches read them: time on several devices, bytes beside those of one device and halos.
WITH run AS (SELECT * FROM partition_host_copies WHERE htod = 'lazy')
SELECT 'klein-c-097/time' AS id, iif(count(*) > 1, max(mid) / min(mid), NULL) AS value, max(low) / min(high) AS low,
    max(high) / min(low) AS high, iif(count(*) > 1, printf('times between the longest and the shortest, n = %d', size),
        'three numbers of devices are needed') AS words FROM run WHERE devices > 1 AND nth = 1 HAVING count(*) > 0
UNION ALL SELECT 'klein-c-097/bytes', round(p.bytes / o.bytes / (1 + 2.0 * (p.devices - 1) / (size - 2)), 9), NULL,
    NULL, printf('times one device''s and halos, n = %d, %d devices', size, p.devices)
FROM run AS o JOIN run AS p USING (size) WHERE o.devices = 1 AND p.devices > 1;

-- A broadcast sends everything to each device; what is fetched does not depend on the number of devices, but for the
-- border that a stencil never writes.
WITH pair AS (
    SELECT p.app AS app, p.htod AS htod, p.devices AS devices, p.htod_bytes / o.htod_bytes AS sent,
        p.dtoh_bytes / o.dtoh_bytes AS fetched, iif(p.app LIKE 'stencil%', 4.0 * (p.size - 1) / p.size / p.size,
            0) AS border
    FROM partition_counters AS p JOIN partition_counters AS o
        USING (app, size, iterations, htod, access, options, variant, block_x)
    WHERE variant = 'partitioned' AND p.devices > 1 AND o.devices = 1)
SELECT 'klein-c-025' AS id, sent / devices AS value, NULL AS low, NULL AS high,
    printf('times the bytes of one device, by the devices, %s on %d', app, devices) AS words
FROM pair WHERE htod = 'broadcast'
UNION ALL SELECT 'klein-c-027', sum(fetched > 1 OR fetched < 1 - border), NULL, NULL,
    printf('of %d runs of %d programs fetch another number of bytes', count(*), count(DISTINCT app)) FROM pair
HAVING count(*) > 0;

-- Intervals point by point over the size; a broadcast over the three largest sizes on the most devices, and over the
-- devices at the largest size: powers, of which two points say nothing for sure. A slope is least where the times of
-- larger x are at their low ends and those of smaller ones at their high ends. Whether parts that are sent when read
-- are faster in all somewhere: there the ratio is least.
WITH sent AS (SELECT *, max(devices) OVER () = devices AS most FROM partition_host_copies WHERE htod = 'broadcast'),
point(part, x, mid, low, high) AS (
    SELECT 'intervals', ln(size), time_s, time_low_s, time_high_s FROM partition_intervals_median
        WHERE "case" = 'stencil' AND variant = 'points' AND access = 'read' AND part = -1
    UNION ALL SELECT 'sizes', ln(size), mid, low, high FROM sent WHERE nth <= 3 AND most
    UNION ALL SELECT 'devices', ln(devices), mid, low, high FROM sent WHERE nth = 1),
centred AS (SELECT *, avg(x) OVER (PARTITION BY part) AS centre FROM point)
SELECT 'klein-c-098/' || part AS id, line_slope(x, ln(mid)) AS value,
    iif(count(*) > 2, line_slope(x, ln(iif(x > centre, low, high))), -9e999) AS low,
    iif(count(*) > 2, line_slope(x, ln(iif(x > centre, high, low))), 9e999) AS high,
    iif(count(*) > 1, 'is the power', 'three sizes and three numbers of devices are needed') AS words
FROM centred GROUP BY part
UNION ALL SELECT 'klein-c-098/parts', min(l.total / b.total), min(l.total_low / b.total_high),
    min(l.total_high / b.total_low), 'times the whole time with a broadcast, where it is least'
FROM partition_host_copies AS l JOIN partition_host_copies AS b USING (size, devices)
WHERE l.htod = 'lazy' AND b.htod = 'broadcast' AND devices > 1 HAVING count(*) > 0;
