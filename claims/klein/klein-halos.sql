-- Exchanges of the stencil's halos beside one another: with more neighbours, split along and against the rows, along
-- both, not merged. A column is one two-dimensional copy: as many copies as of rows, so that time decides.
WITH claim(id, app, split, options, app_of, split_of, options_of) AS (VALUES
    ('klein-c-037/', 'stencil9', 'y', 'spans', 'stencil', 'y', 'spans'),
    ('klein-c-040/', 'stencil', 'x', 'spans', 'stencil', 'y', 'spans'),
    ('klein-c-068/', 'stencil', 'xy', 'spans', 'stencil', 'y', 'spans'),
    ('klein-c-072/', 'stencil', 'y', 'spans+no-coalesce', 'stencil', 'y', 'spans'),
    ('klein-c-106/', 'stencil', 'y', 'spans', 'stencil', 'x', 'spans')),
pair AS (SELECT id, size, a.devices AS devices, a.mid / b.mid AS mid, a.low / b.high AS low, a.high / b.low AS high,
        a.copies / b.copies AS copies, a.bytes / b.bytes AS bytes
    FROM claim JOIN partition_halos AS a USING (app, split, options)
    JOIN partition_halos AS b USING (size, devices) WHERE b.app = app_of AND b.split = split_of
        AND b.options = options_of AND b.copies > 0),
quantity AS (
    SELECT id || 'time' AS id, mid, low, high, 'times the time' AS words, size, devices FROM pair
        WHERE id NOT LIKE '%68/'
    UNION ALL SELECT id || 'bytes', bytes, NULL, NULL, 'times the bytes', size, devices FROM pair WHERE id LIKE '%106/'
    UNION ALL SELECT id || 'copies', copies / iif(id LIKE '%40/', size, 1), NULL, NULL,
        'times the copies' || iif(id LIKE '%40/', ', by n', ''), size, devices FROM pair WHERE id LIKE '%40/'
        OR id LIKE '%72/' OR id LIKE '%68/' AND devices >= 4)
SELECT id, mid AS value, low, high, printf('%s, n = %d, %d devices', words, size, devices) AS words FROM quantity
UNION ALL SELECT 'klein-c-068/copies', NULL, NULL, NULL, 'four devices are needed'
WHERE NOT EXISTS (SELECT 1 FROM quantity WHERE id LIKE '%68/copies') AND EXISTS (SELECT 1 FROM partition_halos);

SELECT 'klein-c-106/other' AS id, sum(split <> 'y') AS value, NULL AS low, NULL AS high,
    'verdicts on the stencil suggest another dimension' AS words FROM partition_verdicts
WHERE rep = 0 AND argument = '-' AND kernel = 'stencil5p' HAVING count(*) > 0;

-- What more neighbours leave of the speedup of the launches.
WITH run AS (SELECT app, variant, devices, size, median(app_kernel_s) AS mid FROM partition_variants
    WHERE status = 'pass' AND (variant = 'original' OR variant = 'partitioned' AND split = 'y' AND resolution = 'exact'
        AND options = 'spans') GROUP BY app, variant, devices, size),
speedup AS (SELECT app, size, p.devices AS devices, o.mid / p.mid AS mid FROM run AS o JOIN run AS p USING (app, size)
    WHERE o.variant = 'original' AND p.variant = 'partitioned')
SELECT 'klein-c-037/speedup' AS id, n.mid / f.mid AS value, NULL AS low, NULL AS high,
    printf('times the speedup, n = %d, %d devices', size, devices) AS words
FROM speedup AS n JOIN speedup AS f USING (size, devices) WHERE n.app = 'stencil9' AND f.app = 'stencil';

-- All of a buffer taken as read.
WITH pair AS (SELECT size, devices, split, a.bytes / b.bytes AS bytes, a.wrong AS wrong
    FROM partition_halos AS a JOIN partition_halos AS b USING (app, size, devices, split)
    WHERE app = 'stencil' AND a.options = 'spans+whole' AND b.options = 'spans' AND b.bytes > 0)
SELECT 'klein-c-101/bytes' AS id, bytes AS value, NULL AS low, NULL AS high,
    printf('times the bytes, split along %s, n = %d, %d devices', split, size, devices) AS words FROM pair
UNION ALL SELECT 'klein-c-101/wrong', sum(wrong), NULL, NULL, 'elements' FROM pair HAVING count(*) > 0;
