-- Panels of columns of a matrix, copied by thread blocks in tiles, 128 bits per access.
WITH rate AS (
    SELECT variant, vector_bits, blocks, 1e-9 * bytes / time_s AS mid, 1e-9 * bytes / time_high_s AS low, 1e-9 * bytes / time_low_s AS high
    FROM blp_bandwidth_tiles_median WHERE direction = 'in'),
panels AS (SELECT * FROM rate WHERE variant = 'direct-chunk' AND vector_bits = 128),
peak AS (SELECT max(mid) AS mid, low, high, blocks FROM panels),
direct AS (SELECT max(mid) AS mid, low, high FROM rate WHERE variant = 'direct'),
engine AS (SELECT * FROM rate WHERE variant = 'memcpy2d'),
knee AS (
    SELECT min(CASE WHEN r.mid >= 0.95 * p.mid THEN r.blocks END) AS mid, min(CASE WHEN r.high >= 0.95 * p.low THEN r.blocks END) AS low,
           min(CASE WHEN r.low >= 0.95 * p.high OR r.blocks = p.blocks THEN r.blocks END) AS high, max(r.blocks) AS most
    FROM panels AS r, peak AS p),
four AS (SELECT min(mid) AS mid, min(low) AS low, min(high) AS high FROM panels WHERE blocks >= 4),
best AS (SELECT max(mid) AS mid, low, high FROM panels WHERE blocks >= 4)
SELECT 'cui-c-138' AS id,
       printf('95 %% of the peak with %d blocks; with 4 and more at least %.2f of the contiguous peak', k.mid, f.mid / d.mid) AS measured,
       '<= 6 blocks, and >= 0.85 (thesis: 4)' AS bound,
       CASE WHEN k.most <= 6 THEN 'waived' WHEN k.high <= 6 AND f.low / d.high >= 0.85 THEN 1
            WHEN k.low > 6 OR f.high / d.low < 0.85 THEN 0 END AS ok,
       iif(k.most <= 6, 'no more than 6 blocks were measured', '') AS reason
FROM knee AS k, four AS f, direct AS d WHERE f.mid > 0
UNION ALL
SELECT 'cui-c-139', printf('%.2f (%.2f and %.2f GB/s)', b.mid / e.mid, b.mid, e.mid), '>= 2 (thesis: 4, 3..6)',
       CASE WHEN b.low / e.high >= 2 THEN 1 WHEN b.high / e.low < 2 THEN 0 END, ''
FROM best AS b, engine AS e WHERE b.mid > 0;
