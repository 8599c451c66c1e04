-- Hits and misses of the caches of page-locked blocks on the traces of five programs, measured and published
SELECT program, CASE variant WHEN 'thesis' THEN 'Algorithm 5.4' ELSE variant END AS cache,
       CAST(hits AS INTEGER) AS hits, hit_count AS "hits, thesis", CAST(misses AS INTEGER) AS misses, miss_count AS "misses, thesis",
       round(m.hit_ratio, 4) AS "hit ratio", round(p.hit_ratio, 4) AS "ratio, thesis"
FROM peshne_tab_6_8 p LEFT JOIN pinning_cache_median m ON trace = program AND size_factor = 1 AND variant IN ('thesis', 'cache')
ORDER BY p.rowid, variant DESC;
