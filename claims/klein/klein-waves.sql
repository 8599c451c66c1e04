-- Waves of resident blocks: one kernel on one device, each thread with the same work whatever the number of blocks.
WITH run AS (SELECT * FROM partition_waves_median WHERE variant = 'blocks'),
wave AS (
    SELECT max(capacity) AS capacity, max(multiprocessors) AS processors, max(time_s) FILTER (WHERE blocks = 1) AS one, max(time_low_s) FILTER (WHERE blocks = 1) AS one_low,
        max(time_high_s) FILTER (WHERE blocks = 1) AS one_high, max(time_s) FILTER (WHERE blocks = multiprocessors) AS spread,
        max(time_s) FILTER (WHERE blocks = multiprocessors + 1) AS doubled, max(time_s) FILTER (WHERE blocks = capacity) AS full,
        max(time_low_s) FILTER (WHERE blocks = capacity) AS full_low, max(time_high_s) FILTER (WHERE blocks = capacity) AS full_high,
        max(time_s) FILTER (WHERE blocks = capacity + 1) AS next, max(time_low_s) FILTER (WHERE blocks = capacity + 1) AS next_low,
        max(time_high_s) FILTER (WHERE blocks = capacity + 1) AS next_high
    FROM run),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'klein-c-046' AS id,
       printf('%.2f times with %d blocks, %.2f times that with one more; a block on each of %d multiprocessors %.2f times, one more %.2f times that', full / one, capacity,
           next / full, processors, spread / one, doubled / spread) AS measured,
       '<= 1.1, >= 1.5' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN full_high / one_low <= 1.1 AND next_low / full_high >= 1.5 THEN 1
           WHEN full_low / one_high > 1.1 OR next_high / full_low < 1.5 THEN 0 END AS ok,
       CASE WHEN NOT real THEN 'the software GPU executes as many blocks at once as this machine has cores: no blocks are resident'
           WHEN full_low / one_high > 1.1 AND spread / one <= 1.1 THEN 'blocks on different multiprocessors cost nothing more; those on one share its issue slots'
           ELSE '' END AS reason
FROM wave, gpu WHERE one > 0 AND full > 0 AND next > 0;

-- The two kernels of the n-body program, each launched alone and waited for.
WITH run AS (SELECT * FROM partition_kernels_median WHERE application = 'nbody'),
pair AS (
    SELECT size, p.time_s / v.time_s AS mid, p.time_low_s / v.time_high_s AS low, p.time_high_s / v.time_low_s AS high
    FROM run AS p JOIN run AS v USING (size) WHERE p.variant = 'update_positions' AND v.variant = 'update_velocities'),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
large AS (SELECT * FROM pair WHERE size >= iif((SELECT max(size) FROM pair) >= 65536, 65536, 0))
SELECT 'klein-c-047' AS id, printf('%.2g to %.2g of the time, %d to %d bodies', min(mid), max(mid), min(size), max(size)) AS measured,
       '<= 0.02 from 65536 bodies on' AS bound,
       CASE WHEN NOT real OR max(size) < 65536 THEN 'waived' WHEN max(high) <= 0.02 THEN 1 WHEN max(low) > 0.02 THEN 0 END AS ok,
       CASE WHEN NOT real THEN 'the software GPU''s times are those of this machine''s cores' WHEN max(size) < 65536 THEN 'sizes from 65536 bodies on are needed' ELSE '' END AS reason
FROM large, gpu HAVING count(*) > 0;

-- Threads of a launch against the elements that it changed, counted; static shared memory, as the driver tells it. All three programs are needed.
WITH run AS (SELECT variant AS kernel, application, size, threads, outputs, shared_bytes FROM partition_kernels_median),
fact AS (
    SELECT count(DISTINCT application) AS programs, count(DISTINCT kernel) AS kernels, min(threads >= outputs) AS enough, min(1.0 * threads / outputs) AS least,
        max(1.0 * threads / outputs) AS most, count(outputs) = count(*) AS counted, count(shared_bytes) = count(*) AS known, max(shared_bytes) AS bytes
    FROM run)
SELECT 'klein-c-119' AS id,
       printf('%s of shared memory in %d kernels of %d programs, %.3f to %.3f threads for each element written', iif(known, printf('%d bytes', bytes), 'unknown size'),
           kernels, programs, least, most) AS measured,
       '0 bytes, >= 1' AS bound,
       CASE WHEN NOT enough OR bytes > 0 THEN 0 WHEN programs < 3 OR NOT counted OR NOT known THEN 'waived' ELSE 1 END AS ok,
       CASE WHEN NOT enough OR bytes > 0 THEN '' WHEN programs < 3 OR NOT counted THEN 'outputs of all three programs are needed'
           WHEN NOT known THEN 'the software GPU does not know how much shared memory a kernel has' ELSE '' END AS reason
FROM fact WHERE programs > 0;
