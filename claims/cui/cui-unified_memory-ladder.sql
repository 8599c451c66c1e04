-- Figure 3.15: convolution with host updates between rounds, sizes from a quarter to twice the device memory.
WITH r AS (SELECT *, printf('%s, %s of the device memory', pair, share) AS words FROM unified_memory_ratios
           WHERE experiment = 'unified_memory_ladder'),
fits AS (SELECT max(value) AS value, max(low) AS low, max(high) AS high FROM r
         WHERE pair = 'um / framework' AND share < 1),
filled AS (SELECT max(oversubscribed) AS real FROM unified_memory_ladder WHERE variant = 'um')
SELECT iif(pair = 'naive / pipeline', 'cui-c-107', 'cui-c-108'), value, low, high, words
FROM r WHERE pair IN ('naive / pipeline', 'framework / pipeline')
UNION ALL
SELECT 'cui-c-109/whole', sum(outcome = 'ok'), NULL, NULL, 'runs of naive and pipeline beyond the device memory'
FROM unified_memory_ladder WHERE variant IN ('naive', 'pipeline') AND share_of_capacity >= 1 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-109/framework', sum(outcome <> 'ok' OR errors > 0), NULL, NULL, 'runs of framework fail'
FROM unified_memory_ladder WHERE variant = 'framework' HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-109/rate', max(time_s / bytes) / min(time_s / bytes), max(time_low_s / bytes) / min(time_high_s / bytes),
       max(time_high_s / bytes) / min(time_low_s / bytes), 'most / least time per byte of framework'
FROM (SELECT *, footprint_bytes AS bytes FROM unified_memory_ladder_median WHERE variant = 'framework')
HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-111', value, low, high, words FROM r WHERE pair = 'um / framework' AND share < 1
UNION ALL
SELECT 'cui-c-112', iif(real, r.value / f.value, NULL), r.low / f.high, r.high / f.low,
       iif(real, 'of the most where data fit: ' || words,
           (SELECT why FROM not_oversubscribed))
FROM r, fits AS f, filled WHERE pair = 'um / framework' AND share >= 1
UNION ALL
SELECT column1, median(value), median(low), median(high), pair || ', median over sets'
FROM r JOIN (VALUES ('cui-c-113/gpu', 'um / um-gpu-prefetch'), ('cui-c-113/cpu', 'um / um-cpu-prefetch'),
                    ('cui-c-114', 'um / um-prefetch')) ON pair = column2
GROUP BY column1
UNION ALL -- the best way of managed memory
SELECT 'cui-c-125', min(value) - 1, low - 1, high - 1, 'more time: ' || words
FROM r WHERE share < 1 AND pair IN ('um / framework', 'um-gpu-prefetch / framework', 'um-cpu-prefetch / framework',
                                    'um-prefetch / framework')
GROUP BY share;

-- Sets that managed memory runs right; beyond the device memory only where that was really full.
WITH sets AS (
    SELECT share_of_capacity AS share, max(outcome <> 'ok' OR errors > 0) AS wrong,
           max(max(oversubscribed)) OVER () AS real,
           (SELECT why FROM not_oversubscribed) AS why
    FROM unified_memory_ladder WHERE variant = 'um' GROUP BY share)
SELECT 'cui-c-093', iif(real OR wrong, wrong, NULL), NULL, NULL, iif(real OR wrong, 'for a wrong result', why)
FROM sets WHERE share = 1.5
UNION ALL
SELECT 'cui-c-110', iif(real OR sum(wrong), sum(NOT wrong), NULL), NULL, NULL,
       iif(real OR sum(wrong), 'sets are right', why)
FROM sets HAVING count(*) > 0;

-- Figure 3.14: which data fit.
WITH sets AS (
    SELECT outcome, dense_rank() OVER (ORDER BY share_of_capacity) <= 2 AS small
    FROM (SELECT DISTINCT share_of_capacity, outcome FROM unified_memory_ladder WHERE variant = 'naive'))
SELECT iif(small, 'cui-c-105/fit', 'cui-c-105/refused'), sum(outcome = iif(small, 'ok', 'does not fit')), NULL, NULL,
       iif(small, 'small sets fit', 'large sets do not')
FROM sets GROUP BY small;

SELECT CASE WHEN place <= 4 THEN 'cui-c-106/small' WHEN place = 5 THEN 'cui-c-106/slightly' ELSE 'cui-c-106/far' END,
       iif(place <= 5, fill, fill - before), NULL, NULL,
       iif(place <= 5, 'of the device memory, set ', 'more, set ') || place
FROM (SELECT fill, row_number() OVER w AS place, lag(fill) OVER w AS before
      FROM (SELECT DISTINCT share_of_capacity AS share, 1.0 * footprint_bytes / capacity_bytes AS fill
            FROM unified_memory_matmul)
      WINDOW w AS (ORDER BY share));
