-- Waves of resident blocks: as many blocks as a device holds beside one, and one more; each thread has the same work.
WITH wave AS (SELECT max(capacity) AS capacity, max(multiprocessors) AS processors FROM partition_wave)
SELECT 'klein-c-046/full' AS id, f.mid / o.mid AS value, f.low / o.high AS low, f.high / o.low AS high,
    printf('times one block''s, %d blocks%s', wave.capacity,
        coalesce(printf('; %.3g times with one for each multiprocessor',
        (SELECT mid FROM partition_wave WHERE blocks = processors) / o.mid), '')) AS words
FROM wave JOIN partition_wave AS f ON f.blocks = wave.capacity JOIN partition_wave AS o ON o.blocks = 1
UNION ALL SELECT 'klein-c-046/next', n.mid / f.mid, n.low / f.high, n.high / f.low, 'times that with one block more'
FROM wave JOIN partition_wave AS f ON f.blocks = wave.capacity JOIN partition_wave AS n ON n.blocks = wave.capacity + 1;

-- Plateaus and steps of the n-body program.
WITH pair AS (SELECT a.devices AS devices, b.distance / a.distance AS ratio
    FROM partition_plateaus AS a JOIN partition_plateaus AS b ON b.devices = 2 * a.devices
        WHERE b.distance / a.distance)
SELECT 'klein-c-044' AS id, plateaus AS value, NULL AS low, NULL AS high, printf('plateaus, %d devices',
    devices) AS words
FROM partition_plateaus
UNION ALL SELECT 'klein-c-045', ratio, NULL, NULL, printf('times the distance of steps on %d devices', devices)
    FROM pair
UNION ALL SELECT 'klein-c-045', NULL, NULL, NULL, 'fewer than two steps within the range on some number of devices'
WHERE EXISTS (SELECT 1 FROM partition_plateaus) AND NOT EXISTS (SELECT 1 FROM pair);

-- The two kernels of the n-body program, each launched alone and waited for.
WITH run AS (SELECT *, max(size) OVER () AS largest FROM partition_kernels_median WHERE application = 'nbody')
SELECT 'klein-c-047' AS id, iif(size < 65536, NULL, p.time_s / v.time_s) AS value, p.time_low_s / v.time_high_s AS low,
    p.time_high_s / v.time_low_s AS high,
    iif(size < 65536, 'sizes from 65536 bodies on are needed', printf('of the time, %d bodies', size)) AS words
FROM run AS p JOIN run AS v USING (size) WHERE p.variant = 'update_positions' AND v.variant = 'update_velocities'
    AND (size >= 65536 OR p.largest < 65536);

-- Threads of a launch against the elements that it changed, counted; static shared memory, as the driver tells it. All
-- three programs are needed.
WITH fact AS (
    SELECT count(DISTINCT application) AS programs, count(DISTINCT variant) AS kernels,
        min(1.0 * threads / outputs) AS least,
        count(outputs) = count(*) AS counted, count(shared_bytes) = count(*) AS known, max(shared_bytes) AS bytes
    FROM partition_kernels_median)
SELECT 'klein-c-119/threads' AS id, iif(programs < 3 OR NOT counted, NULL, least) AS value, NULL AS low, NULL AS high,
    iif(programs < 3 OR NOT counted, 'outputs of all three programs are needed',
        printf('for each element written, %d kernels of %d programs', kernels, programs)) AS words FROM fact
            WHERE programs > 0
UNION ALL SELECT 'klein-c-119/bytes', iif(known, bytes, NULL), NULL, NULL,
    iif(known, 'of shared memory', 'this device does not know how much shared memory a kernel has') FROM fact
        WHERE programs > 0;
