-- Two GPUs of one host, from one memory into the other: bandwidth against cudaMemcpyPeerAsync, and against staged.
WITH way AS (
    SELECT bytes, variant, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM rdma_pingpong_median WHERE pair = 'D D' AND stress = 0 AND mode = 'bandwidth'
    UNION ALL -- staging in host memory, pipelined or not, whichever is fastest
    SELECT bytes, 'staging', min(time_s), time_low_s, time_high_s FROM rdma_pingpong_median
    WHERE pair = 'D D' AND stress = 0 AND mode = 'bandwidth' AND variant IN ('staged', 'pipelined', 'pipelined-shared') GROUP BY bytes),
target(id, slower, least, from_bytes, to_bytes, paths) AS (VALUES
    ('datamotion-c-034', 'limit', 0.97, 67108864, 9e18, 'cuda-aware peer-copy peer-store '),
    ('datamotion-c-037', 'staging', 6.5, 268435456, 268435456, 'cuda-aware peer-copy peer-store '),
    ('datamotion-c-038', 'staged', 1.8, 268435456, 268435456, 'pipelined pipelined-shared ')),
best AS (
    SELECT id, slower, bytes, variant, mid, low, high, row_number() OVER (PARTITION BY id, bytes ORDER BY mid) AS nth
    FROM target JOIN way ON bytes BETWEEN from_bytes AND to_bytes AND instr(' ' || paths, ' ' || variant || ' ') > 0),
ratio AS (
    SELECT id, b.bytes AS bytes, b.variant AS variant, s.mid / b.mid AS mid, s.low / b.high AS low, s.high / b.low AS high
    FROM best AS b JOIN way AS s ON s.bytes = b.bytes AND s.variant = slower WHERE nth = 1),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT id, group_concat(printf('%.3g at %d MiB by %s', mid, bytes / 1048576, variant), ', ') FILTER (WHERE mid > 0) AS measured,
       printf('>= %g of %s %s %d MiB', least, slower, iif(to_bytes > from_bytes, 'from', 'at'), from_bytes / 1048576) AS bound,
       CASE WHEN NOT real OR count(mid) = 0 THEN 'waived' WHEN min(low) >= least THEN 1 WHEN min(high) < least THEN 0 END AS ok,
       CASE WHEN NOT real THEN 'a target for GPU nodes; this is the software GPU' WHEN count(mid) = 0 THEN 'blocks of that size were not measured' ELSE '' END AS reason
FROM gpu, target LEFT JOIN ratio USING (id) GROUP BY id;

-- Latency of the best path of this suite at every size from 8 bytes to 64 KiB, against others that take device pointers.
WITH way AS (
    SELECT bytes, variant, time_s AS mid, time_low_s AS low, time_high_s AS high
    FROM rdma_pingpong_median WHERE pair = 'D D' AND stress = 0 AND mode = 'latency' AND bytes BETWEEN 8 AND 65536),
best AS (
    SELECT *, row_number() OVER (PARTITION BY bytes ORDER BY mid) AS nth FROM way WHERE variant NOT IN ('cuda-aware', 'nccl', 'limit')),
target(id, other, most) AS (VALUES ('datamotion-c-035', 'cuda-aware', 0.5), ('datamotion-c-036', 'nccl', 1.2)),
ratio AS (
    SELECT id, b.bytes AS bytes, b.variant AS variant, b.mid AS time_s, b.mid / o.mid AS mid, b.low / o.high AS low, b.high / o.low AS high
    FROM target JOIN way AS o ON o.variant = other JOIN best AS b ON b.bytes = o.bytes AND nth = 1),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT id, group_concat(printf('%.2f at %d (%.1f us by %s)', mid, bytes, 1e6 * time_s, variant), ', ') FILTER (WHERE mid > 0) AS measured,
       printf('<= %g times %s at every size', most, other) AS bound,
       CASE WHEN NOT real OR count(mid) = 0 THEN 'waived' WHEN max(high) <= most THEN 1 WHEN max(low) > most THEN 0 END AS ok,
       CASE WHEN NOT real THEN 'a target for GPU nodes; this is the software GPU'
            WHEN count(mid) = 0 THEN coalesce((SELECT reason FROM waived WHERE experiment = 'rdma_pingpong' AND variant = other), other || ' was not measured')
            ELSE '' END AS reason
FROM gpu, target LEFT JOIN ratio USING (id) GROUP BY id;

-- GET, work and PUT of 3025 numbers.
WITH way AS (SELECT variant, time_s AS mid, time_low_s AS low, time_high_s AS high FROM rdma_total_median WHERE block_elements = 3025),
best AS (SELECT * FROM way WHERE variant IN ('cuda-aware', 'peer-copy', 'peer-store') ORDER BY mid LIMIT 1),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda')
SELECT 'datamotion-c-039' AS id, printf('%.2f (%.1f us by %s, %.1f us by staged)', s.mid / b.mid, 1e6 * b.mid, b.variant, 1e6 * s.mid) AS measured,
       '>= 5 of staged' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN s.low / b.high >= 5 THEN 1 WHEN s.high / b.low < 5 THEN 0 END AS ok,
       iif(real, '', 'a target for GPU nodes; this is the software GPU') AS reason
FROM way AS s JOIN best AS b JOIN gpu WHERE s.variant = 'staged';
