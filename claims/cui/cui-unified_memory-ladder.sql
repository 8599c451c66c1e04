-- Figure 3.15: convolution with host updates between rounds, sizes from a quarter to twice the device memory.
WITH r AS (SELECT *, 'share ' || share AS at FROM unified_memory_ladder_ratios),
unfilled AS (SELECT 'the device was not filled up (--oversubscribe): nothing was evicted' AS why),
fitting AS (SELECT max(value) AS value, max(low) AS low, max(high) AS high FROM r WHERE slow = 'um' AND fast = 'framework' AND NOT beyond),
rate AS (SELECT time_s / footprint_bytes AS mid, time_low_s / footprint_bytes AS low, time_high_s / footprint_bytes AS high
         FROM unified_memory_ladder_median WHERE variant = 'framework')
SELECT 'cui-c-107' AS id, value, low, high, 'naive / pipeline, ' || at AS words FROM r WHERE slow = 'naive' AND fast = 'pipeline'
UNION ALL
SELECT 'cui-c-108', value, low, high, 'framework / pipeline, ' || at FROM r WHERE slow = 'framework' AND fast = 'pipeline'
UNION ALL
SELECT 'cui-c-109' || '/whole', sum(outcome = 'ok'), NULL, NULL, 'runs of naive and pipeline beyond the device memory'
FROM unified_memory_ladder WHERE variant IN ('naive', 'pipeline') AND share_of_capacity >= 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-109' || '/framework', sum(outcome <> 'ok' OR errors > 0), NULL, NULL, 'runs of framework fail'
FROM unified_memory_ladder WHERE variant = 'framework' AND share_of_capacity IS NOT NULL HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-109' || '/rate', max(mid) / min(mid), max(low) / min(high), max(high) / min(low), 'most / least time per byte of framework'
FROM rate HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-110', iif(real OR wrong, sets - wrong, NULL), NULL, NULL, iif(real OR wrong, 'sets are right', why)
FROM (SELECT count(*) AS sets, sum(wrong) AS wrong, max(real) AS real
      FROM (SELECT max(outcome <> 'ok' OR errors > 0) AS wrong, max(iif(footprint_bytes > capacity_bytes, oversubscribed, 0)) AS real
            FROM unified_memory_ladder WHERE variant = 'um' AND share_of_capacity IS NOT NULL GROUP BY share_of_capacity)
      HAVING count(*) > 0), unfilled
UNION ALL
SELECT 'cui-c-111', value, low, high, 'um / framework, ' || at FROM r WHERE slow = 'um' AND fast = 'framework' AND NOT beyond
UNION ALL
SELECT 'cui-c-112', iif(real, r.value / f.value, NULL), r.low / f.high, r.high / f.low,
       iif(real, 'um / framework of the most where data fit, ' || at, why)
FROM r, fitting AS f, unfilled WHERE slow = 'um' AND fast = 'framework' AND beyond
UNION ALL
SELECT iif(fast = 'um-prefetch', 'cui-c-114', 'cui-c-113' || '/' || substr(fast, 4, 3)), median(value), median(low), median(high),
       'um / ' || fast || ', median over sets'
FROM r WHERE slow = 'um' AND fast IN ('um-prefetch', 'um-gpu-prefetch', 'um-cpu-prefetch') GROUP BY fast
UNION ALL -- the best way of managed memory
SELECT 'cui-c-125', 1 / value - 1, 1 / high - 1, 1 / low - 1, 'time of ' || fast || ' beyond that of framework, ' || at
FROM (SELECT *, max(value) FROM r
      WHERE slow = 'framework' AND fast IN ('um', 'um-gpu-prefetch', 'um-cpu-prefetch', 'um-prefetch') AND NOT beyond GROUP BY share);

-- Data half as large again as the device.
SELECT 'cui-c-093' AS id, iif(real OR wrong, wrong, NULL) AS value, NULL AS low, NULL AS high,
       iif(real OR wrong, printf('runs are wrong with %.2f of the device memory', fill),
           'the device was not filled up (--oversubscribe): managed memory was not more than it had') AS words
FROM (SELECT sum(outcome <> 'ok' OR errors > 0) AS wrong, max(oversubscribed) AS real, 1.0 * max(footprint_bytes) / max(capacity_bytes) AS fill
      FROM unified_memory_ladder WHERE variant = 'um' AND share_of_capacity = 1.5 HAVING count(*) > 0);

-- Figure 3.14: which data fit.
WITH sets AS (
    SELECT outcome, dense_rank() OVER (ORDER BY share_of_capacity) AS place
    FROM (SELECT DISTINCT share_of_capacity, outcome FROM unified_memory_ladder WHERE variant = 'naive'))
SELECT 'cui-c-105' || '/fit' AS id, sum(place <= 2 AND outcome = 'ok') AS value, NULL AS low, NULL AS high, 'small sets fit' AS words
FROM sets HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-105' || '/refused', sum(place > 2 AND outcome = 'does not fit'), NULL, NULL, 'large sets do not' FROM sets HAVING count(*) > 0;

WITH sets AS (SELECT *, row_number() OVER (ORDER BY share) AS place
              FROM (SELECT DISTINCT share_of_capacity AS share, 1.0 * footprint_bytes / capacity_bytes AS fill FROM unified_memory_matmul
                    WHERE share_of_capacity IS NOT NULL))
SELECT 'cui-c-106' || CASE WHEN place <= 4 THEN '/small' WHEN place = 5 THEN '/slightly' ELSE '/far' END AS id,
       iif(place <= 5, fill, fill - lag(fill) OVER (ORDER BY place)) AS value, NULL AS low, NULL AS high,
       iif(place <= 5, 'of the device memory, set ', 'more, set ') || place AS words
FROM sets;
