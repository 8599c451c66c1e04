-- Two GPUs of one host, from memory into memory: per size the fastest of some paths beside the fastest of others.
WITH target(id, mode, from_bytes, to_bytes, others, paths) AS (VALUES
    ('datamotion-c-034', 'bandwidth', 67108864, 9e18, 'limit', 'cuda-aware peer-copy peer-store'),
    ('datamotion-c-035', 'latency', 8, 65536, 'cuda-aware',
     'peer-copy peer-store staged staged-pageable pipelined pipelined-shared'),
    ('datamotion-c-036', 'latency', 8, 65536, 'nccl',
     'peer-copy peer-store staged staged-pageable pipelined pipelined-shared'),
    ('datamotion-c-037', 'bandwidth', 268435456, 268435456, 'staged pipelined pipelined-shared',
     'cuda-aware peer-copy peer-store'),
    ('datamotion-c-038', 'bandwidth', 268435456, 268435456, 'staged', 'pipelined pipelined-shared')),
side AS (
    SELECT id, mode, bytes, instr(' ' || others || ' ', ' ' || variant || ' ') > 0 AS is_other, variant,
           min(time_s) AS mid, time_low_s AS low, time_high_s AS high
    FROM target JOIN rdma_pingpong_median USING (mode)
    WHERE pair = 'D D' AND stress = 0 AND bytes BETWEEN from_bytes AND to_bytes
          AND instr(' ' || others || ' ' || paths || ' ', ' ' || variant || ' ') > 0
    GROUP BY id, bytes, is_other),
pair AS (
    SELECT id, b.bytes, b.variant, o.mid / b.mid AS faster, o.low / b.high AS faster_low, o.high / b.low AS faster_high,
           b.mid / o.mid AS slower, b.low / o.high AS slower_low, b.high / o.low AS slower_high
    FROM side AS b JOIN side AS o USING (id, bytes) WHERE o.is_other AND NOT b.is_other)
SELECT id, iif(mode = 'latency', slower, faster) AS value, iif(mode = 'latency', slower_low, faster_low) AS low,
       iif(mode = 'latency', slower_high, faster_high) AS high,
       iif(bytes, printf('times the %s of %s: %s, %d bytes', mode, others, variant, bytes),
           printf('%s was not measured from %d bytes on', others, from_bytes)) AS words
FROM target LEFT JOIN pair USING (id) WHERE EXISTS (SELECT 1 FROM rdma_pingpong_median);

-- GET, work and PUT of 3025 numbers.
WITH way AS (SELECT * FROM rdma_total_median WHERE block_elements = 3025)
SELECT 'datamotion-c-039' AS id, s.time_s / b.time_s AS value, s.time_low_s / b.time_high_s AS low,
       s.time_high_s / b.time_low_s AS high, 'times as fast as staged: ' || b.variant AS words
FROM way AS s JOIN way AS b
WHERE s.variant = 'staged' AND b.variant IN ('cuda-aware', 'peer-copy', 'peer-store') ORDER BY b.time_s LIMIT 1;
