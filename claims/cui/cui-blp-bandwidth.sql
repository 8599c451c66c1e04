-- Copies in chunks: how much of the bandwidth of one call is left.
WITH kept AS (
    SELECT variant, r.chunks, r.mid / o.mid AS mid, r.low / o.high AS low, r.high / o.low AS high
    FROM blp_rate AS r JOIN blp_rate AS o USING (experiment, variant, direction)
    WHERE experiment = 'blp_bandwidth_chunks' AND direction = 'in' AND o.chunks = 1 AND r.chunks > 1)
SELECT 'cui-c-128/rate' AS id, mid AS value, low, high, 'GB/s in one call' AS words
FROM blp_rate WHERE experiment = 'blp_bandwidth_chunks' AND variant = 'memcpy' AND direction = 'in' AND chunks = 1
UNION ALL
SELECT 'cui-c-128/more', mid, low, high, printf('times the bandwidth of one call with %d', chunks)
FROM kept WHERE variant = 'memcpy'
UNION ALL
SELECT iif(variant = 'memcpy', 'cui-c-129', 'cui-c-130'), 1 - mid, 1 - high, 1 - low,
       printf('of the bandwidth lost with %d chunks', chunks)
FROM kept WHERE variant = 'memcpy' AND chunks = 1024 OR variant = 'memcpy2d' AND chunks = 64
UNION ALL
SELECT 'cui-c-131', t.mid / o.mid, t.low / o.high, t.high / o.low,
       printf('times the share that 1D copies keep, with %d chunks', chunks)
FROM kept AS t JOIN kept AS o USING (chunks) WHERE t.variant = 'memcpy2d' AND o.variant = 'memcpy' AND chunks <= 64
UNION ALL
SELECT 'cui-c-216', d.mid / c.mid, d.low / c.high, d.high / c.low, 'times the share that cudaMemcpy keeps, 1024 chunks'
FROM kept AS d JOIN kept AS c USING (chunks)
WHERE d.variant = 'direct' AND c.variant = 'memcpy' AND chunks = 1024;

-- Direct access beside a copy engine with the same chunks: strided pieces, and contiguous ones.
WITH beside AS (
    SELECT d.variant, chunks, d.mid / c.mid AS mid, d.low / c.high AS low, d.high / c.low AS high
    FROM blp_rate AS d JOIN blp_rate AS c USING (experiment, direction, chunks)
    WHERE experiment = 'blp_bandwidth_chunks' AND direction = 'in'
          AND (d.variant, c.variant) IN (VALUES ('direct', 'memcpy'), ('direct-chunk', 'memcpy2d'))),
strided AS (SELECT * FROM beside WHERE variant = 'direct-chunk' AND chunks > 1)
SELECT 'cui-c-215/engine' AS id, mid AS value, low, high,
       printf('times the bandwidth of cudaMemcpy2D with %d chunks', chunks) AS words
FROM strided
UNION ALL
SELECT 'cui-c-215/contiguous', s.mid / c.mid, s.low / c.high, s.high / c.low,
       printf('times that ratio for contiguous data, %d chunks', s.chunks)
FROM strided AS s, beside AS c WHERE c.variant = 'direct' AND c.chunks = 1;

-- Peaks and knees of direct access to host memory by number of copy threads, one direction alone.
WITH knee AS (SELECT * FROM blp_knee WHERE experiment = 'blp_bandwidth_threads'),
peak AS (SELECT variant, direction, max(peak) AS mid, peak_low AS low, peak_high AS high FROM knee
         GROUP BY variant, direction),
wide AS (SELECT * FROM knee WHERE variant = 'direct' AND direction = 'in' AND bits = 128),
narrow AS (SELECT * FROM knee WHERE variant = 'direct' AND direction = 'in' AND bits = 32),
curve AS (
    SELECT bits, r.threads, r.mid, r.low, r.high, k.threads AS knee, peak, peak_low, peak_high,
           r.mid / lag(r.mid) OVER more AS step, r.low / lag(r.high) OVER more AS step_low,
           r.high / lag(r.low) OVER more AS step_high
    FROM blp_rate AS r JOIN knee AS k USING (experiment, variant, direction, bits)
    WHERE variant = 'direct' AND direction = 'in' WINDOW more AS (PARTITION BY bits ORDER BY r.threads)),
measured AS (SELECT 1 FROM curve LIMIT 1)
SELECT 'cui-c-127/' || direction AS id, d.mid / e.mid AS value, d.low / e.high AS low, d.high / e.low AS high,
       'times the bandwidth of the copy engine' AS words
FROM peak AS d JOIN peak AS e USING (direction)
WHERE d.variant = 'direct' AND e.variant = 'memcpy' AND direction <> 'both'
UNION ALL
SELECT 'cui-c-132/peak', w.peak / e.mid, w.peak_low / e.high, w.peak_high / e.low,
       'times the bandwidth of cudaMemcpy, 128 bits'
FROM wide AS w, peak AS e WHERE e.variant = 'memcpy' AND e.direction = 'in'
UNION ALL
SELECT 'cui-c-132/knee', 1.0 * threads / most_threads, 1.0 * threads_low / most_threads,
       1.0 * threads_high / most_threads, printf('of %d threads reach the peak', most_threads)
FROM wide
UNION ALL
SELECT 'cui-c-133', w.peak / n.peak, w.peak_low / n.peak_high, w.peak_high / n.peak_low, 'times the peak with 32 bits'
FROM wide AS w, narrow AS n
UNION ALL
SELECT 'cui-c-134', 1.0 * w.threads / n.threads, 1.0 * w.threads_low / n.threads_high,
       1.0 * w.threads_high / n.threads_low, printf('times the %d threads of 32 bits', n.threads)
FROM wide AS w, narrow AS n
UNION ALL
SELECT 'cui-c-135', iif(most_blocks > 8, blocks, NULL), blocks_low, blocks_high,
       iif(most_blocks > 8, 'blocks reach the peak', 'no more than 8 blocks were measured')
FROM wide
UNION ALL
SELECT 'cui-c-140', step, step_low, step_high,
       iif(step > 0, printf('times the bandwidth with fewer threads, %d with %d bits', threads, bits),
           'the fewest threads reach the peak already')
FROM measured LEFT JOIN curve ON step > 0 AND threads <= knee
UNION ALL
SELECT 'cui-c-141', mid / peak, low / peak_high, high / peak_low,
       iif(mid > 0, printf('of the peak with %d threads, %d bits', threads, bits),
           'not twice as many threads as at the knee were measured')
FROM measured LEFT JOIN curve ON threads >= 2 * knee;

-- Both directions at once, by the split of blocks that reaches the peak with the fewest.
WITH device AS (
    SELECT CAST(value AS INTEGER) AS multiprocessors FROM machine WHERE name = 'device0_multiprocessors')
SELECT 'cui-c-212' AS id, iif(multiprocessors < 14, NULL, 1.0 * blocks / multiprocessors) AS value,
       1.0 * blocks_low / multiprocessors AS low, 1.0 * blocks_high / multiprocessors AS high,
       iif(multiprocessors < 14, 'one copy block per direction is too large a share of so few multiprocessors',
           printf('of the multiprocessors: %d blocks in, %d out', blocks_in, blocks_out)) AS words
FROM blp_split_knee, device
UNION ALL
SELECT 'cui-c-214', twice, twice_low, twice_high,
       iif(twice > 0, printf('times the bandwidth of the knee (%d blocks in, %d out) with twice as many', blocks_in,
                             blocks_out), 'twice the blocks of the knee were not measured')
FROM blp_split_knee
UNION ALL
SELECT id, NULL, NULL, NULL, 'other numbers of copy blocks in than out were not measured'
FROM (SELECT 'cui-c-212' AS id UNION ALL VALUES ('cui-c-214'))
WHERE EXISTS (SELECT 1 FROM configurations WHERE experiment = 'blp_bandwidth_threads')
      AND NOT EXISTS (SELECT 1 FROM blp_split);

-- Panels of columns of a matrix, copied by thread blocks in tiles.
WITH rate AS (SELECT * FROM blp_rate WHERE experiment = 'blp_bandwidth_tiles' AND direction = 'in'),
panels AS (SELECT * FROM rate WHERE variant = 'direct-chunk' AND bits = 128),
direct AS (SELECT max(mid) AS mid, low, high FROM rate WHERE variant = 'direct'),
best AS (SELECT max(mid) AS mid, low, high FROM panels WHERE blocks >= 4)
SELECT 'cui-c-138/blocks' AS id, iif(most_blocks > 6, blocks, NULL) AS value, blocks_low AS low,
       blocks_high AS high,
       iif(most_blocks > 6, 'blocks reach the peak', 'no more than 6 blocks were measured') AS words
FROM blp_knee
WHERE experiment = 'blp_bandwidth_tiles' AND variant = 'direct-chunk' AND direction = 'in' AND bits = 128
UNION ALL
SELECT 'cui-c-138/share', p.mid / d.mid, p.low / d.high, p.high / d.low,
       printf('of the contiguous peak with %d blocks', p.blocks)
FROM panels AS p, direct AS d WHERE p.blocks >= 4
UNION ALL
SELECT 'cui-c-139', b.mid / e.mid, b.low / e.high, b.high / e.low, 'times the bandwidth of cudaMemcpy2D'
FROM best AS b, rate AS e WHERE e.variant = 'memcpy2d' AND b.mid > 0;

-- Three arrays read at once: a block for each, or all by every thread (interleaved).
WITH knee AS (SELECT * FROM blp_knee WHERE experiment = 'blp_bandwidth_arrays' AND direction = 'in' AND bits = 128),
best AS (SELECT max(peak) AS mid, peak_low AS low, peak_high AS high FROM knee)
SELECT 'cui-c-167/blocks' AS id, blocks AS value, blocks_low AS low, blocks_high AS high,
       'blocks reach the peak, interleaved' AS words
FROM knee WHERE variant = 'interleaved'
UNION ALL
SELECT 'cui-c-167/beside', 1.0 * i.blocks / p.blocks, 1.0 * i.blocks_low / p.blocks_high,
       1.0 * i.blocks_high / p.blocks_low, printf('times the %d blocks of those per array', p.blocks)
FROM knee AS i, knee AS p WHERE i.variant = 'interleaved' AND p.variant = 'per-array'
UNION ALL
SELECT 'cui-c-168', r.mid / b.mid, r.low / b.high, r.high / b.low, 'of the peak with 3 blocks'
FROM blp_rate AS r, best AS b
WHERE experiment = 'blp_bandwidth_arrays' AND variant = 'per-array' AND direction = 'in' AND bits = 128 AND blocks = 3;
