-- Hits and misses of the caches of page-locked blocks on the traces of five programs, measured and published, and of programs run here
WITH traces AS (
    SELECT program, CASE variant WHEN 'thesis' THEN 'Algorithm 5.4' ELSE variant END AS cache, hits, hit_count, misses, miss_count,
           p.hit_ratio AS published
    FROM peshne_tab_6_8 p LEFT JOIN pinning_cache_median m ON trace = program AND size_factor = 1 AND variant IN ('thesis', 'cache')
    ORDER BY p.rowid, variant DESC),
-- A waived experiment has no columns of its own: then these names mean the columns of `none`.
runs AS (
    SELECT (SELECT program FROM prefetch_transfers_median WHERE rowid = run.id) AS program,
           (SELECT cache_hits FROM prefetch_transfers_median WHERE rowid = run.id) AS hits,
           (SELECT cache_misses FROM prefetch_transfers_median WHERE rowid = run.id) AS misses
    FROM (SELECT rowid AS id FROM prefetch_transfers_median WHERE variant = 'optimized') AS run,
         (SELECT NULL AS program, NULL AS cache_hits, NULL AS cache_misses) AS none)
SELECT program, cache, CAST(hits AS INTEGER) AS hits, hit_count AS "hits, thesis", CAST(misses AS INTEGER) AS misses,
       miss_count AS "misses, thesis", round(1.0 * hits / (hits + misses), 4) AS "hit ratio", round(published, 4) AS "ratio, thesis"
FROM (SELECT * FROM traces UNION ALL SELECT program, 'cache, run here', hits, NULL, misses, NULL, NULL FROM runs);
