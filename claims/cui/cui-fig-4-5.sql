-- Direct access to host memory by number of copy threads. The knee is the fewest threads that reach 95 % of the curve's peak: by
-- medians, the fewest that may, the fewest that surely do.
WITH rate AS (
    SELECT vector_bits, threads, blocks, 1e-9 * bytes / time_s AS mid, 1e-9 * bytes / time_high_s AS low, 1e-9 * bytes / time_low_s AS high
    FROM blp_bandwidth_threads_median WHERE variant = 'direct' AND direction = 'in'),
peak AS (SELECT vector_bits, max(mid) AS mid, low, high, threads, blocks FROM rate GROUP BY vector_bits),
engine AS (
    SELECT 1e-9 * bytes / time_s AS mid, 1e-9 * bytes / time_high_s AS low, 1e-9 * bytes / time_low_s AS high
    FROM blp_bandwidth_threads_median WHERE variant = 'memcpy' AND direction = 'in' AND chunks = 1),
knee AS (
    SELECT vector_bits, min(CASE WHEN r.mid >= 0.95 * p.mid THEN r.threads END) AS mid,
           min(CASE WHEN r.high >= 0.95 * p.low THEN r.threads END) AS low,
           min(CASE WHEN r.low >= 0.95 * p.high OR r.threads = p.threads THEN r.threads END) AS high,
           min(CASE WHEN r.mid >= 0.95 * p.mid THEN r.blocks END) AS blocks, min(CASE WHEN r.high >= 0.95 * p.low THEN r.blocks END) AS blocks_low,
           min(CASE WHEN r.low >= 0.95 * p.high OR r.threads = p.threads THEN r.blocks END) AS blocks_high,
           max(r.threads) AS most, max(r.blocks) AS most_blocks
    FROM rate AS r JOIN peak AS p USING (vector_bits) GROUP BY vector_bits),
steps AS (
    SELECT r.low - lag(r.high) OVER turn AS surely, r.high - lag(r.low) OVER turn AS maybe
    FROM rate AS r JOIN knee AS k USING (vector_bits) WHERE r.threads <= k.mid
    WINDOW turn AS (PARTITION BY vector_bits ORDER BY r.threads)),
beyond AS (
    SELECT min(r.mid / p.mid) AS mid, min(r.low / p.high) AS low, min(r.high / p.low) AS high
    FROM rate AS r JOIN peak AS p USING (vector_bits) JOIN knee AS k USING (vector_bits) WHERE r.threads >= 2 * k.mid)
SELECT 'cui-c-132' AS id,
       printf('%.2f of cudaMemcpy; 95 %% of it with %d of up to %d threads', b.mid / e.mid, k.mid, k.most) AS measured,
       '128 bits: 0.9..1.1, reached before the most threads' AS bound,
       CASE WHEN b.low / e.high >= 0.9 AND b.high / e.low <= 1.1 AND k.high < k.most THEN 1
            WHEN b.high / e.low < 0.9 OR b.low / e.high > 1.1 OR k.low >= k.most THEN 0 END AS ok, '' AS reason
FROM peak AS b JOIN knee AS k USING (vector_bits), engine AS e WHERE vector_bits = 128
UNION ALL
SELECT 'cui-c-133', printf('%.2f (%.2f and %.2f GB/s)', w.mid / n.mid, w.mid, n.mid), '128 / 32 bits: 0.95..1.08',
       CASE WHEN w.low / n.high >= 0.95 AND w.high / n.low <= 1.08 THEN 1 WHEN w.high / n.low < 0.95 OR w.low / n.high > 1.08 THEN 0 END, ''
FROM peak AS w, peak AS n WHERE w.vector_bits = 128 AND n.vector_bits = 32
UNION ALL
SELECT 'cui-c-134', printf('%d threads with 128 bits, %d with 32', w.mid, n.mid), 'at most 0.6 as many',
       CASE WHEN w.high <= 0.6 * n.low THEN 1 WHEN w.low > 0.6 * n.high THEN 0 END, ''
FROM knee AS w, knee AS n WHERE w.vector_bits = 128 AND n.vector_bits = 32
UNION ALL
SELECT 'cui-c-135', printf('%d blocks (%d threads)', blocks, mid), '<= 8 blocks (thesis: 3)',
       CASE WHEN most_blocks <= 8 THEN 'waived' WHEN blocks_high <= 8 THEN 1 WHEN blocks_low > 8 THEN 0 END,
       iif(most_blocks <= 8, 'no more than 8 blocks were measured', '')
FROM knee WHERE vector_bits = 128
UNION ALL
SELECT 'cui-c-140', printf('%d of %d steps up to the knee rise', sum(surely > 0), count(surely)), 'all of both widths',
       CASE WHEN count(surely) = 0 THEN 'waived' WHEN min(surely) > 0 THEN 1 WHEN min(maybe) <= 0 THEN 0 END,
       iif(count(surely) = 0, 'the fewest threads reach the peak already', '')
FROM steps HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-141', coalesce(printf('at least %.2f of the peak', mid), 'none measured'), '>= 0.9 from twice the threads of the knee on',
       CASE WHEN mid IS NULL THEN 'waived' WHEN low >= 0.9 THEN 1 WHEN high < 0.9 THEN 0 END,
       iif(mid IS NULL, 'not twice as many threads as at the knee were measured', '')
FROM beyond WHERE EXISTS (SELECT 1 FROM rate);
